import type { CalibrationModel } from './calibrate.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -3.67,
  weights: {
    coverage: 0.64,
    meaning: 1.48,
    together: 1.31,
    unknown: -0.92,
    rarest: 0.08,
    strength: 2.29,
    margin: 1.6,
    company: 0.16,
    answers: 1.08,
    support: 1.05,
    off_subject: -0.33,
    agreement: 0.02,
    trust: 0,
    disputed: -1.56,
    stale: -0.56,
  },
  high: 0.84,
  medium: 0.5,
}
