import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.88,
  weights: {
    clause: 4.89,
    meaning: 5.29,
    margin: 1.56,
    agreement: 0.45,
    other_words: 3.14,
    unknown: -2.01,
    unsaid: -1.39,
    unnamed: -0.66,
    lacking: -1.83,
    doubt: -0.44,
    stale: -1.4,
  },
  high: 0.6,
  medium: 0.42,
}

/** The same where nothing is read for meaning. */
export const CALIBRATION_BY_WORDS: CalibrationModel = {
  bias: -0.55,
  weights: {
    clause: 4.54,
    meaning: 0,
    margin: 2.73,
    agreement: 1.12,
    other_words: 0,
    unknown: -3.39,
    unsaid: -1.1,
    unnamed: -0.32,
    lacking: -1.54,
    doubt: -0.47,
    stale: -1.19,
  },
  high: 0.5,
  medium: 0.34,
}
