import type { ContextId, MemoryId } from '../../model.js'
import type { Bases } from '../claims/staleness.js'

/** The claims before an erasure, as far as the erasure asks for them. */
export interface Past extends Bases {
  /** The memories that the context held before a place, other than `except`. */
  held(contextId: ContextId, before: number, except: MemoryId): Iterable<MemoryId>
}
