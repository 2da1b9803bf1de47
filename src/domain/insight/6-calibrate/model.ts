import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.78,
  weights: {
    clause: 5.04,
    meaning: 5.09,
    margin: 1.61,
    agreement: 0.3,
    other_words: 3.07,
    unknown: -2,
    unsaid: -1.26,
    unnamed: -0.78,
    lacking: -1.75,
    doubt: -0.39,
    stale: -1.29,
  },
  high: 0.6,
  medium: 0.44,
}

/** The same where nothing is read for meaning. */
export const CALIBRATION_BY_WORDS: CalibrationModel = {
  bias: -0.55,
  weights: {
    clause: 4.24,
    meaning: 0,
    margin: 2.81,
    agreement: 1.12,
    other_words: 0,
    unknown: -3.38,
    unsaid: -1.09,
    unnamed: -0.29,
    lacking: -1.52,
    doubt: -0.53,
    stale: -0.96,
  },
  high: 0.49,
  medium: 0.35,
}
