import type { Memory } from '../model.js'
import { occursNowhere } from '../search/bm25.js'
import { rankOf } from '../trust/claims/rank.js'
import { EPSILON, sum } from './entry.js'
import type { Gathered } from './evidence.js'
import { accepts, type Candidate, chance, isBeside, isStronger } from './order.js'
import { disagree } from './reconcile.js'

export type ConfidenceLevel = 'high' | 'medium' | 'low'

/** The features of the confidence that the first line answers, in the order of the weights. */
export const CONFIDENCE_FEATURES = [
  'shown',
  'share',
  'meaning',
  'coverage',
  'unknown',
  'margin',
  'other_words',
  'remarks',
] as const
export type ConfidenceFeature = (typeof CONFIDENCE_FEATURES)[number]
export type ConfidenceFeatures = Readonly<Record<ConfidenceFeature, number>>

export interface ConfidenceModel {
  readonly bias: number
  readonly weights: ConfidenceFeatures
}

/** The least probabilities of a high and a medium answer; below `nothing`, nothing recorded answers. */
export interface Thresholds {
  readonly high: number
  readonly medium: number
  readonly nothing: number
}

/** A lead over the next context in retrieval that is larger than this counts no more. */
const FAR_AHEAD = 6

/** `lead` is the candidate of the first line, or a former memory. */
export function confidenceFeaturesOf(
  { pool, ranked }: Gathered,
  candidates: readonly Candidate[],
  lead: Candidate,
): ConfidenceFeatures {
  const { query, weight, retrieved } = pool
  const entry = pool.entries.find(({ memory }) => memory.memoryId === lead.item.memory.memoryId)
  const first = entry && pool.firsts.get(entry)
  const rival = ranked.find(({ memory }) => memory.contextId !== lead.item.memory.contextId)
  const odds = candidates.map(({ score }) => Math.exp(score - (candidates[0]?.score ?? 0)))
  const whole = Math.max(EPSILON, sum(query.terms.map(weight)))
  const isUnheard = occursNowhere(retrieved)
  return {
    shown: lead.shown ?? 0,
    share: 1 / Math.max(1, sum(odds)),
    meaning: first?.meaning ?? lead.item.features.meaning,
    coverage: first?.coverage ?? 0,
    unknown: sum(query.terms.filter(isUnheard).map(weight)) / whole,
    margin: Math.min(1, Math.max(0, lead.item.score - (rival?.score ?? 0)) / FAR_AHEAD),
    other_words: pool.inOtherWords,
    remarks: Math.min(1, lead.item.remarks.length),
  }
}

/** 0..1: the fitted probability that the first line answers, to four places. */
export function probability(features: ConfidenceFeatures, { bias, weights }: ConfidenceModel): number {
  const logit = bias + sum(CONFIDENCE_FEATURES.map((name) => features[name] * weights[name]))
  return Math.round(10_000 * chance(logit)) / 10_000
}

export function levelOf(score: number, { high, medium }: Thresholds): ConfidenceLevel {
  return score >= high ? 'high' : score >= medium ? 'medium' : 'low'
}

/** The reasons to check an answer, however well it fits. */
export const DOUBTS = {
  disputed: 'another record disputes it',
  stale: 'what it builds on was replaced',
  planned: 'it is yet to come',
  expired: 'its time is over',
  contested: 'a later record may contradict it',
  outranked: 'a stronger source speaks of the same',
  former: 'this has been changed since, and the change does not say what is asked',
  basis: 'it builds on something that is disputed',
  partly: 'a part of what it builds on has been replaced',
  unnamed: 'the graph has never heard of a thing that is asked about',
  unconfirmed: 'a single observation replaced what was known, and nothing has confirmed it',
}
export type Doubt = keyof typeof DOUBTS

/** Each of these alone keeps an answer from being high. */
export function doubtsAbout(
  { pool, evidence }: Gathered,
  candidates: readonly Candidate[],
  lead: Candidate,
): readonly Doubt[] {
  const { item, logit } = lead
  const { memory } = item
  const { status } = memory.trust
  const others = candidates.filter((other) => other.item.memory.memoryId !== memory.memoryId)
  const contesting = evidence.filter((one) => isAgainst(one.memory, lead, candidates))
  const extensions = memory.links.filter(({ kind }) => kind === 'extension')
  const known = pool.entries.map((entry) => entry.memory)
  const doubts: readonly (readonly [Doubt, boolean])[] = [
    ['disputed', isDisputedHere(memory.trust.disputedBy, others, logit)],
    ['stale', status === 'stale'],
    ['planned', status === 'planned'],
    ['expired', status === 'expired'],
    ['contested', contesting.some((one) => rankOf(one.memory.source) >= rankOf(memory.source))],
    [
      'outranked',
      memory.source === 'agent' && others.some((one) => isBeside(one, lead) && isStronger(one.item, item)),
    ],
    ['former', !item.stands],
    ['unconfirmed', isUnconfirmed(memory, others)],
    ['unnamed', pool.query.whether.some(occursNowhere(pool.retrieved))],
    [
      'partly',
      extensions.some(
        ({ target, field }) =>
          field === undefined &&
          known.some((base) => base.memoryId === target && base.trust.replaced !== undefined),
      ),
    ],
    [
      'basis',
      known.some(
        (base) =>
          base !== memory &&
          base.trust.disputedBy.length > 0 &&
          !disagree(base, memory) &&
          extensions.some(({ target }) => target === base.memoryId || target === base.contextId),
      ),
    ],
  ]
  return doubts.flatMap(([doubt, isSo]) => (isSo ? [doubt] : []))
}

/** May a later record contradict the lead: does it mean it, or does it answer, too? */
export function isAgainst(record: Memory, { item }: Candidate, candidates: readonly Candidate[]): boolean {
  return (
    item.contestedBy.includes(record.memoryId) ||
    (item.remarks.includes(record.memoryId) &&
      candidates.some((one) => one.item.memory === record && accepts(one)))
  )
}

/** Is the memory a single observation against another one? Unlike a decision or a fact, it proves no change. */
function isUnconfirmed({ memoryId, eventKind, trust }: Memory, others: readonly Candidate[]): boolean {
  if (eventKind !== 'observation' || trust.agreement > 0) return false
  return trust.supersedes.length > 0 || others.some(({ item }) => item.remarks.includes(memoryId))
}

/** A dispute counts if the other side answers, too, or if it was not read. */
function isDisputedHere(
  disputedBy: readonly string[],
  others: readonly Candidate[],
  logit: number | undefined,
): boolean {
  if (disputedBy.length === 0) return false
  if (logit === undefined) return true
  const read = others.filter(({ item }) => disputedBy.includes(item.memory.memoryId))
  return read.length === 0 || read.some(accepts)
}
