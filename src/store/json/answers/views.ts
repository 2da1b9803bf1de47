import { addedTo, decisionsOf, type PastEvent } from '../../../domain/events/recording.js'
import type { Said } from '../../../domain/events/same-event.js'
import type { JsonObject, Memory, MemoryId } from '../../../domain/model.js'
import { byCodeUnit } from '../../../domain/names.js'
import { textOf } from '../../../domain/text.js'
import type { MemoKind, TextCache } from '../../../domain/text-cache.js'
import { isExpired } from '../../../domain/time.js'
import { assess } from '../../../domain/trust/claims/assess.js'
import { isStale } from '../../../domain/trust/claims/staleness.js'
import { type ClaimsThen, countUpTo } from '../../../domain/trust/history.js'
import type { EventRecord } from '../../records.js'
import { claimOf } from '../rows/claim-of.js'
import { countThen, type Moment } from '../rows/moment.js'
import type { MemoryRow } from '../rows/rows.js'

/** What memories that are given out together have in common. */
export interface Look {
  readonly claims: ClaimsThen
  readonly texts: TextCache
  readonly moment: Moment
  /** When the latest statement of the graph was recorded. */
  readonly statedAt: string
}

/** A memory as it is given out. */
export function toMemory(row: MemoryRow, { claims, texts, moment, statedAt }: Look): Memory {
  const { payload, text } = contentOf(row, texts)
  const claim = claims.get(row.id) ?? claimOf(row)
  const next = row.sightings[countThen(row.sightings, moment)]
  const validUntil = next === undefined ? row.validUntil : next.validBefore
  const trust = assess(claim, isStale(row.id, claims), isExpired(validUntil, statedAt))
  return {
    memoryId: row.id,
    seq: row.place,
    contextId: row.context.id,
    eventKind: row.kind,
    source: trust.source,
    payload,
    text,
    links: row.links.slice(0, next?.linksBefore),
    occurredAt: next?.occurredBefore ?? row.occurredAt,
    recordedAt: row.recordedAt,
    ...(validUntil !== undefined && { validUntil }),
    ...(row.recordedBy !== undefined && { recordedBy: row.recordedBy }),
    timesSeen: trust.timesSeen,
    // Written out: this is done for some hundred memories in each question.
    trust: {
      status: trust.status,
      confidence: trust.confidence,
      supersededBy: inOrder(trust.supersededBy),
      lastStatedAt: trust.lastStatedAt,
      agreement: trust.agreement,
      supersedes: inOrder(claims.supersedes(row.id)),
      disputedBy: inOrder(claims.opponents(row.id)),
    },
  }
}

const NONE: readonly MemoryId[] = []

function inOrder(ids: Iterable<MemoryId>): readonly MemoryId[] {
  const list = [...ids]
  return list.length === 0 ? NONE : list.sort(byCodeUnit)
}

/** An event as it was recorded. */
export function toPastEvent(record: EventRecord, row: MemoryRow): PastEvent {
  return {
    memoryId: row.id,
    contextId: row.context.id,
    eventKind: row.kind,
    source: record.source,
    payload: record.op === 'recorded' ? record.payload : payloadOf(row),
    links: record.links,
    occurredAt: record.occurredAt,
    recordedAt: record.recordedAt,
    timesSeen: 1 + countUpTo(row.sightings, record.place),
    ...addedTo(record),
    place: record.place,
    decisions: decisionsOf(record),
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
