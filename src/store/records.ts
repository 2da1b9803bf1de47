import type { Erased, MemoryId } from '../domain/model.js'

export type { EventRecord, Recorded, Sighted } from '../domain/events/recording.js'

/** What an erasure takes: as it is answered, and which memories; a store may leave `ids` empty when everything goes. */
export interface Plan {
  readonly erased: Erased
  readonly ids: ReadonlySet<MemoryId>
}

/** A memory that a search found, by its number in the index of the store. */
export interface Hit {
  readonly document: number
  readonly score: number
  /** The terms of the query that it holds. */
  readonly matched: readonly string[]
}
