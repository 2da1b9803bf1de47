import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.29,
  weights: {
    cover: 1.15,
    meaning: 4.43,
    margin: 0.97,
    agreement: 0.98,
    other_words: 2.64,
    unknown: -2.28,
    unsaid: -1.25,
    unnamed: -0.7,
    lacking: -2.02,
    doubt: -0.18,
    stale: -0.62,
  },
  high: 0.71,
  medium: 0.58,
}

/** The same where nothing is read for meaning. */
export const CALIBRATION_BY_WORDS: CalibrationModel = {
  bias: 0.27,
  weights: {
    cover: 0.05,
    meaning: 0,
    margin: 2.45,
    agreement: 1.65,
    other_words: 0,
    unknown: -4.03,
    unsaid: -0.74,
    unnamed: -0.48,
    lacking: -1.72,
    doubt: -0.34,
    stale: -0.91,
  },
  high: 0.63,
  medium: 0.54,
}
