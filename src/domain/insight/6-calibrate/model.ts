import type { CalibrationModel } from './confidence-features.js'

/** The logistic model of confidence. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const CALIBRATION: CalibrationModel = {
  bias: -4.41,
  weights: {
    held: 2.1,
    clause: 5.72,
    ahead: 4.95,
    meaning: 6.55,
    agreement: 0.8,
    other_words: 3.42,
    unknown: -1.61,
    unsaid: -2.22,
    unnamed: -0.78,
    lacking: -2.12,
    doubt: -0.3,
    stale: -0.3,
  },
  high: 0.73,
  medium: 0.49,
}

/** The same where nothing is read for meaning. */
export const CALIBRATION_BY_WORDS: CalibrationModel = {
  bias: -2.16,
  weights: {
    held: 3.52,
    clause: 4.26,
    ahead: 6.04,
    meaning: 0,
    agreement: 1.9,
    other_words: 0,
    unknown: -2.34,
    unsaid: -1.94,
    unnamed: -0.57,
    lacking: -1.91,
    doubt: -0.3,
    stale: -0.54,
  },
  high: 0.69,
  medium: 0.48,
}
