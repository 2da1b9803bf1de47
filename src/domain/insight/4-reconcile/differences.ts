import { differInOne, readPayload } from '../../judgement/judgement.js'
import type { Memory } from '../../model.js'
import { rankOf } from '../../trust/claims/rank.js'
import { BEHIND, type Evidence } from './reconcile.js'

/**
 * The evidence where others of its context say the same as the strongest memory but for one thing, and none was recorded
 * as a contradiction, which people forget: the latest of them comes first, if its source is trusted as much, and the
 * others behind it. Whether they still hold is left open.
 */
export function withDifferences(evidence: readonly Evidence[]): readonly Evidence[] {
  const lead = evidence.find(({ stands }) => stands)
  if (lead === undefined || !isOpen(lead)) return evidence
  const reading = readPayload(lead.memory.payload)
  const alike = evidence.filter(
    (item) =>
      item !== lead &&
      isOpen(item) &&
      item.memory.contextId === lead.memory.contextId &&
      differInOne(reading, readPayload(item.memory.payload)),
  )
  if (alike.length === 0) return evidence
  const [first = lead, ...others] = [lead, ...alike].sort((a, b) => compare(a.memory, b.memory))
  const behind = others.map(
    (item): Evidence => ({
      ...item,
      relevance: Math.max(item.relevance, BEHIND * lead.relevance),
      differs: isLater(item.memory, first.memory) ? 'later' : 'earlier',
    }),
  )
  return evidence.flatMap((item) => {
    if (item === lead) return [{ ...first, relevance: lead.relevance }, ...behind]
    return alike.includes(item) ? [] : [item]
  })
}

/** Nothing is said of it yet. */
function isOpen({ stands, contested, memory: { trust } }: Evidence): boolean {
  return stands && contested !== true && trust.status === 'current' && trust.disputedBy.length === 0
}

/** The most trusted first, and of those the one that was stated last. */
function compare(one: Memory, other: Memory): number {
  return rankOf(other.source) - rankOf(one.source) || (isLater(one, other) ? -1 : 1)
}

function isLater(one: Memory, other: Memory): boolean {
  const [own, others] = [one.trust.lastStatedAt, other.trust.lastStatedAt]
  return own === others ? one.seq > other.seq : own > others
}
