import { isDenied } from './agreement.js'
import { bestOverlap, type Overlap } from './overlap.js'
import { compareFields } from './reading/fields.js'
import type { Reading } from './reading/reading.js'
import { subjectsDiffer } from './subject.js'

/** What the judgement weighs. */
export const FEATURES = ['shareOfOne', 'shareOfBoth', 'values', 'slot', 'fields'] as const
export type Feature = (typeof FEATURES)[number]
export type Features = Readonly<Record<Feature, number>>
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

/** Shared numbers count only if the texts share most of their words. */
const MIN_SHARE = 0.75

export interface Comparison {
  /** The texts speak of different things, however much they have in common. */
  readonly differ: boolean
  /** They surely speak of the same thing: the same field of the same record, or one text denies the other. */
  readonly sure: boolean
  readonly features: Features
  readonly overlap: Overlap | undefined
}

/** The same in both directions. */
export function compareReadings(a: Reading, b: Reading): Comparison {
  const overlap = bestOverlap(a, b)
  const fields = compareFields(a.fields, b.fields)
  return {
    // Most texts have nothing in common, and need no closer look.
    differ:
      fields === 'other' || (fields === 'open' && overlap !== undefined && beginOtherwise(a, b, overlap)),
    sure: fields === 'changed' || (overlap !== undefined && isDenied(overlap)),
    features: {
      shareOfOne: overlap?.shareOfOne ?? 0,
      shareOfBoth: overlap?.shareOfBoth ?? 0,
      values: overlap !== undefined && overlap.shareOfOne >= MIN_SHARE ? overlap.values : 0,
      slot: overlap?.slot ?? 0,
      fields: fields === 'same' || fields === 'changed' ? 1 : 0,
    },
    overlap,
  }
}

function beginOtherwise(a: Reading, b: Reading, { parts }: Overlap): boolean {
  return parts.every(({ first }) => first) && subjectsDiffer(a, b)
}

export function isSureBy({ differ, sure, features }: Comparison, weights: Weights): boolean {
  return !differ && (sure || score(features, weights) >= SURE)
}

/** The weighted sum; a verdict is sure from `SURE` on. */
export function score(features: Features, weights: Weights): number {
  let sum = weights.bias
  for (const [feature, value] of Object.entries(features)) sum += value * weights[feature as keyof Features]
  return sum
}
