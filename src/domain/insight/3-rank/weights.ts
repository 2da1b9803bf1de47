import type { Features } from './features.js'

/**
 * The linear model of the ranker. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.
 * Set by hand: adjacent, answers, asks.
 */
export const WEIGHTS: Features = {
  meaning: 6.16,
  meaning_alone: 22.75,
  bm25: 4.12,
  expansion: 5.97,
  clause: 2.67,
  context_coverage: 2.99,
  who: 2.66,
  when: 0.72,
  latest: 1.92,
  superseded: -3.95,
  adjacent: 1,
  answers: 2,
  asks: -4,
  reinforces: 1.48,
  reinforced: 1.18,
  extended: 0.94,
  replaces: 2.2,
}
