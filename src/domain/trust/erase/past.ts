import type { ContextId, MemoryId } from '../../model.js'
import type { Bases } from '../claims/staleness.js'

/** What an erasure asks of the claims as they were before it. */
export interface Past extends Bases {
  /** The memories that the context held before a place, other than `except`. */
  held(contextId: ContextId, before: number, except: MemoryId): Iterable<MemoryId>
}
