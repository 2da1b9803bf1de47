import type { ConfidenceModel, Thresholds } from './confidence.js'
import type { Features } from './features.js'
import type { OrderWeights } from './order.js'

/** The fitted numbers of the engine. All models are linear. */
export interface Models {
  /** For ranking the retrieved memories. */
  readonly retrieval: Features
  /** For ordering the candidates. */
  readonly order: OrderWeights
  /** The confidence that the first line answers, if a reader has read it, and if none has. */
  readonly read: ConfidenceModel
  readonly unread: ConfidenceModel
  readonly thresholds: Thresholds
}

export const MODELS: Models = {
  retrieval: {
    meaning: 6.33,
    meaning_alone: 22.56,
    bm25: 4.23,
    expansion: 5.95,
    clause: 2.68,
    context_coverage: 2.8,
    who: 2.69,
    when: 0.73,
    superseded: -3.69,
    adjacent: 1,
    answers: 2,
    asks: -4,
    reinforces: 1.51,
    reinforced: 1.34,
    extended: 0.9,
    replaces: 2.47,
  },
  order: {
    found: 0.48,
    logit: 0.13,
    answers: 0.75,
    newest: 0.16,
    contested: -0.89,
    contests: 0.89,
    meant: -0.94,
  },
  read: {
    bias: -4.44,
    weights: {
      shown: 0.29,
      share: 3.66,
      meaning: 2.07,
      coverage: 0,
      unknown: 0,
      margin: 1.05,
      other_words: 0.69,
      remarks: -0.81,
    },
  },
  unread: {
    bias: -2.37,
    weights: {
      shown: 0,
      share: 2.88,
      meaning: 0.58,
      coverage: 1.2,
      unknown: -0.94,
      margin: 0.8,
      other_words: 0,
      remarks: 0,
    },
  },
  thresholds: {
    high: 0.86,
    medium: 0.3,
    nothing: 0.16,
  },
}
