import type { Features } from './features.js'

/**
 * The linear model of the ranker. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.
 * Set by hand: adjacent.
 */
export const WEIGHTS: Features = {
  meaning: 5.69,
  meaning_alone: 23.39,
  bm25: 4.24,
  expansion: 6.37,
  clause: 2.48,
  context_coverage: 3.25,
  who: 2.7,
  when: 0.96,
  latest: 2.04,
  superseded: -4.36,
  adjacent: 1,
  reinforces: 1.33,
  reinforced: 1.24,
  extended: 1,
}
