import { addedTo, decidedAs } from '../../../domain/events/recording.js'
import type { MemoryId, Source } from '../../../domain/model.js'
import { type Decisions, NOTHING_DECIDED } from '../../../domain/trust/claims/types.js'
import type { EventRecord, Recorded, Sighted } from '../../records.js'
import type { Group } from './frame.js'
import { type GraphRecord, isEvent, type Rewritten } from './records.js'

/**
 * A record as it is written: what can be told from the rest of it is left out. In format 1 no event has a place or
 * decisions, and a sighting has neither a source nor an `occurredAt`.
 */
export type StoredRecord = Compact<Recorded> | Compact<Sighted, 'source'> | Rewritten

type Compact<R extends EventRecord, K extends keyof R = never> = Omit<
  R,
  K | 'place' | 'occurredAt' | 'decisions'
> &
  Partial<Pick<R, K>> & {
    /** Absent when it is `seq`. */
    readonly place?: number
    /** Absent when it is `recordedAt`. */
    readonly occurredAt?: string
    /** Empty lists are left out. */
    readonly decisions?: Partial<Decisions>
  }

/** What is written in one go, as it is written. */
export function toStored({ records, ...rest }: Group<GraphRecord>): Group<StoredRecord> {
  return { ...rest, records: records.map(compacted) }
}

function compacted(record: GraphRecord): StoredRecord {
  if (!isEvent(record)) return record
  const { place, occurredAt, decisions, ...rest } = record
  return {
    ...rest,
    ...(place !== record.seq && { place }),
    ...(occurredAt !== record.recordedAt && { occurredAt }),
    ...(decisions !== undefined && { decisions: filled(decisions) }),
  }
}

function filled(decisions: Decisions): Partial<Decisions> {
  const lists = Object.entries(decisions).filter(([, list]: [string, readonly unknown[]]) => list.length > 0)
  return Object.fromEntries(lists)
}

/** The record that was written; `firstSource` gives the source by which a memory was first stated. */
export function fromStored(stored: StoredRecord, firstSource: (id: MemoryId) => Source): GraphRecord {
  if (stored.op === 'rewritten') return stored
  if (stored.op === 'recorded' && stored.decisions === undefined) return undecided(stored)
  const { decisions, ...rest } = stored
  const { place = stored.seq, occurredAt = stored.recordedAt } = stored
  const record: EventRecord =
    rest.op === 'recorded'
      ? { ...rest, place, occurredAt }
      : { ...rest, place, occurredAt, source: rest.source ?? firstSource(rest.id) }
  return decisions === undefined ? record : decidedAs(record, { ...NOTHING_DECIDED, ...decisions })
}

/**
 * Field by field: most of opening a graph is this, and with a spread, which gives objects of many shapes, opening takes half
 * as long again.
 */
function undecided(stored: Compact<Recorded>): Recorded {
  const { op, id, context, kind, payload, seq, source, links, recordedAt } = stored
  const { place = seq, occurredAt = recordedAt } = stored
  const record = { op, id, context, kind, payload, seq, place, source, links, occurredAt, recordedAt }
  // The compiler refuses this when a record has a field that is not copied here.
  record satisfies Record<Exclude<keyof Recorded, 'decisions' | 'validUntil' | 'recordedBy'>, unknown>
  const { validUntil, recordedBy } = stored
  if (validUntil !== undefined) return { ...record, ...addedTo(stored) }
  if (recordedBy === undefined) return record
  return { op, id, context, kind, payload, seq, place, source, links, occurredAt, recordedAt, recordedBy }
}

/** Was it written in format 1? Of what says the same in both formats, the answer is no. */
export function isOfFormat1(record: StoredRecord): boolean {
  if (record.op === 'rewritten') return false
  if (record.op === 'sighted' && record.source === undefined) return true
  return record.links.length > 0 && record.decisions === undefined
}
