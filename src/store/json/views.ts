import type { JsonObject, Memory, PastEvent } from '../../domain/model.js'
import { textOf } from '../../domain/text.js'
import { statusOf } from '../../domain/trust.js'
import type { EventRecord } from './records.js'
import { countUpTo, type MemoryRow } from './rows.js'
import type { Staleness } from './staleness.js'
import { standingOf } from './standing.js'

/** A memory as it is given out. */
export function toMemory(row: MemoryRow, staleness: Staleness): Memory {
  const payload = payloadOf(row)
  const standing = standingOf(row)
  const { supersededAt: _, ...trust } = standing
  return {
    memoryId: row.id,
    seq: row.seq,
    contextId: row.context.id,
    eventKind: row.kind,
    source: row.source,
    payload,
    text: textOf(payload),
    links: [...row.links],
    occurredAt: row.occurredAt,
    recordedAt: row.recordedAt,
    timesSeen: 1 + row.sightings.length,
    trust: { ...trust, status: statusOf(standing, staleness.buildsOnReplaced(row)) },
  }
}

/** An event as it was recorded; one that was recorded again says what it said the first time. */
export function toPastEvent(record: EventRecord, row: MemoryRow): PastEvent {
  return {
    memoryId: row.id,
    contextId: row.context.id,
    eventKind: row.kind,
    source: row.source,
    payload: record.op === 'recorded' ? record.payload : payloadOf(row),
    links: record.links,
    occurredAt: row.occurredAt,
    recordedAt: record.recordedAt,
    timesSeen: 1 + countUpTo(row.sightings, record.seq, (seq) => seq),
  }
}

export function payloadOf(row: MemoryRow): JsonObject {
  // The store wrote this text itself, from a JSON object.
  return JSON.parse(row.payload) as JsonObject
}
