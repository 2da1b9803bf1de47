import type { CalibrationModel } from './calibrate.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.41,
  weights: {
    coverage: 0.68,
    clause: 1.91,
    meaning: 1.67,
    together: 1.06,
    unknown: -0.99,
    rarest: 0.5,
    strength: 1.63,
    margin: 1.71,
    company: 0.81,
    support: 0.63,
    off_subject: -0.32,
    agreement: 0,
    disputed: -1.33,
    stale: 0,
  },
  high: 0.85,
  medium: 0.47,
}
