import { likeness } from '../likeness.js'
import type { Memory } from '../model.js'
import { priorOf, SAME_SUBJECT } from '../trust.js'
import { agrees } from './agreement.js'
import type { Entry } from './entry.js'
import type { Pool } from './pool.js'

/**
 * Of two sides that disagree with nothing to settle it, the older is overtaken once a later memory, by itself trusted no
 * less than it, reinforces the newer and speaks of the same thing. Its trust stays as it is: it is only not relied on.
 */
export function overtaken({ entries, weight }: Pool): ReadonlySet<Memory> {
  const entryOf = new Map(entries.map((entry) => [entry.memory.memoryId, entry]))
  const confirms = (witness: Entry, newer: Entry) =>
    witness.memory.seq > newer.memory.seq &&
    agrees(witness.memory, newer.memory) &&
    (likeness(witness.telling, [newer.telling], weight)[0] ?? 0) >= SAME_SUBJECT
  const isOvertaken = ({ trust, source }: Memory) =>
    trust.status === 'current' &&
    trust.disputedBy.some((id) => {
      const newer = entryOf.get(id)
      return (
        newer !== undefined &&
        isUncontested(newer.memory) &&
        entries.some(
          (witness) => priorOf(witness.memory.source) >= priorOf(source) && confirms(witness, newer),
        )
      )
    })
  return new Set(entries.map(({ memory }) => memory).filter(isOvertaken))
}

function isUncontested({ trust }: Memory): boolean {
  return trust.status === 'current' && trust.disputedBy.length === 0
}
