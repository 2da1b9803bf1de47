import type { Feature } from './features.js'

export type Weights = Readonly<Record<Feature | 'bias', number>>

/** Fitted by `scripts/quality/bearing.ts`, whose output this is; the bias holds the threshold, so that zero is sure. */
export const WEIGHTS: Weights = {
  bias: -1.85,
  held: 1.47,
  heldByBoth: 0.71,
  values: 0.98,
  slot: 1.06,
  fields: 0.54,
  meaning: 0,
}

/** Where the cosine of the two sentence vectors is known. */
export const WEIGHTS_WITH_MEANING: Weights = {
  bias: -2.95,
  held: 0.68,
  heldByBoth: -0.11,
  values: 1.15,
  slot: 1.56,
  fields: 0.78,
  meaning: 3.71,
}

/** What the weighted sum must reach. */
export const SURE = 0
