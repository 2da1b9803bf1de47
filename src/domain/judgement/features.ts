import { isDenied } from './agreement.js'
import { otherWordInFrame } from './frame.js'
import { bestOverlap, type Overlap } from './overlap.js'
import { compareFields } from './reading/fields.js'
import type { Reading } from './reading/reading.js'
import { subjectsDiffer } from './subject.js'

/** What the judgement weighs. */
export const FEATURES = ['shareOfOne', 'shareOfBoth', 'values', 'slot', 'fields'] as const
export type Feature = (typeof FEATURES)[number]
export type Features = Readonly<Record<Feature, number>>

/** Shared numbers count only if the texts share most of their words. */
const MIN_SHARE = 0.75

export interface Comparison {
  /** The texts speak of different things, however much they have in common. */
  readonly differ: boolean
  /** They surely speak of the same thing: the same field of the same record, or one text denies the other. */
  readonly sure: boolean
  /** The same answer to the same question. */
  readonly answered: boolean
  readonly features: Features
  readonly overlap: Overlap | undefined
}

/** The same in both directions. */
export function compareReadings(a: Reading, b: Reading): Comparison {
  const overlap = bestOverlap(a, b)
  const fields = compareFields(a.fields, b.fields)
  return {
    // Most texts have nothing in common, and need no closer look.
    differ: fields === 'other' || (fields === 'open' && overlap !== undefined && textsDiffer(a, b, overlap)),
    sure: fields === 'changed' || fields === 'answered' || (overlap !== undefined && isDenied(overlap)),
    answered: fields === 'answered',
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

function textsDiffer(a: Reading, b: Reading, { parts }: Overlap): boolean {
  const begin = parts.every(({ first }) => first)
  return (begin && subjectsDiffer(a, b)) || otherWordInFrame(a.whole, b.whole)
}
