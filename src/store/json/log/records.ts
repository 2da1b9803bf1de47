import type { MemoryId, Receipt } from '../../../domain/model.js'
import type { EventRecord } from '../../records.js'
import type { Idempotency } from '../../store.js'

/** What happened to a graph, one entry at a time. A graph is nothing but its records in order of `seq`. */
export type GraphRecord = EventRecord | Rewritten

/**
 * The records before it were written in one go, by an erasure or an import. It keeps what they may no longer tell: the
 * last id and the last place that were given out, so that none is given twice, and that the graph is there though it may
 * hold nothing.
 */
export interface Rewritten {
  readonly op: 'rewritten'
  readonly seq: number
  readonly lastId?: MemoryId
  /** Absent in format 1. */
  readonly lastPlace?: number
  readonly recordedAt: string
  /** The keys of writes of which something was erased; absent if there are none. */
  readonly spent?: readonly SpentKey[]
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
  return record.op !== 'rewritten'
}
