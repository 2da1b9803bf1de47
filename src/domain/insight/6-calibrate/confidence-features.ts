import { isUnheardIn } from '../../search/bm25.js'
import { EPSILON, sum } from '../1-analyse/entry.js'
import type { Found } from '../3-rank/find.js'
import type { Doubt } from '../4-reconcile/doubts.js'
import { agrees, type Evidence } from '../4-reconcile/reconcile.js'
import { WORTH_TELLING } from '../5-say/worth-telling.js'
import { lacksWhatIsAsked } from './asked-for.js'

/** The more there is of one of these, the less an answer can be relied on. */
export const SPEAKS_AGAINST = ['unknown', 'unsaid', 'unnamed', 'lacking', 'doubt', 'stale'] as const

/** What confidence rests on, in the order of the weights. */
export const CONFIDENCE_FEATURES = [
  'clause',
  'meaning',
  'margin',
  'agreement',
  'other_words',
  ...SPEAKS_AGAINST,
] as const
export type ConfidenceFeature = (typeof CONFIDENCE_FEATURES)[number]
export type ConfidenceFeatures = Readonly<Record<ConfidenceFeature, number>>

/** How far ahead in score, beside the next of another context, nothing more is to be gained. */
const FAR_AHEAD = 6
const MOST_AGREEING = 3
/** That a question is in other words is to its credit only as far as there is something to read. */
const ENOUGH_SAID = 10
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
    clause: aheadInOneClause(found, lead) * (1 - pool.inOtherWords),
    meaning: lead.features.meaning,
    margin: Math.min(1, Math.max(0, lead.score - (rival?.score ?? 0)) / FAR_AHEAD),
    agreement: Math.min(MOST_AGREEING, agreeing.length) / MOST_AGREEING,
    other_words: pool.inOtherWords * Math.min(1, pool.query.terms.length / ENOUGH_SAID),
    unknown: shareOf(pool.query.terms, pool.weight, isUnheardIn(pool.retrieved)),
    unsaid: names.filter((stem) => !says(stem)).length / Math.max(1, names.length),
    unnamed: things.some((thing) => !thing.some(says)) ? 1 : 0,
    lacking: lacksWhatIsAsked(pool.query, [...told].map(({ text }) => text).join('\n'), lead.memory.text)
      ? 1
      : 0,
    doubt: doubts.length > 0 ? 1 : 0,
    // What has expired is relied on no more than what is stale.
    stale: standing.slice(0, TOLD).some(({ memory }) => memory.trust.status !== 'current') ? 1 : 0,
  }
}

/**
 * 0..1: how much more the lead holds of one clause than of all: the others tell the story around what is asked. A clause
 * that the graph has never heard of is no part of it, so that nothing that is added to a task raises its confidence.
 */
function aheadInOneClause({ pool }: Found, lead: Evidence): number {
  const { query, weight } = pool
  const isUnheard = isUnheardIn(pool.retrieved)
  const counts = pool.entries.find(({ memory }) => memory === lead.memory)?.counts
  const held = (terms: readonly string[]) => shareOf(terms, weight, (term) => counts?.has(term) === true)
  const story = query.clauses.filter((clause) => !clause.every(isUnheard))
  return Math.max(0, Math.max(...query.clauses.map(held)) - held([...new Set(story.flat())]))
}

/** 0..1: the share of the terms, by weight, of which something holds. */
function shareOf(
  terms: readonly string[],
  weight: (term: string) => number,
  holds: (term: string) => boolean,
): number {
  return sum(terms.filter(holds).map(weight)) / Math.max(EPSILON, sum(terms.map(weight)))
}

export interface CalibrationModel {
  readonly bias: number
  readonly weights: ConfidenceFeatures
  readonly high: number
  readonly medium: number
}
