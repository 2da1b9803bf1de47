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
  const { contextId } = lead.memory
  const others = evidence.filter(
    (item) => item !== lead && item.memory.contextId === contextId && isOpen(item),
  )
  if (others.length === 0) return evidence
  const reading = readPayload(lead.memory.payload)
  const alike = others.filter(({ memory }) => differInOne(reading, readPayload(memory.payload)))
  if (alike.length === 0) return evidence
  const [first = lead, ...rest] = [lead, ...alike].sort((a, b) => compare(a.memory, b.memory))
  const behind = rest.map(
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

/** What is longer is hardly ever the same as another but for one thing, and takes long to read. */
const LONGEST_COMPARED = 1_000

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
