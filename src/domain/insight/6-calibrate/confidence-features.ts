import { inverseDocumentFrequency } from '../../search/bm25.js'
import { EPSILON, sum } from '../1-analyse/entry.js'
import type { Found } from '../3-rank/find.js'
import type { Doubt } from '../4-reconcile/doubts.js'
import { agrees, type Evidence } from '../4-reconcile/reconcile.js'
import { WORTH_TELLING } from '../5-say/worth-telling.js'
import { lacksWhatIsAsked } from './asked-for.js'

/** What confidence rests on, in the order of the weights. */
export const CONFIDENCE_FEATURES = [
  'cover',
  'meaning',
  'margin',
  'agreement',
  'other_words',
  'unknown',
  'unsaid',
  'unnamed',
  'lacking',
  'doubt',
  'stale',
] as const
export type ConfidenceFeature = (typeof CONFIDENCE_FEATURES)[number]
export type ConfidenceFeatures = Readonly<Record<ConfidenceFeature, number>>

/** How far ahead in score, beside the next of another context, nothing more is to be gained. */
const FAR_AHEAD = 6
const MOST_AGREEING = 3
/** An insight tells little more than these. */
const TOLD = 3

/** `lead` is the first of the evidence that stands. */
export function confidenceFeaturesOf(
  found: Found,
  evidence: readonly Evidence[],
  lead: Evidence,
  doubts: readonly Doubt[],
): ConfidenceFeatures {
  const { pool, ranked } = found
  const standing = evidence.filter(({ stands }) => stands)
  const told = new Set(
    standing.filter((item) => item === lead || item.relevance >= WORTH_TELLING).map(({ memory }) => memory),
  )
  const entries = pool.entries.filter(({ memory }) => told.has(memory))
  const says = (stem: string) => entries.some(({ counts }) => counts.has(stem))
  const { names, things } = pool.query
  const agreeing = standing.filter((one) =>
    standing.some((other) => one !== other && agrees(one.memory, other.memory)),
  )
  const rival = ranked.find(
    ({ memory }) => memory.contextId !== lead.memory.contextId && !agrees(memory, lead.memory),
  )
  return {
    cover: shareOf(found, says),
    meaning: lead.features.meaning,
    margin: Math.min(1, Math.max(0, lead.score - (rival?.score ?? 0)) / FAR_AHEAD),
    agreement: Math.min(MOST_AGREEING, agreeing.length) / MOST_AGREEING,
    other_words: pool.inOtherWords,
    unknown: unknownShare(found),
    unsaid: names.filter((stem) => !says(stem)).length / Math.max(1, names.length),
    unnamed: things.some((thing) => !thing.some(says)) ? 1 : 0,
    lacking: lacksWhatIsAsked(pool.query, [...told].map(({ text }) => text).join('\n')) ? 1 : 0,
    doubt: doubts.length > 0 ? 1 : 0,
    // What has expired is relied on no more than what is stale.
    stale: standing.slice(0, TOLD).some(({ memory }) => memory.trust.status !== 'current') ? 1 : 0,
  }
}

/** 0..1: how much of the task, by weight, is in words that the graph has never heard of. */
function unknownShare(found: Found): number {
  const { memoryCount, idf } = found.pool.retrieved
  const never = inverseDocumentFrequency(memoryCount, 0)
  return shareOf(found, (term) => (idf.get(term) ?? 0) >= never)
}

/** 0..1: the share of the task's words, by weight, of which something holds. */
function shareOf({ pool: { query, weight } }: Found, holds: (term: string) => boolean): number {
  const whole = Math.max(EPSILON, sum(query.terms.map(weight)))
  return sum(query.terms.filter(holds).map(weight)) / whole
}

export interface CalibrationModel {
  readonly bias: number
  readonly weights: ConfidenceFeatures
  readonly high: number
  readonly medium: number
}
