import { addedTo, decidedAs } from '../domain/events/recording.js'
import { type Decisions, NOTHING_DECIDED } from '../domain/trust/claims/types.js'
import type {
  Erased,
  EventRecord,
  GraphRecord,
  KeptAnswer,
  Recorded,
  Rewritten,
  Sighted,
} from '../graph/records.js'
import { isEvent } from '../graph/records.js'

/** Records that were written to a graph atomically. */
export interface Entry {
  /** The position of its first record when it was written. */
  readonly position: number
  /** The number of positions: the number of its records before any erasure, at least one. */
  readonly count: number
  /** In order of `seq`, which is the position of each. */
  readonly records: readonly GraphRecord[]
  /** The answer to a write with an Idempotency-Key. */
  readonly once?: KeptAnswer
}

export function lastPositionOf({ position, count }: Entry): number {
  return position + count - 1
}

/** The stored form of an entry, without its position and count. */
export interface StoredEntry {
  readonly records: readonly StoredRecord[]
  readonly once?: KeptAnswer
}

/** The stored form of a record, without values that follow from others. */
export type StoredRecord = Compact<Recorded> | Compact<Sighted> | Rewritten | Erased

type Compact<R extends EventRecord> = Omit<R, 'place' | 'occurredAt' | 'decisions'> & {
  /** Absent if equal to `seq`. */
  readonly place?: number
  /** Absent if equal to `recordedAt`. */
  readonly occurredAt?: string
  /** Empty lists are left out. */
  readonly decisions?: Partial<Decisions>
}

export function toStored({ records, once }: Pick<Entry, 'records' | 'once'>): StoredEntry {
  return { records: records.map(toStoredRecord), ...(once !== undefined && { once }) }
}

export function toEntry(position: number, count: number, { records, once }: StoredEntry): Entry {
  const restored = records.map(fromStored)
  return { position, count, records: restored, ...(once !== undefined && { once }) }
}

/** A newer version of the program wrote a kind of record that this one does not know. */
export class UnknownRecord extends Error {
  constructor(op: unknown) {
    super(`There is a record of an unknown kind: ${String(op)}.`)
    this.name = 'UnknownRecord'
  }
}

function toStoredRecord(record: GraphRecord): StoredRecord {
  if (!isEvent(record)) return record
  const { place, occurredAt, decisions, ...rest } = record
  return {
    ...rest,
    ...(place !== record.seq && { place }),
    ...(occurredAt !== record.recordedAt && { occurredAt }),
    ...(decisions !== undefined && { decisions: withoutEmptyLists(decisions) }),
  }
}

function withoutEmptyLists(decisions: Decisions): Partial<Decisions> {
  const lists = Object.entries(decisions).filter(([, list]: [string, readonly unknown[]]) => list.length > 0)
  return Object.fromEntries(lists)
}

function fromStored(stored: StoredRecord): GraphRecord {
  if (stored.op === 'recorded')
    return stored.decisions === undefined ? fromUndecided(stored) : fromCompact(stored)
  if (stored.op === 'sighted') return fromCompact(stored)
  if (stored.op === 'rewritten' || stored.op === 'erased') return stored
  throw new UnknownRecord((stored satisfies never as { op: unknown }).op)
}

function fromCompact({ decisions, ...stored }: Compact<Recorded> | Compact<Sighted>): EventRecord {
  const { place = stored.seq, occurredAt = stored.recordedAt } = stored
  const record: EventRecord = { ...stored, place, occurredAt }
  return decisions === undefined ? record : decidedAs(record, { ...NOTHING_DECIDED, ...decisions })
}

/**
 * Copies field by field, since this dominates the time to open a graph: a spread creates objects of many shapes, which makes
 * opening 50 % slower.
 */
function fromUndecided(stored: Compact<Recorded>): Recorded {
  const { op, id, context, kind, payload, seq, source, links, recordedAt } = stored
  const { place = seq, occurredAt = recordedAt } = stored
  const record = { op, id, context, kind, payload, seq, place, source, links, occurredAt, recordedAt }
  // The compiler refuses this when a record has a field that is not copied here.
  record satisfies Record<
    Exclude<keyof Recorded, 'decisions' | 'validFrom' | 'validUntil' | 'recordedBy'>,
    unknown
  >
  const { validFrom, validUntil, recordedBy } = stored
  if (validFrom !== undefined || validUntil !== undefined) return { ...record, ...addedTo(stored) }
  if (recordedBy === undefined) return record
  return { op, id, context, kind, payload, seq, place, source, links, occurredAt, recordedAt, recordedBy }
}
