import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -3,
  weights: {
    cover: 3,
    meaning: 3,
    margin: 1,
    agreement: 0.2,
    other_words: 0,
    unknown: -1,
    unsaid: -1,
    lacking: -1,
    doubt: -1.7,
    stale: -0.6,
  },
  high: 0.82,
  medium: 0.57,
}
