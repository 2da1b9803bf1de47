import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.55,
  weights: {
    cover: 2.71,
    clause: 1.67,
    strength: 1.94,
    margin: 1.86,
    expansion: 0.86,
    agreement: 0.24,
    unknown: -1.12,
    doubt: -1.68,
    stale: -0.56,
  },
  high: 0.82,
  medium: 0.57,
}
