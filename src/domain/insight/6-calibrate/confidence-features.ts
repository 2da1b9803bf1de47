import { inverseDocumentFrequency } from '../../search/bm25.js'
import { EPSILON, sum } from '../1-analyse/entry.js'
import type { Found } from '../3-rank/find.js'
import type { Doubt } from '../4-reconcile/doubts.js'
import { agrees, type Evidence } from '../4-reconcile/reconcile.js'

/** What confidence rests on, in the order of the weights. */
export const CONFIDENCE_FEATURES = [
  'cover',
  'clause',
  'strength',
  'margin',
  'expansion',
  'agreement',
  'unknown',
  'doubt',
  'stale',
] as const
export type ConfidenceFeature = (typeof CONFIDENCE_FEATURES)[number]
export type ConfidenceFeatures = Readonly<Record<ConfidenceFeature, number>>

/** An insight tells little more than these. */
const TOLD = 3
const MOST_AGREEING = 3

/** `lead` is the first of the evidence that stands. */
export function confidenceFeaturesOf(
  found: Found,
  evidence: readonly Evidence[],
  lead: Evidence,
  doubts: readonly Doubt[],
): ConfidenceFeatures {
  const { pool, ranked } = found
  const standing = evidence.filter(({ stands }) => stands)
  const best = new Set(standing.slice(0, TOLD).map(({ memory }) => memory))
  const cover = pool.meanings.cover(
    pool.entries.filter(({ memory }) => best.has(memory)),
    pool.weight,
  )
  const unknown = unknownShare(found)
  const agreeing = standing.filter((one) =>
    standing.some((other) => one !== other && agrees(one.memory, other.memory)),
  )
  const rival = ranked.find(
    ({ memory }) => memory.contextId !== lead.memory.contextId && !agrees(memory, lead.memory),
  )
  return {
    cover,
    clause: lead.features.clause,
    strength: Math.min(3, lead.score) / 3,
    // Standing out says little when the graph has never heard of what was asked.
    margin: ((1 - unknown) * Math.max(0, lead.score - (rival?.score ?? 0))) / Math.max(EPSILON, lead.score),
    expansion: lead.features.expansion,
    // Nor do memories that agree with one another about something else.
    agreement: (cover * Math.min(MOST_AGREEING, agreeing.length)) / MOST_AGREEING,
    unknown,
    doubt: doubts.length > 0 ? 1 : 0,
    stale: standing.slice(0, TOLD).some(({ memory }) => memory.trust.status === 'stale') ? 1 : 0,
  }
}

/** 0..1: how much of the task, by weight, is in words that the graph has never heard of. */
function unknownShare({ pool: { query, weight, retrieved } }: Found): number {
  const never = inverseDocumentFrequency(retrieved.memoryCount, 0)
  const whole = Math.max(EPSILON, sum(query.terms.map(weight)))
  return sum(query.terms.filter((term) => (retrieved.idf.get(term) ?? 0) >= never).map(weight)) / whole
}

export interface CalibrationModel {
  readonly bias: number
  readonly weights: ConfidenceFeatures
  readonly high: number
  readonly medium: number
}
