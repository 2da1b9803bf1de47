import { differInOne, readPayload } from '../../judgement/judgement.js'
import type { Memory } from '../../model.js'
import { rankOf } from '../../trust/claims/rank.js'
import { type Ranked, worthwhile } from '../3-rank/rank.js'
import { BEHIND, type Evidence } from './reconcile.js'

/** However few may be told, so many of the best are looked at. */
const LOOKED_AT = 10

/**
 * The evidence where others of its context say the same as the strongest memory but for one thing, and none was recorded
 * as a contradiction, which people forget: the latest of them comes first, if its source is trusted as much, and the
 * others behind it, as far as there is room for them. Whether they still hold is left open.
 */
export function withDifferences(
  evidence: readonly Evidence[],
  ranked: readonly Ranked[],
): readonly Evidence[] {
  const lead = evidence.find(({ stands }) => stands)
  if (lead === undefined || !isOpen(lead)) return evidence
  const { contextId } = lead.memory
  const others = [...evidence, ...leftOut(evidence, ranked)].filter(
    (item) => item !== lead && item.memory.contextId === contextId && isOpen(item),
  )
  if (others.length === 0) return evidence
  const reading = readPayload(lead.memory.payload)
  const alike = others.filter(({ memory }) => differInOne(reading, readPayload(memory.payload)))
  if (alike.length === 0) return evidence
  const [first = lead, ...rest] = [lead, ...alike].sort((a, b) => compare(a.memory, b.memory))
  const behind = rest
    // Who is left out takes the place of the lead at most.
    .filter((item) => (item === lead ? evidence.includes(first) : evidence.includes(item)))
    .map(
      (item): Evidence => ({
        ...item,
        relevance: Math.max(item.relevance, BEHIND * lead.relevance),
        differs: isLater(item.memory, first.memory) ? 'later' : 'earlier',
      }),
    )
  return evidence.flatMap((item) => {
    if (item === lead) return [{ ...first, relevance: lead.relevance, hasRival: true }, ...behind]
    return alike.includes(item) ? [] : [item]
  })
}

function leftOut(evidence: readonly Evidence[], ranked: readonly Ranked[]): readonly Evidence[] {
  const known = new Set(evidence.map(({ memory }) => memory.memoryId))
  return worthwhile(ranked, LOOKED_AT)
    .filter(({ memory }) => !known.has(memory.memoryId))
    .map((item) => ({
      ...item,
      role: 'supports',
      relevance: 0,
      stands: item.memory.trust.status !== 'superseded',
    }))
}

/** What is longer hardly ever says one thing as another does, and takes long to read. */
export const LONGEST_COMPARED = 1_000

/** Nothing is said of it yet. */
function isOpen({ stands, contestedBy, memory: { trust, text } }: Evidence): boolean {
  const isUndisputed = stands && contestedBy === undefined && trust.disputedBy.length === 0
  return isUndisputed && trust.status === 'current' && text.length <= LONGEST_COMPARED
}

/** The most trusted first, and of those the one that was stated last. */
function compare(one: Memory, other: Memory): number {
  return rankOf(other.source) - rankOf(one.source) || (isLater(one, other) ? -1 : 1)
}

function isLater(one: Memory, other: Memory): boolean {
  const [own, others] = [one.trust.lastStatedAt, other.trust.lastStatedAt]
  return own === others ? one.seq > other.seq : own > others
}
