import type { EventRecord } from '../domain/events/recording.js'

import type { Erased as ErasedCounts, MemoryId, Receipt } from '../domain/model.js'

export type { EventRecord, Recorded, Sighted } from '../domain/events/recording.js'

/** What an erasure takes: as it is answered, and which memories; a store may leave `ids` empty when everything goes. */
export interface Plan {
  readonly erased: ErasedCounts
  readonly ids: ReadonlySet<MemoryId>
}

/** A memory that a search found, by its number in the index of the store. */
export interface Hit {
  readonly document: number
  readonly score: number
  /** The terms of the query that it holds. */
  readonly matched: readonly string[]
}

/** What happened to a graph, one entry at a time. A graph is nothing but its records in order of `seq`. */
export type GraphRecord = EventRecord | Rewritten | Erased

/**
 * The records before it were written in one go, by an import. It keeps what they need not say: the last id and the last
 * sequence number that were given out, so that none is given twice, and that the graph exists though it may hold nothing.
 */
export interface Rewritten {
  readonly op: 'rewritten'
  readonly seq: number
  readonly lastId?: MemoryId
  readonly lastPlace?: number
  readonly recordedAt: string
  /** Keys of writes of which something was erased; absent if there are none. */
  readonly spent?: readonly SpentKey[]
}

/** Memories were erased: which records went, and what those that are left no longer say. */
export interface Erased extends Omit<Rewritten, 'op'> {
  readonly op: 'erased'
  /** The positions of the records that went, as ranges: the first and the last of each. */
  readonly removed: readonly (readonly [number, number])[]
}

/** An Idempotency-Key that gets no answer any more. It says nothing of what was written. */
export type SpentKey = Pick<KeptAnswer, 'key' | 'at'>

/** The answer to a write that is done once, kept with its records. It says nothing of what was written. */
export interface KeptAnswer extends Idempotency {
  /** When it was given, by the clock. */
  readonly at: string
  /** Absent while they follow from the records beside it: those of all of them, each as it was applied. */
  readonly receipts?: readonly Receipt[]
}

export function isEvent(record: GraphRecord): record is EventRecord {
  return record.op === 'recorded' || record.op === 'sighted'
}

/** Names a write, so that it is done once: `key` says which one, `body` what it wrote, both as hashes. */
export interface Idempotency {
  readonly key: string
  readonly body: string
}

export const IDEMPOTENCY_HOURS = 24
