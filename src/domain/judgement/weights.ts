import type { Feature } from './features.js'

export type Weights = Readonly<Record<Feature | 'bias', number>>

/** Fitted by `scripts/quality/bearing.ts`, whose output this is; the bias holds the threshold, so that zero is sure. */
export const WEIGHTS: Weights = {
  bias: -1.85,
  shareOfOne: 1.47,
  shareOfBoth: 0.71,
  values: 0.98,
  slot: 1.06,
  fields: 0.54,
}

/** The least weighted sum at which a verdict is sure. */
export const SURE = 0
