import type { CalibrationModel } from './calibrate.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -3.28,
  weights: {
    coverage: 0.76,
    meaning: 1.55,
    together: 1.4,
    unknown: -1.11,
    rarest: 0.12,
    strength: 1.69,
    margin: 1.52,
    company: 0.35,
    answers: 0.98,
    support: 1.03,
    off_subject: -0.37,
    agreement: 0.05,
    trust: 0,
    disputed: -1.45,
    stale: -0.52,
  },
  high: 0.84,
  medium: 0.54,
}
