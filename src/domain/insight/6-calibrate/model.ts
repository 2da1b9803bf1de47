import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.87,
  weights: {
    clause: 5.2,
    meaning: 5.01,
    margin: 1.8,
    agreement: 0.31,
    other_words: 3.1,
    unknown: -1.96,
    unsaid: -1.03,
    unnamed: -0.81,
    lacking: -1.74,
    doubt: -0.52,
    stale: -1.19,
  },
  high: 0.58,
  medium: 0.43,
}

/** The same where nothing is read for meaning. */
export const CALIBRATION_BY_WORDS: CalibrationModel = {
  bias: -0.63,
  weights: {
    clause: 4.37,
    meaning: 0,
    margin: 2.89,
    agreement: 1.13,
    other_words: 0,
    unknown: -3.31,
    unsaid: -0.98,
    unnamed: -0.37,
    lacking: -1.52,
    doubt: -0.43,
    stale: -1.09,
  },
  high: 0.52,
  medium: 0.35,
}
