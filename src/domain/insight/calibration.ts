import type { CalibrationModel } from './calibrate.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.56,
  weights: {
    cover: 2.7,
    clause: 1.65,
    strength: 1.95,
    margin: 1.88,
    company: 0.88,
    agreement: 0.27,
    unknown: -1.13,
    doubt: -1.62,
    stale: -0.56,
  },
  high: 0.81,
  medium: 0.56,
}
