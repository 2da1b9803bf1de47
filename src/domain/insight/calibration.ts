import type { CalibrationModel } from './calibrate.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.33,
  weights: {
    coverage: 0.74,
    clause: 2,
    meaning: 1.73,
    together: 1.13,
    unknown: -0.99,
    rarest: 0.57,
    strength: 1.55,
    margin: 1.72,
    company: 0.72,
    support: 0.48,
    off_subject: -0.62,
    agreement: 0,
    disputed: -1.28,
    stale: 0,
  },
  high: 0.83,
  medium: 0.48,
}
