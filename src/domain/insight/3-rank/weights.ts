import type { Features } from './features.js'

/**
 * The linear model of the ranker. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.
 * Set by hand: adjacent.
 */
export const WEIGHTS: Features = {
  meaning: 6.43,
  meaning_alone: 22.44,
  bm25: 4.01,
  expansion: 5.87,
  clause: 2.54,
  context_coverage: 3.27,
  who: 2.7,
  when: 0.86,
  latest: 2.02,
  superseded: -4.57,
  adjacent: 1,
  reinforces: 1.41,
  reinforced: 1.27,
  extended: 1.08,
  replaces: 1,
}
