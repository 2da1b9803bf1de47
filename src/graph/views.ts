import { addedTo, decisionsOf, type PastEvent, statementOf } from '../domain/events/recording.js'
import type { Said } from '../domain/events/same-event.js'
import { isMemoryId } from '../domain/ids.js'
import { countUpTo } from '../domain/in-order.js'
import { linkPaths, writtenLink } from '../domain/links.js'
import type {
  Bearing,
  ContextId,
  JsonObject,
  Link,
  Memory,
  MemoryId,
  Receipt,
  Replaced,
  UnresolvedLink,
} from '../domain/model.js'
import { byCodeUnit } from '../domain/names.js'
import { presentOf, textOf } from '../domain/text.js'
import type { MemoKind, TextCache } from '../domain/text-cache.js'
import { assess, hundredths, recordsAgainst } from '../domain/trust/claims/assess.js'
import { Changes } from '../domain/trust/claims/changes.js'
import { type Claims, claimsOf, stands } from '../domain/trust/claims/claims.js'
import type { Lines } from '../domain/trust/claims/lines.js'
import { isStale } from '../domain/trust/claims/staleness.js'
import type { Claim, Decisions } from '../domain/trust/claims/types.js'
import { type ClaimsAt, holds } from '../domain/trust/claims-at.js'
import { holderOf } from '../domain/trust/decide/bearing.js'
import {
  type ClaimId,
  claimsIn,
  fieldOf,
  fieldsIn as fieldsInPayload,
  folded,
  isProseOnly,
  memoryOf,
  type RecordFields,
} from '../domain/trust/fields.js'
import { effectsOf, type MemoryEffect, replay } from '../domain/trust/record.js'
import type { ClaimTable, HistoricalClaims } from '../domain/trust/table.js'
import type { Memories } from './memories.js'
import type { EventRecord, Recorded } from './records.js'
import { claimOf, countAt, type MemoryRow, type Moment } from './rows.js'

/** A graph at one moment, as far as its memories and claims are concerned. */
export interface View {
  readonly rows: Memories
  readonly claims: ClaimsAt
  readonly lines: Lines
  readonly texts: TextCache
  readonly moment: Moment
}

export function toMemory(row: MemoryRow, view: View): Memory {
  const { claims, texts, moment } = view
  const content = contentOf(row, texts)
  const claim = claims.whole(row.id) ?? claimOf(row)
  const next = row.sightings[countAt(row.sightings, moment)]
  const validUntil = next === undefined ? row.validUntil : next.validBefore
  const parts = claims.parts(row.id)
  const replaced = parts.length === 0 ? NONE_REPLACED : replacedIn(row, parts, view)
  const trust = assess(claim, isStale(row.id, claims))
  return {
    memoryId: row.id,
    seq: row.place,
    contextId: row.context.id,
    eventKind: row.kind,
    source: trust.source,
    payload: content.payload,
    text: replaced.length === 0 ? content.text : textOf(presentOf(content.payload, replaced)),
    links: row.links.slice(0, next?.linksBefore),
    occurredAt: next?.occurredBefore ?? row.occurredAt,
    recordedAt: row.recordedAt,
    ...(row.validFrom !== undefined && { validFrom: row.validFrom }),
    ...(validUntil !== undefined && { validUntil }),
    ...(row.recordedBy !== undefined && { recordedBy: row.recordedBy }),
    timesSeen: trust.timesSeen,
    // Written field by field for speed: each question views some hundred memories.
    trust: {
      status: trust.status,
      confidence: parts.length === 0 ? trust.confidence : lowestConfidence(row.id, claims, trust.confidence),
      supersededBy: memoriesOf(trust.supersededBy),
      lastStatedAt: trust.lastStatedAt,
      agreement: trust.agreement,
      supersedes: supersededWhole(row.id, parts, claims),
      disputedBy: memoriesOf(opponentsOf(row.id, parts, claims)),
      ...(replaced.length > 0 && { replaced }),
    },
  }
}

const NONE: readonly MemoryId[] = []
const NONE_REPLACED: readonly Replaced[] = []

function memoriesOf(ids: Iterable<ClaimId>): readonly MemoryId[] {
  const list = [...new Set(Array.from(ids, memoryOf))]
  return list.length === 0 ? NONE : list.sort(byCodeUnit)
}

function* opponentsOf(id: MemoryId, parts: readonly ClaimId[], claims: HistoricalClaims): Generator<ClaimId> {
  for (const one of [id, ...parts]) yield* claims.opponents(one)
}

/** The memories that this one superseded and that no longer stand at all. */
function supersededWhole(
  id: MemoryId,
  parts: readonly ClaimId[],
  claims: HistoricalClaims,
): readonly MemoryId[] {
  const replaced = [id, ...parts].flatMap((one) => [...claims.supersedes(one)])
  return memoriesOf(replaced.filter((one) => !stands(claims.whole(memoryOf(one)))))
}

/** The lowest confidence of the standing claims of a memory. */
function lowestConfidence(id: MemoryId, claims: Pick<Claims, 'get' | 'parts'>, otherwise: number): number {
  const standing = claimsOf(id, claims).filter(stands)
  return standing.length === 0 ? otherwise : Math.min(...standing.map((claim) => hundredths(claim))) / 100
}

/** Longer values are left out of `replaced`: a memory may have a thousand fields, each replaced by a value of 64 KiB. */
const MAX_VALUE_CHARS = 2_000

/** The replaced fields of a memory that still stands in part. */
function replacedIn(row: MemoryRow, parts: readonly ClaimId[], { claims, texts, rows }: View): Replaced[] {
  if (!holds(claims.whole(row.id))) return []
  const fields = fieldsOfRow(row, texts)
  const replaced = [
    ...(stands(claims.get(row.id)) ? [] : unsplitKeys(fields, parts)),
    ...[...new Set(parts.map(keyOf))].filter(
      (key) => !stands(claims.get(parts.find((part) => keyOf(part) === key) ?? '')),
    ),
  ]
  return fields.order
    .filter((key) => replaced.includes(key))
    .flatMap((key) => {
      const by = memoryOf(holderOf(row.id, key, claims))
      const other = rows.find(by)
      if (other === undefined || by === row.id) return []
      const otherFields = fieldsOfRow(other, texts)
      const value = otherFields.values.get(key) ?? otherFields.values.get(otherFields.prose[0] ?? '') ?? null
      const isShort = JSON.stringify(value).length <= MAX_VALUE_CHARS
      return [{ field: fields.written.get(key) ?? key, by, ...(isShort && { value }) }]
    })
}

/** The key of the field that a claim is about. */
function keyOf(claim: ClaimId): string {
  return folded(fieldOf(claim) ?? '')
}

/** The keys of the fields of a memory that have no claim of their own. */
export function unsplitKeys(fields: RecordFields, parts: readonly ClaimId[]): string[] {
  const split = new Set(parts.map(keyOf))
  return claimsIn(fields).filter((key) => !split.has(key))
}

/** The event of a record. */
export function toPastEvent(record: EventRecord, row: MemoryRow): PastEvent {
  const { context, kind } = row
  const payload = record.op === 'recorded' ? record.payload : payloadOf(row)
  return pastEventOf(
    record,
    { context: context.id, kind, payload },
    1 + countUpTo(row.sightings, record.place),
  )
}

/** As `toPastEvent`, from the record that first stated the memory. */
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

export function statementIn(row: MemoryRow): Said {
  return { contextId: row.context.id, eventKind: row.kind, payload: payloadOf(row) }
}

const FIELDS_MEMO: MemoKind<RecordFields> = {
  most: 4_000_000,
  sizeOf: ({ values }, key) => key.length + OVERHEAD * (1 + values.size),
}

export function fieldsOfRow(row: MemoryRow, texts: TextCache): RecordFields {
  const memo = texts.memo(FIELDS_MEMO)
  // The context is part of the key, since its name may be the name of a field.
  const key = `${row.context.id} ${row.payload}`
  const cached = memo.get(key)
  if (cached !== undefined) return cached
  const fields = fieldsInPayload(payloadOf(row), row.context.id)
  memo.set(key, fields)
  return fields
}

function payloadOf(row: MemoryRow): JsonObject {
  // The store wrote this text itself, from a JSON object.
  return JSON.parse(row.payload) as JsonObject
}

interface Content {
  readonly payload: JsonObject
  readonly text: string
}

/** The approximate size of a cached object beside its text, in characters. */
const OVERHEAD = 200
/** Keyed by payload, since a key of rows would keep a whole graph from being garbage-collected. */
const CONTENTS: MemoKind<Content> = { most: 2_000_000, sizeOf: ({ text }) => text.length + OVERHEAD }

function contentOf(row: MemoryRow, texts: TextCache): Content {
  const memo = texts.memo(CONTENTS)
  const cached = memo.get(row.payload)
  if (cached !== undefined) return cached
  const payload = payloadOf(row)
  const content = { payload, text: textOf(payload) }
  memo.set(row.payload, content)
  return content
}

/** The changes of a record to the claims, according to its decisions. */
export function changesBy(record: EventRecord, contextId: ContextId, claims: ClaimTable): Changes {
  const changes = new Changes(claims)
  replay({ ...statementOf(record, contextId), decisions: decisionsOf(record) }, changes)
  return changes
}

/** Has the record of a new memory no effect on other memories? True for most, so opening a graph takes a shortcut for them. */
export function affectsOnlyItself({ links, decisions }: EventRecord): boolean {
  return links.length === 0 && decisions === undefined
}

/** The receipt of a record, from the claims right after it. */
export function receiptOf(
  record: EventRecord,
  claims: Pick<Claims, 'get' | 'parts'>,
  fieldsOf: (id: MemoryId) => RecordFields | undefined,
): Receipt {
  const { contextId, ...own } = claimFor(record.id, claims)
  const decisions = decisionsOf(record)
  const effects = effectsOf({ ...statementOf(record, contextId), decisions })
  const unresolved = unresolvedOf(record, decisions)
  return {
    memoryId: record.id,
    status: record.op === 'recorded' ? 'recorded' : 'duplicate',
    contextId,
    place: record.place,
    confidence: lowestConfidence(record.id, claims, assess({ ...own, contextId }, false).confidence),
    bearsOn: effects.map((one) => ({
      memoryId: one.memory,
      contextId: claimFor(one.memory, claims).contextId,
      effect: one.effect,
      ...ruleOf(one, record, decisions, fieldsOf),
      ...fieldsIn(one, claims, fieldsOf(one.memory)),
    })),
    ...(unresolved.length > 0 && { unresolved }),
  }
}

function claimFor(id: MemoryId, claims: Pick<Claims, 'get'>): Claim {
  const claim = claims.get(id)
  if (claim === undefined) throw new Error(`There is no claim of the memory ${id}.`)
  return claim
}

function unresolvedOf({ links }: EventRecord, { unresolved }: Decisions): UnresolvedLink[] {
  const paths = linkPaths(links)
  return unresolved.flatMap(({ link, candidates }) => {
    const [stated, at] = [links[link], paths[link]]
    if (stated === undefined || at === undefined) return []
    const named = candidates.map((id) => {
      const field = fieldOf(id)
      return { memoryId: memoryOf(id), ...(field !== undefined && { field }) }
    })
    return [{ path: at.path, target: writtenLink(stated), candidates: named }]
  })
}

/** The rule by which a link affected a memory. */
function ruleOf(
  { memory, claims, effect }: MemoryEffect,
  { id, links }: EventRecord,
  { bears }: Decisions,
  fieldsOf: (id: MemoryId) => RecordFields | undefined,
): Pick<Bearing, 'rule'> {
  const kind =
    effect === 'reinforces' ? 'reinforcement' : effect === 'extends' ? 'extension' : 'contradiction'
  const isOf = (link: Link) => link.kind === kind || (effect === 'noted' && link.kind === 'reinforcement')
  const link = links.find((one, i) => isOf(one) && bears[i]?.some((claim) => claims.includes(claim)))
  if (link === undefined) return {}
  if (link.field !== undefined) return { rule: 'field' }
  if (isMemoryId(link.target)) return { rule: 'memory' }
  const both = [id, memory].flatMap((one) => fieldsOf(one) ?? [])
  return { rule: both.some(isProseOnly) ? 'text' : 'fields' }
}

/** The fields of a memory that an effect concerns, and those that still stand. */
function fieldsIn(
  { memory, effect, claims: touched }: MemoryEffect,
  claims: Pick<Claims, 'get' | 'parts'>,
  fields: RecordFields | undefined,
): Pick<Bearing, 'fields' | 'standing'> {
  const parts = claims.parts(memory)
  if (fields === undefined || parts.length === 0 || effect === 'extends') return {}
  const own = unsplitKeys(fields, parts)
  const nameOf = (key: string) => fields.written.get(key) ?? key
  const namesOf = (id: ClaimId) => (id === memory ? own : [keyOf(id)]).map(nameOf)
  const standing = [memory, ...parts].filter((id) => stands(claims.get(id))).flatMap(namesOf)
  if (effect === 'supersedes' && standing.length === 0) return {}
  return {
    fields: touched.flatMap(namesOf),
    ...(effect === 'supersedes' && { standing }),
  }
}

/** The memories that supersede a memory, or are in open contradiction with it. */
export function opposing({ id }: MemoryRow, { rows, claims }: View): MemoryRow[] {
  const parts = claims.parts(id)
  const replacing = [id, ...parts].flatMap((one) => claims.get(one)?.supersededBy ?? [])
  return rows.all(memoriesOf([...replacing, ...opponentsOf(id, parts, claims)]))
}

/** The memories that contradict the whole context of a memory since it was last stated, in order of recording. */
export function speakingAgainst(row: MemoryRow, { rows, claims }: View): MemoryRow[] {
  const records = claims.against(row.context.id)
  const found = recordsAgainst(claims.whole(row.id) ?? claimOf(row), records, (id) => claims.whole(id))
  return rows.all(found).sort((a, b) => a.number - b.number)
}
