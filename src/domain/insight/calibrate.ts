import type { Memory } from '../model.js'
import { inverseDocumentFrequency } from '../ranking.js'
import { CALIBRATION } from './calibration.js'
import type { Found } from './find.js'
import type { Evidence } from './reconcile.js'
import { sum } from './sum.js'
import { counted } from './words.js'

export type ConfidenceLevel = 'high' | 'medium' | 'low'

export interface Calibration {
  /** 0..1 */
  readonly score: number
  readonly level: ConfidenceLevel
  /** Why, in words. */
  readonly reasons: readonly string[]
}

/** What confidence rests on, in the order of the weights. */
export const SIGNS = [
  'coverage',
  'clause',
  'meaning',
  'together',
  'unknown',
  'rarest',
  'strength',
  'margin',
  'company',
  'support',
  'off_subject',
  'agreement',
  'disputed',
  'stale',
] as const
export type Signs = Readonly<Record<(typeof SIGNS)[number], number>>

export interface CalibrationModel {
  readonly bias: number
  readonly weights: Signs
  readonly high: number
  readonly medium: number
}

/** How far the evidence can be relied on: a fitted score, and what it rests on in words. */
export function calibrate(found: Found, evidence: readonly Evidence[], model = CALIBRATION): Calibration {
  const lead = evidence.find(({ memory }) => memory.trust.status !== 'superseded')
  if (lead === undefined)
    return { score: 0, level: 'low', reasons: ['Nothing that still stands bears on the task.'] }
  const signs = signsOf(found, evidence, lead)
  const score = round(scoreOf(signs, model))
  const level = score >= model.high ? 'high' : score >= model.medium ? 'medium' : 'low'
  const settled = signs.disputed === 0 && signs.stale === 0
  return {
    score,
    level: level === 'high' && !settled ? 'medium' : level,
    reasons: reasonsFor(found, evidence, lead),
  }
}

export function scoreOf(signs: Signs, { bias, weights }: CalibrationModel): number {
  return 1 / (1 + Math.exp(-bias - sum(SIGNS.map((sign) => signs[sign] * weights[sign]))))
}

export function signsOf({ pool, ranked }: Found, evidence: readonly Evidence[], lead: Evidence): Signs {
  const { query, weight, entries } = pool
  const standing = evidence.filter(({ memory }) => memory.trust.status !== 'superseded')
  const held = new Set(
    entries
      .filter(({ memory }) => standing.slice(0, 3).some((item) => item.memory === memory))
      .flatMap(({ counts }) => [...counts.keys()]),
  )
  const whole = Math.max(1e-9, sum(query.terms.map(weight)))
  const share = (counts: (term: string) => boolean) => sum(query.terms.filter(counts).map(weight)) / whole
  const unknownWeight = inverseDocumentFrequency(pool.retrieved.memoryCount, 0)
  const rarest = [...query.terms].sort((a, b) => weight(b) - weight(a)).slice(0, 3)
  const next = ranked.find(({ memory }) => isRival(memory, lead.memory))?.score ?? 0
  const unknown = share((term) => (pool.retrieved.idf.get(term) ?? 0) >= unknownWeight)
  return {
    coverage: lead.features.coverage,
    clause: lead.features.clause,
    meaning: lead.features.alike + lead.features.kin,
    together: share((term) => held.has(term)),
    unknown,
    rarest: rarest.length === 0 ? 0 : rarest.filter((term) => held.has(term)).length / rarest.length,
    strength: Math.min(3, lead.score) / 3,
    // Standing out says little when the graph has never heard of what was asked.
    margin: ((1 - unknown) * Math.max(0, lead.score - next)) / Math.max(1e-9, lead.score),
    company: lead.features.company,
    support: Math.min(3, sum(standing.slice(0, 5).map(({ features }) => features.coverage))) / 3,
    off_subject: lead.features.off_subject,
    agreement: Math.min(4, Math.max(...standing.slice(0, 3).map(({ memory }) => memory.trust.agreement))) / 4,
    disputed: standing.some(isDisputed) ? 1 : 0,
    stale: standing.slice(0, 3).some(({ memory }) => memory.trust.status === 'stale') ? 1 : 0,
  }
}

function isDisputed({ memory, role }: Evidence): boolean {
  return memory.trust.disputedBy.length > 0 || role === 'contradicts'
}

/** Is it about something else? What agrees with the lead is no rival to it. */
function isRival({ contextId, links }: Memory, lead: Memory): boolean {
  return (
    contextId !== lead.contextId &&
    !links.some(
      ({ kind, target }) =>
        kind === 'reinforcement' && (target === lead.contextId || target === lead.memoryId),
    )
  )
}

const DAY = 86_400_000

function reasonsFor(
  { pool }: Found,
  evidence: readonly Evidence[],
  { memory, features }: Evidence,
): string[] {
  const { trust, source, occurredAt } = memory
  const of = (role: Evidence['role']) => evidence.filter((item) => item.role === role).length
  const days = Math.floor((Date.parse(pool.retrieved.newestAt) - Date.parse(occurredAt)) / DAY)
  return [
    `The strongest memory holds ${Math.round(100 * features.coverage)} % of the task's words, by weight.`,
    `It comes from a source of kind ${source}; its confidence is ${trust.confidence.toFixed(2)}.`,
    ...(trust.agreement > 0
      ? [`${counted(trust.agreement, 'later record agrees', 'later records agree')} with it.`]
      : []),
    ...(of('extends') > 0
      ? [`${counted(of('extends'), 'memory builds', 'memories build')} on what it says.`]
      : []),
    ...(of('superseded') > 0
      ? [`${counted(of('superseded'), 'memory was', 'memories were')} replaced and not relied on.`]
      : []),
    ...(of('contradicts') > 0
      ? [
          `${counted(of('contradicts'), 'memory disagrees', 'memories disagree')}, and nothing has settled which is right.`,
        ]
      : []),
    ...(trust.status === 'stale' ? ['It builds on something that has been replaced since.'] : []),
    ...(days >= 60 ? [`It is ${Math.round(days / 30)} months older than the graph's newest memory.`] : []),
    ...(features.off_subject === 1 ? ['The task names a context that this memory is not in.'] : []),
  ]
}

function round(x: number): number {
  return Math.round(x * 10_000) / 10_000
}
