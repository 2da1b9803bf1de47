import type { Features } from './features.js'

/**
 * The linear model of the ranker. Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.
 * The examples move 8 of 25 weights: coverage, bigrams, expansion, clause, linked_subject, off_subject, when, reinforced.
 * The others are as they were set by hand: START in scripts/quality/ranker.ts.
 */
export const WEIGHTS: Features = {
  bm25: 1,
  coverage: 0.65,
  bigrams: 0.43,
  embedding: 0.3,
  thesaurus: 0.2,
  answers: 0.1,
  expansion: 1.11,
  clause: 0.11,
  subject: 0.1,
  linked_subject: 0.27,
  off_subject: -0.05,
  who: 0.2,
  when: 0.21,
  latest: 0.2,
  superseded: -0.3,
  context_coverage: 0.2,
  same_context: 0.1,
  adjacent: 0.5,
  reinforces: 0.2,
  reinforced: 0.12,
  extends: 0.1,
  extended: 0.1,
  contradicts: 0.7,
  contradicted: -0.2,
  replaces_basis: 0.3,
}
