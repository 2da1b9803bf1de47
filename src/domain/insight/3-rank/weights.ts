import type { Features } from './features.js'

/**
 * The linear model of the ranker. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.
 * Set by hand: adjacent.
 */
export const WEIGHTS: Features = {
  meaning: 5.63,
  meaning_alone: 23.36,
  bm25: 4.29,
  expansion: 6.42,
  clause: 2.44,
  context_coverage: 3.25,
  who: 2.7,
  when: 0.92,
  latest: 2.04,
  superseded: -4.34,
  adjacent: 1,
  reinforces: 1.33,
  reinforced: 1.24,
  extended: 1,
}
