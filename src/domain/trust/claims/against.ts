import type { MemoryId } from '../../model.js'
import { stands } from './claims.js'
import { lastStated } from './rank.js'
import type { Claim } from './types.js'

/** A record that contradicts a context as a whole; no single memory could be identified. */
export interface AgainstContext {
  readonly claim: MemoryId
  readonly place: number
  /** The memories that it is likeliest to speak of; absent where an earlier version decided. */
  readonly near?: readonly MemoryId[]
}

/**
 * The records against the context of a memory that are later than its last statement and still stand. The caller judges
 * whether memory and record may speak of the same thing.
 */
export function recordsAgainst(
  memory: Claim,
  records: Iterable<AgainstContext>,
  get: (id: MemoryId) => Claim | undefined,
): MemoryId[] {
  const last = lastStated(memory)
  const found = new Set<MemoryId>()
  for (const { claim, place, near } of records)
    if (claim !== memory.id && (near?.includes(memory.id) ?? true) && place > last && stands(get(claim)))
      found.add(claim)
  return [...found]
}
