import type { CalibrationModel } from './calibrate.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.41,
  weights: {
    coverage: 0.68,
    clause: 1.99,
    meaning: 1.63,
    together: 1.06,
    unknown: -0.98,
    rarest: 0.48,
    strength: 1.62,
    margin: 1.76,
    company: 0.81,
    support: 0.61,
    off_subject: -0.35,
    agreement: 0,
    disputed: -1.22,
    stale: 0,
  },
  high: 0.85,
  medium: 0.48,
}
