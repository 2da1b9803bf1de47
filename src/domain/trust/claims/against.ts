import type { MemoryId } from '../../model.js'
import { stands } from './claims.js'
import { lastStated } from './rank.js'
import type { Claim } from './types.js'

/** A record that contradicts a context and bore on none of its memories. */
export interface AgainstContext {
  readonly claim: MemoryId
  readonly place: number
}

/**
 * The records against the context of a memory that are later than its last statement and stand still. Whether memory
 * and record may speak of the same thing is for the caller to judge.
 */
export function recordsAgainst(
  memory: Claim,
  records: Iterable<AgainstContext>,
  get: (id: MemoryId) => Claim | undefined,
): MemoryId[] {
  const last = lastStated(memory)
  const found = new Set<MemoryId>()
  for (const { claim, place } of records)
    if (claim !== memory.id && place > last && stands(get(claim))) found.add(claim)
  return [...found]
}
