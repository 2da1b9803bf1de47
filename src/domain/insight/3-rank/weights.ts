import type { Features } from './features.js'

/**
 * The linear model of the ranker. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.
 * Set by hand: adjacent, answers, asks.
 */
export const WEIGHTS: Features = {
  meaning: 6.17,
  meaning_alone: 22.68,
  bm25: 4.18,
  expansion: 6.01,
  clause: 2.67,
  context_coverage: 2.96,
  who: 2.68,
  when: 1.03,
  latest: 1.93,
  superseded: -4,
  adjacent: 1,
  answers: 2,
  asks: -4,
  reinforces: 1.44,
  reinforced: 1.33,
  extended: 0.92,
  replaces: 2.29,
}
