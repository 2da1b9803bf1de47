import type { Features } from './features.js'

/**
 * The linear model of the ranker. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.
 * Set by hand: adjacent.
 */
export const WEIGHTS: Features = {
  meaning: 6.17,
  meaning_alone: 22.72,
  bm25: 4.13,
  expansion: 6.03,
  clause: 2.62,
  context_coverage: 2.88,
  who: 2.65,
  when: 0.71,
  latest: 1.92,
  superseded: -3.53,
  adjacent: 1,
  reinforces: 1.48,
  reinforced: 1.17,
  extended: 0.92,
  replaces: 2.36,
}
