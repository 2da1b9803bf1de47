import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -2.25,
  weights: {
    cover: 1.12,
    meaning: 4.42,
    margin: 0.97,
    agreement: 0.87,
    other_words: 2.62,
    unknown: -2.28,
    unsaid: -1.25,
    unnamed: -0.7,
    lacking: -2.01,
    doubt: -0.17,
    stale: -0.62,
  },
  high: 0.71,
  medium: 0.58,
}
