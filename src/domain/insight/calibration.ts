import type { CalibrationModel } from './calibrate.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.4,
  weights: {
    coverage: 0.73,
    clause: 1.91,
    meaning: 1.64,
    together: 1.09,
    unknown: -0.99,
    rarest: 0.52,
    strength: 1.62,
    margin: 1.7,
    company: 0.84,
    support: 0.63,
    off_subject: -0.34,
    agreement: 0,
    disputed: -1.37,
    stale: -0.42,
  },
  high: 0.84,
  medium: 0.48,
}
