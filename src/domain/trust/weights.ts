import type { Feature } from './features.js'

export type Weights = Readonly<Record<Feature | 'bias', number>>

/** Fitted by `scripts/quality/bearing.ts`, whose output this is; the bias holds the threshold, so that zero is sure. */
export const WEIGHTS: Weights = {
  bias: -2.01,
  held: 1.69,
  heldByBoth: 0.52,
  values: 1.33,
  slot: 1.51,
  fields: 0.81,
  meaning: 0,
}

/** Where the cosine of the two sentence vectors is known. */
export const WEIGHTS_WITH_MEANING: Weights = {
  bias: -3.07,
  held: 0.95,
  heldByBoth: -0.1,
  values: 1.1,
  slot: 1.57,
  fields: 0.77,
  meaning: 3.57,
}

/** What the weighted sum must reach. */
export const SURE = 0
