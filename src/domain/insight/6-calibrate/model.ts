import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.9,
  weights: {
    clause: 5.2,
    meaning: 5,
    margin: 1.84,
    agreement: 0.31,
    other_words: 3.12,
    unknown: -1.96,
    unsaid: -1.01,
    unnamed: -0.81,
    lacking: -1.74,
    doubt: -0.52,
    stale: -1.21,
  },
  high: 0.58,
  medium: 0.43,
}

/** The same where nothing is read for meaning. */
export const CALIBRATION_BY_WORDS: CalibrationModel = {
  bias: -0.64,
  weights: {
    clause: 4.38,
    meaning: 0,
    margin: 2.92,
    agreement: 1.13,
    other_words: 0,
    unknown: -3.3,
    unsaid: -0.98,
    unnamed: -0.37,
    lacking: -1.53,
    doubt: -0.4,
    stale: -1.08,
  },
  high: 0.53,
  medium: 0.35,
}
