import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -4.38,
  weights: {
    held: 2.17,
    clause: 5.77,
    ahead: 4.81,
    meaning: 6.55,
    agreement: 0.77,
    other_words: 3.38,
    unknown: -1.62,
    unsaid: -2.24,
    unnamed: -0.79,
    lacking: -2.13,
    doubt: -0.3,
    stale: -0.3,
  },
  high: 0.69,
  medium: 0.46,
}

/** The same where nothing is read for meaning. */
export const CALIBRATION_BY_WORDS: CalibrationModel = {
  bias: -2.11,
  weights: {
    held: 3.55,
    clause: 4.27,
    ahead: 5.9,
    meaning: 0,
    agreement: 1.88,
    other_words: 0,
    unknown: -2.39,
    unsaid: -1.96,
    unnamed: -0.58,
    lacking: -1.92,
    doubt: -0.3,
    stale: -0.3,
  },
  high: 0.66,
  medium: 0.43,
}
