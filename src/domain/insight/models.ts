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
    newest: 0.18,
    contested: -1.35,
    contests: 1.15,
    meant: -1.5,
  },
  read: {
    bias: -3.7,
    weights: {
      logit: 0.19,
      answers: -0.36,
      best: 0.15,
      share: 3.17,
      meaning: 2.91,
      coverage: -0.5,
      unknown: 0.06,
      margin: 0.69,
    },
  },
  unread: {
    bias: -1.48,
    weights: {
      logit: 0,
      answers: 0,
      best: 0,
      share: 2.89,
      meaning: 0.64,
      coverage: 0.23,
      unknown: -1.77,
      margin: 0.75,
    },
  },
  thresholds: {
    high: 0.86,
    medium: 0.4,
    nothing: 0.22,
  },
}
