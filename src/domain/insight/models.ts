import type { ConfidenceModel, Thresholds } from './confidence.js'
import type { Features } from './features.js'
import type { OrderWeights } from './order.js'

/** The numbers that the engine was fitted to. All models are linear. */
export interface Models {
  /** What is retrieved is ranked by. */
  readonly retrieval: Features
  /** What may answer is ordered by. */
  readonly order: OrderWeights
  /** The confidence that the first line answers, where a reader has read it and where none has. */
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
    bias: -4.53,
    weights: {
      logit: 0.26,
      share: 3.51,
      meaning: 1.99,
      coverage: 0.68,
      unknown: 0.64,
      margin: 0.67,
    },
  },
  unread: {
    bias: -2.41,
    weights: {
      logit: 0,
      share: 2.86,
      meaning: 0.54,
      coverage: 1.25,
      unknown: -0.92,
      margin: 0.84,
    },
  },
  thresholds: {
    high: 0.9,
    medium: 0.25,
    nothing: 0.13,
  },
}
