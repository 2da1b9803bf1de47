import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.73,
  weights: {
    clause: 4.96,
    meaning: 5.08,
    margin: 1.86,
    agreement: 0.13,
    other_words: 2.92,
    unknown: -2.09,
    unsaid: -0.86,
    unnamed: -0.9,
    lacking: -2.87,
    doubt: -0.56,
    stale: -1.36,
  },
  high: 0.61,
  medium: 0.43,
}

/** The same where nothing is read for meaning. */
export const CALIBRATION_BY_WORDS: CalibrationModel = {
  bias: -0.48,
  weights: {
    clause: 4.01,
    meaning: 0,
    margin: 2.9,
    agreement: 1.01,
    other_words: 0,
    unknown: -3.43,
    unsaid: -0.76,
    unnamed: -0.5,
    lacking: -2.42,
    doubt: -0.54,
    stale: -1.14,
  },
  high: 0.54,
  medium: 0.34,
}
