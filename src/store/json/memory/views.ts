import type { PastEvent } from '../../../domain/events/recording.js'
import type { Said } from '../../../domain/events/same-event.js'
import type { JsonObject, Memory } from '../../../domain/model.js'
import { textOf } from '../../../domain/text.js'
import type { MemoKind, TextCache } from '../../../domain/text-cache.js'
import { statusOf } from '../../../domain/trust/trust.js'
import type { EventRecord } from '../../records.js'
import { assessmentOf } from './assessment.js'
import { countUpTo, type MemoryRow } from './rows.js'
import type { Staleness } from './staleness.js'

/** A memory as it is given out. */
export function toMemory(row: MemoryRow, staleness: Staleness, texts: TextCache): Memory {
  const { payload, text } = contentOf(row, texts)
  const assessment = assessmentOf(row)
  const { confidence, supersededBy, disputedBy, agreement } = assessment
  const status = statusOf(assessment, staleness.buildsOnReplaced(row))
  return {
    memoryId: row.id,
    seq: row.seq,
    contextId: row.context.id,
    eventKind: row.kind,
    source: row.source,
    payload,
    text,
    links: [...row.links],
    occurredAt: row.occurredAt,
    recordedAt: row.recordedAt,
    timesSeen: 1 + row.sightings.length,
    trust: { confidence, supersededBy, disputedBy, agreement, status },
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

export function saidBy(row: MemoryRow): Said {
  return { contextId: row.context.id, eventKind: row.kind, payload: payloadOf(row) }
}

function payloadOf(row: MemoryRow): JsonObject {
  // The store wrote this text itself, from a JSON object.
  return JSON.parse(row.payload) as JsonObject
}

interface Content {
  readonly payload: JsonObject
  readonly text: string
}

/** The size of a content in characters, beside its text. */
const OVERHEAD = 200
/** In characters. By payload and not by row, which would keep a whole graph from being collected. */
const CONTENTS: MemoKind<Content> = { most: 2_000_000, sizeOf: ({ text }) => text.length + OVERHEAD }

function contentOf(row: MemoryRow, texts: TextCache): Content {
  const known = texts.memo(CONTENTS)
  const before = known.get(row.payload)
  if (before !== undefined) return before
  const payload = payloadOf(row)
  const content = { payload, text: textOf(payload) }
  known.set(row.payload, content)
  return content
}
