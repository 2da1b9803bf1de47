import { addedTo, decisionsOf, type PastEvent, statementOf } from '../domain/events/recording.js'
import type { Said } from '../domain/events/same-event.js'
import type { ContextId, JsonObject, Memory, MemoryId, Receipt } from '../domain/model.js'
import { byCodeUnit } from '../domain/names.js'
import { textOf } from '../domain/text.js'
import type { MemoKind, TextCache } from '../domain/text-cache.js'
import { isExpired } from '../domain/time.js'
import { recordsAgainst } from '../domain/trust/claims/against.js'
import { assess } from '../domain/trust/claims/assess.js'
import { Changes } from '../domain/trust/claims/changes.js'
import type { Claims } from '../domain/trust/claims/claims.js'
import { isStale } from '../domain/trust/claims/staleness.js'
import { type ClaimsThen, countUpTo } from '../domain/trust/history.js'
import { effectsOf, replay } from '../domain/trust/record.js'
import type { ClaimTable } from '../domain/trust/table.js'
import type { Memories } from './memories.js'
import type { EventRecord, Recorded } from './records.js'
import { claimOf, countThen, type MemoryRow, type Moment } from './rows.js'

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
  const { context, kind } = row
  const payload = record.op === 'recorded' ? record.payload : payloadOf(row)
  return pastEventOf(
    record,
    { context: context.id, kind, payload },
    1 + countUpTo(row.sightings, record.place),
  )
}

/** The same from the record that first stated it. */
export function pastEventOf(
  record: EventRecord,
  { context, kind, payload }: Pick<Recorded, 'context' | 'kind' | 'payload'>,
  timesSeen: number,
): PastEvent {
  return {
    memoryId: record.id,
    contextId: context,
    eventKind: kind,
    source: record.source,
    payload,
    links: record.links,
    occurredAt: record.occurredAt,
    recordedAt: record.recordedAt,
    timesSeen,
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

/** The parts of a graph that say what stands. */
interface Standing {
  readonly rows: Memories
  readonly claims: ClaimsThen
}

/** What a record does to the claims, by what was decided of it. */
export function changesBy(record: EventRecord, contextId: ContextId, claims: ClaimTable): Changes {
  const changes = new Changes(claims)
  replay({ ...statementOf(record, contextId), decisions: decisionsOf(record) }, changes)
  return changes
}

/** Does a record of a new memory do nothing to any other? Most are such, and applying those is what opening mostly does. */
export function isAlone({ links, decisions }: EventRecord): boolean {
  return links.length === 0 && decisions === undefined
}

/** What a record is answered with, by the claims as they are after it and before the next. */
export function receiptOf(
  record: EventRecord,
  { claims }: { readonly claims: Pick<Claims, 'get'> },
): Receipt {
  const claimed = (id: MemoryId) => {
    const claim = claims.get(id)
    if (claim === undefined) throw new Error(`There is no claim of the memory ${id}.`)
    return claim
  }
  const own = claimed(record.id)
  const { contextId } = own
  const effects = effectsOf({ ...statementOf(record, contextId), decisions: decisionsOf(record) })
  return {
    memoryId: record.id,
    status: record.op === 'recorded' ? 'recorded' : 'duplicate',
    contextId,
    place: record.place,
    confidence: assess(own, false).confidence,
    bearsOn: effects.map(({ memory, effect }) => ({
      memoryId: memory,
      contextId: claimed(memory).contextId,
      effect,
    })),
  }
}

/** The memories that supersede one, or are in open contradiction with it. */
export function opposing({ id }: MemoryRow, { rows, claims }: Standing): MemoryRow[] {
  return [...rows.all(claims.get(id)?.supersededBy ?? []), ...rows.all(claims.opponents(id))]
}

/** The records that contradict the context of a memory as a whole, since it was last stated, in order of recording. */
export function speakingAgainst(row: MemoryRow, { rows, claims }: Standing): MemoryRow[] {
  const records = claims.against(row.context.id)
  const found = recordsAgainst(claims.get(row.id) ?? claimOf(row), records, (id) => claims.get(id))
  return rows.all(found).sort((a, b) => a.number - b.number)
}
