import type { Memory } from '../../model.js'
import { likeness } from '../../trust/likeness.js'
import { priorOf, SAME_SUBJECT } from '../../trust/trust.js'
import type { Entry } from '../1-analyse/entry.js'
import type { Pool } from '../2-retrieve/pool.js'

/**
 * Of two sides that disagree with nothing to settle it, the older is overtaken once a later memory, by itself trusted no
 * less than it, reinforces the newer and speaks of the same thing. Its trust stays as it is: it is only not relied on.
 */
export function isOvertaken({ trust, source }: Memory, { entries, weight }: Pool): boolean {
  if (trust.status !== 'current') return false
  const confirms = (witness: Entry, newer: Entry) =>
    witness.memory.seq > newer.memory.seq &&
    priorOf(witness.memory.source) >= priorOf(source) &&
    agrees(witness.memory, newer.memory) &&
    (likeness(witness.telling, [newer.telling], weight)[0] ?? 0) >= SAME_SUBJECT
  return entries
    .filter(({ memory }) => trust.disputedBy.includes(memory.memoryId) && isUncontested(memory))
    .some((newer) => entries.some((witness) => confirms(witness, newer)))
}

function isUncontested({ trust }: Memory): boolean {
  return trust.status === 'current' && trust.disputedBy.length === 0
}

/** Was one recorded to reinforce the other, or the context it is in? */
export function agrees({ links }: Memory, { contextId, memoryId }: Memory): boolean {
  return links.some(
    ({ kind, target }) => kind === 'reinforcement' && (target === contextId || target === memoryId),
  )
}
