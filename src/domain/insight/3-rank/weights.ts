import type { Features } from './features.js'

/** The linear model of the ranker. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality. */
export const WEIGHTS: Features = {
  meaning: 8,
  meaning_alone: 12,
  bm25: 2.98,
  expansion: 6.65,
  clause: 2.67,
  context_coverage: 3.19,
  who: 2.64,
  when: 0.5,
  latest: 1.95,
  superseded: -4.34,
  adjacent: 0.38,
  reinforces: 1.36,
  reinforced: 1.1,
  extended: 0.97,
}
