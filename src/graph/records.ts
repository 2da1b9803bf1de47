import type { EventRecord } from '../domain/events/recording.js'

import type { Erased as ErasedCounts, MemoryId, Receipt } from '../domain/model.js'

export type { EventRecord, Recorded, Sighted } from '../domain/events/recording.js'

/** What an erasure removes: the counts of its answer, and the memories; `ids` may be empty when everything is erased. */
export interface Plan {
  readonly erased: ErasedCounts
  readonly ids: ReadonlySet<MemoryId>
}

/** Something that happened to a graph. A graph consists of nothing but its records in order of `seq`. */
export type GraphRecord = EventRecord | Rewritten | Erased

/**
 * Ends the records that an import wrote. Stores the last id and the last place that were given out, so that none is given
 * twice, and makes an empty graph exist.
 */
export interface Rewritten {
  readonly op: 'rewritten'
  readonly seq: number
  readonly lastId?: MemoryId
  readonly lastPlace?: number
  readonly recordedAt: string
  /** The keys of writes that an erasure removed in whole or in part; absent if there are none. */
  readonly spent?: readonly SpentKey[]
}

/** Memories were erased. Stores what the remaining records no longer show. */
export interface Erased extends Omit<Rewritten, 'op'> {
  readonly op: 'erased'
  /** The positions of the removed records, as ranges: the first and the last of each. */
  readonly removed: readonly (readonly [number, number])[]
}

/** An Idempotency-Key whose write was erased. Contains nothing of what was written. */
export type SpentKey = Pick<KeptAnswer, 'key' | 'at'>

/** The answer to a write with an Idempotency-Key, stored with its records. Contains nothing of what was written. */
export interface KeptAnswer extends Idempotency {
  /** When it was given, by the clock. */
  readonly at: string
  /** Absent while the receipts can be computed by applying the records of the same entry. */
  readonly receipts?: readonly Receipt[]
}

export function isEvent(record: GraphRecord): record is EventRecord {
  return record.op === 'recorded' || record.op === 'sighted'
}

/** Identifies a write that is to be done once: the hashes of its Idempotency-Key and of its body. */
export interface Idempotency {
  readonly key: string
  readonly body: string
}

export const IDEMPOTENCY_HOURS = 24
