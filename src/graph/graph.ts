import { type PastEvent, statementOf } from '../domain/events/recording.js'
import { type Content, contentOf } from '../domain/events/same-event.js'
import { countUpTo, countWhile } from '../domain/in-order.js'
import type { Reading } from '../domain/judgement/judgement.js'
import { knownReading } from '../domain/judgement/reading/known-reading.js'
import { memoryText } from '../domain/meaning/memory-text.js'
import type { MemoryId } from '../domain/model.js'
import { byCodeUnit, splitContextId } from '../domain/names.js'
import { monthOf, StatementCounts } from '../domain/survey/counts.js'
import type { StaleSearch } from '../domain/survey/stale-search.js'
import type { TextCache } from '../domain/text-cache.js'
import type { AsOf } from '../domain/time.js'
import { stands } from '../domain/trust/claims/claims.js'
import { isWeaker } from '../domain/trust/claims/rank.js'
import { ClaimsAt } from '../domain/trust/claims-at.js'
import { folded, memoryOf, type RecordFields } from '../domain/trust/fields.js'
import { ClaimTable } from '../domain/trust/table.js'
import { Contexts } from './contexts.js'
import type { Meanings } from './embeddings.js'
import { Indexes } from './indexes.js'
import { Memories } from './memories.js'
import { Statements } from './overview/history.js'
import { type EventRecord, type GraphRecord, isEvent, type Recorded, type Sighted } from './records.js'
import { applyLinks, applySupport } from './relations.js'
import { append, claimOf, type MemoryRow, NOW, rowOf } from './rows.js'
import type { Prepared } from './search/duplicate-index.js'
import { SortedList } from './search/sorted-list.js'
import { Timeline } from './timeline.js'
import { affectsOnlyItself, changesBy, fieldsOfRow, statementIn, toPastEvent } from './views.js'

/** A memory, by its number, with the text that is embedded. */
export interface TextToRead {
  readonly number: number
  readonly id: MemoryId
  readonly text: string
}

/** The present claims. Valid until a claim changes, one begins or ends, or more is recorded. */
interface CachedClaims {
  readonly seq: number
  readonly version: number
  readonly turn: number
  readonly claims: ClaimsAt
}

/** Memories by what time has made of them. */
interface InTime {
  readonly planned: ReadonlySet<MemoryId>
  readonly expired: ReadonlySet<MemoryId>
  /** How many more are superseded than by the order of recording. */
  readonly superseded: number
}

/**
 * One graph in memory. Only `apply` changes it, and the same records in the same order
 * always result in the same graph.
 */
export class Graph {
  readonly contexts = new Contexts()
  readonly rows = new Memories()
  readonly indexes: Indexes
  /** The claims of all memories. A claim that no other event concerned is created from its row. */
  readonly claims = new ClaimTable((id) => {
    const row = this.rows.find(id)
    return row && claimOf(row)
  })
  /** Undefined if nothing is embedded. */
  meanings: Meanings | undefined
  readonly timeline = new Timeline()
  readonly texts: TextCache
  readonly counts = new StatementCounts()
  readonly statements = new Statements(this.rows)
  readonly decisions: MemoryRow[] = []
  /** The number of memories by the type of their context. */
  readonly ofType = new Map<string, number>()
  /** The memories that end, or that begin after they were recorded. */
  readonly #timed = new Set<MemoryRow>()
  /** The times at which a recorded claim begins or ends by itself. */
  readonly #turns = new SortedList(byCodeUnit)
  #cached: CachedClaims | undefined
  /** What is stale, once it was searched for. */
  readonly stale = new WeakMap<ClaimsAt['causes'], StaleSearch>()
  lastSeq = 0
  lastPlace = 0
  lastRecordedAt = ''
  /** The last id that was given out; its memory may be erased. */
  lastId: MemoryId | undefined

  /** `seed` must be unknown to callers (see `DuplicateIndex`). */
  constructor(seed: number, texts: TextCache) {
    this.indexes = new Indexes(this.rows, seed, texts)
    this.texts = texts
  }

  /** Does the slow part of applying a record in advance, without changing the graph. */
  prepare(record: EventRecord, content: Content): Prepared {
    return record.op === 'recorded' ? { ...content, hash: this.indexes.contents.hash(content.key) } : content
  }

  /** `content` is the content of the event, if it was computed already. */
  apply(record: GraphRecord, content?: Prepared): void {
    this.lastSeq = record.seq
    this.lastRecordedAt = record.recordedAt
    if (!isEvent(record)) {
      if (record.lastId !== undefined) this.lastId = record.lastId
      if (record.lastPlace !== undefined) this.lastPlace = record.lastPlace
      return
    }
    this.lastPlace = record.place
    this.timeline.add(record)
    if (record.op === 'sighted') this.statements.keepFirst(record.id)
    if (record.op === 'recorded') this.#record(record, content)
    else this.#sight(record)
    this.#count(record)
  }

  /** When the latest memory was recorded, up to a place. */
  latestAt(place: number): string | undefined {
    return this.rows.list[countUpTo(this.rows.list, place) - 1]?.recordedAt
  }

  get memoryCount(): number {
    return this.rows.list.length
  }

  /** The memory that an equal event was recorded as. */
  sameEvent({ key }: Content): MemoryId | undefined {
    const number = this.indexes.contents.find(key, (number) => {
      const row = this.rows.list[number]
      return row !== undefined && contentOf(statementIn(row)).key === key
    })
    return number === undefined ? undefined : this.rows.list[number]?.id
  }

  has(memoryId: MemoryId): boolean {
    return this.rows.find(memoryId) !== undefined
  }

  hasField(memoryId: MemoryId, field: string): boolean {
    return this.fields(memoryId)?.values.has(folded(field)) ?? false
  }

  /** The claims as they stand now, at a time. */
  claimsAt(at: string): ClaimsAt {
    const turn = countWhile(this.#turns.values(), (moment) => moment <= at)
    // Before the last recording, beginnings that are no turns count, too, so nothing is cached.
    const isNow = at >= this.lastRecordedAt
    const { version } = this.claims
    const isSame = isNow && this.#cached?.version === version && this.#cached.turn === turn
    if (isSame && this.#cached?.seq === this.lastSeq) return this.#cached.claims
    // Staleness changes only with a claim.
    const causes = isSame ? this.#cached?.claims.causes : undefined
    const claims = new ClaimsAt(this.claims, this.claims, { place: NOW, at }, causes)
    if (isNow) this.#cached = { seq: this.lastSeq, version, turn, claims }
    return claims
  }

  /** Can a claim stand at a time otherwise than by the order of recording? */
  isTimed(at: string): boolean {
    return this.#timed.size > 0 || at < this.lastRecordedAt || this.claims.lines.isTimed(at)
  }

  /** The last place that was recorded by then. */
  placeOf(asOf: AsOf): number {
    return 'place' in asOf ? asOf.place : this.timeline.placeBy(asOf.time)
  }

  reading(id: MemoryId): Reading | undefined {
    const row = this.rows.find(id)
    return row && knownReading(row.payload, this.texts)
  }

  fields(id: MemoryId): RecordFields | undefined {
    const row = this.rows.find(id)
    return row && fieldsOfRow(row, this.texts)
  }

  /** The event of a record, as an export contains it. */
  pastEvent(record: EventRecord): PastEvent {
    return toPastEvent(record, this.rows.get(record.id))
  }

  unread(): number {
    return this.meanings === undefined ? 0 : this.memoryCount - this.meanings.count
  }

  textsToRead(numbers: readonly number[]): readonly TextToRead[] {
    const rows = numbers.flatMap((number) => this.rows.list[number] ?? [])
    return rows.map((row) => {
      const { contextId, payload } = statementIn(row)
      return { number: row.number, id: row.id, text: memoryText(contextId, payload) }
    })
  }

  #record(record: Recorded, prepared: Prepared | undefined): void {
    // Computed before the row is added, from which the table would create the claim.
    const changes = affectsOnlyItself(record) ? undefined : changesBy(record, record.context, this.claims)
    const context = this.contexts.ensure(record.context, record)
    const row = rowOf(record, this.memoryCount, context, prepared?.text ?? JSON.stringify(record.payload))
    this.lastId = record.id
    this.rows.add(row)
    this.indexes.add(row, prepared && (prepared.hash ?? this.indexes.contents.hash(prepared.key)))
    context.memories = append(context.memories, row)
    context.updatedAt = record.recordedAt
    if (changes === undefined) this.claims.addFresh(context.id, row.id, row.place)
    else this.claims.commit(changes, record.place)
    applyLinks(this, row, record)
  }

  #sight(record: Sighted): void {
    const row = this.rows.get(record.id)
    const { place, recordedAt } = record
    const sighting = {
      ...{ place, recordedAt, occurredBefore: row.occurredAt, linksBefore: row.links.length },
      ...(row.validUntil !== undefined && { validBefore: row.validUntil }),
    }
    row.sightings = append(row.sightings, sighting)
    row.context.sightings = append(row.context.sightings, sighting)
    // A weaker source only agrees: the memory keeps the times and links of the stronger one.
    const isShown = !isWeaker(record.source, this.claims.get(row.id) ?? claimOf(row))
    if (isShown) row.occurredAt = record.occurredAt
    if (isShown && record.validUntil !== row.validUntil) row.validUntil = record.validUntil
    row.context.updatedAt = recordedAt
    this.claims.commit(changesBy(record, row.context.id, this.claims), place)
    if (isShown) applyLinks(this, row, record)
    else applySupport(this, row, record)
  }

  #count(record: EventRecord): void {
    this.statements.add(record)
    const row = this.rows.get(record.id)
    const { from, until } = statementOf(record, row.context.id)
    if (until !== undefined) this.#turns.add(until)
    if (from > record.recordedAt) this.#turns.add(from)
    if (until !== undefined || from > record.recordedAt) this.#timed.add(row)
    const kind = record.op === 'recorded' ? record.kind : undefined
    this.counts.add(record.source, monthOf(record.recordedAt), kind)
    if (record.op === 'sighted') return
    if (kind === 'decision') this.decisions.push(this.rows.get(record.id))
    const { type } = splitContextId(record.context)
    this.ofType.set(type, (this.ofType.get(type) ?? 0) + 1)
  }

  /** The memories that are not what was recorded last since they begin or end, in small steps. */
  *inTime(claims: ClaimsAt): Generator<void, InTime> {
    const found = { planned: new Set<MemoryId>(), expired: new Set<MemoryId>(), superseded: 0 }
    if (this.#timed.size === 0) return found
    const inLines = new Set(Array.from(this.claims.lines.claims, memoryOf))
    for (const { id } of this.#timed) inLines.add(id)
    for (const id of inLines) {
      const whole = claims.whole(id)
      found.superseded += Number(!stands(whole)) - Number(!stands(this.claims.whole(id)))
      if (whole?.phase !== undefined) found[whole.phase].add(id)
      yield
    }
    return found
  }
}
