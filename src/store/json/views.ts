import type { JsonObject, Memory } from '../../domain/model.js'
import { textOf } from '../../domain/text.js'
import { statusOf } from '../../domain/trust.js'
import type { MemoryRow } from './rows.js'
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

export function payloadOf(row: MemoryRow): JsonObject {
  // The store wrote this text itself, from a JSON object.
  return JSON.parse(row.payload) as JsonObject
}
