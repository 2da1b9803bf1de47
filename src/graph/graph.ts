import { type PastEvent, statementOf } from '../domain/events/recording.js'
import { type Content, contentOf } from '../domain/events/same-event.js'
import { countUpTo, countWhile } from '../domain/in-order.js'
import type { Reading } from '../domain/judgement/judgement.js'
import { knownReading } from '../domain/judgement/reading/known-reading.js'
import type { MemoryId } from '../domain/model.js'
import { byCodeUnit, splitContextId } from '../domain/names.js'
import { monthOf, StatementCounts } from '../domain/survey/counts.js'
import type { StaleSearch } from '../domain/survey/stale-search.js'
import type { TextCache } from '../domain/text-cache.js'
import { type AsOf, laterOf, type When } from '../domain/time.js'
import { stands } from '../domain/trust/claims/claims.js'
import { isWeaker } from '../domain/trust/claims/rank.js'
import { ClaimsAt } from '../domain/trust/claims-at.js'
import { folded, memoryOf, type RecordFields } from '../domain/trust/fields.js'
import { ClaimTable } from '../domain/trust/table.js'
import { GraphNow, type GraphState, GraphThen, type InTime } from './answers.js'
import { Contexts } from './contexts.js'
import type { Meanings } from './embeddings.js'
import { Indexes } from './indexes.js'
import { Memories } from './memories.js'
import { type TextToRead, textToRead } from './nearest.js'
import { Statements } from './overview/history.js'
import type { GraphReader, PresentReader } from './reader.js'
import { type EventRecord, type GraphRecord, isEvent, type Recorded, type Sighted } from './records.js'
import { applyLinks, applySupport } from './relations.js'
import { claimOf, grown, type MemoryRow, NOW, rowOf } from './rows.js'
import type { Prepared } from './search/duplicate-index.js'
import { SortedList } from './search/sorted-list.js'
import { Timeline } from './timeline.js'
import { changesBy, fieldsOfRow, isAlone, saidBy, toPastEvent } from './views.js'

/** The claims as they are, until one of them changes, one begins or ends, or more is recorded. */
interface Now {
  readonly seq: number
  readonly version: number
  readonly turn: number
  readonly claims: ClaimsAt
}

/**
 * One graph in memory: what its records add up to, and what they added up to before (`at`).
 * `apply` is the only thing that changes it, and the same records in the same order always give the same graph.
 */
export class Graph implements GraphState {
  readonly contexts = new Contexts()
  readonly rows = new Memories()
  readonly indexes: Indexes
  /** What stands. Claims that nobody spoke of are made from their rows. */
  readonly claims = new ClaimTable((id) => {
    const row = this.rows.find(id)
    return row && claimOf(row)
  })
  /** Undefined where nothing reads. */
  meanings: Meanings | undefined
  readonly timeline = new Timeline()
  readonly texts: TextCache
  readonly counts = new StatementCounts()
  readonly statements = new Statements(this.rows)
  readonly decisions: MemoryRow[] = []
  /** How many memories are filed under contexts of a type. */
  readonly ofType = new Map<string, number>()
  /** The memories that have an end, or begin after they were recorded. */
  readonly #timed = new Set<MemoryRow>()
  /** The moments at which something that is recorded begins or ends by itself. */
  readonly #turns = new SortedList(byCodeUnit)
  #now: Now | undefined
  readonly stale = new WeakMap<ClaimsAt['causes'], StaleSearch>()
  lastSeq = 0
  lastPlace = 0
  lastRecordedAt = ''
  /** The last id that was given out, though its memory may be gone. */
  lastId: MemoryId | undefined

  /** `seed` is any number that no caller knows (see `DuplicateIndex`). */
  constructor(seed: number, texts: TextCache) {
    this.indexes = new Indexes(this.rows, seed, texts)
    this.texts = texts
  }

  /** Does what takes long in applying a record beforehand. Nothing of it can be seen in an answer. */
  prepare(record: EventRecord, content: Content): Prepared {
    return record.op === 'recorded' ? { ...content, hash: this.indexes.contents.hash(content.key) } : content
  }

  /** `content` is that of the event, if it was made already. */
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

  /** The memory that the same event became. */
  sameEvent({ key }: Content): MemoryId | undefined {
    const number = this.indexes.contents.find(key, (number) => {
      const row = this.rows.list[number]
      return row !== undefined && contentOf(saidBy(row)).key === key
    })
    return number === undefined ? undefined : this.rows.list[number]?.id
  }

  has(memoryId: MemoryId): boolean {
    return this.rows.find(memoryId) !== undefined
  }

  hasField(memoryId: MemoryId, field: string): boolean {
    return this.fields(memoryId)?.values.has(folded(field)) ?? false
  }

  /** Every answer that can be given from the graph as it is. What was recorded has begun, whatever the clock says. */
  now(clock: string, validAt = laterOf(clock, this.lastRecordedAt)): PresentReader {
    return new GraphNow(this, validAt)
  }

  /** As it was; undefined before its first event. */
  at({ asOf, validAt }: When, clock: string): GraphReader | undefined {
    if (asOf === undefined) return this.now(clock, validAt)
    const place = this.placeOf(asOf)
    if (this.timeline.first > place) return undefined
    const { time = this.timeline.statedAt(place) } = 'time' in asOf ? asOf : {}
    return new GraphThen(this, place >= this.lastPlace ? NOW : place, validAt ?? time)
  }

  claimsAt(at: string): ClaimsAt {
    const turn = countWhile(this.#turns.values(), (moment) => moment <= at)
    // Before the last statement, other beginnings count as well.
    const isNow = at >= this.lastRecordedAt
    const { version } = this.claims
    const isSame = isNow && this.#now?.version === version && this.#now.turn === turn
    if (isSame && this.#now?.seq === this.lastSeq) return this.#now.claims
    // What is stale stays so until a claim changes.
    const causes = isSame ? this.#now?.claims.causes : undefined
    const claims = new ClaimsAt(this.claims, this.claims, { place: NOW, at }, causes)
    if (isNow) this.#now = { seq: this.lastSeq, version, turn, claims }
    return claims
  }

  isTimed(at: string): boolean {
    return this.#timed.size > 0 || at < this.lastRecordedAt || this.claims.lines.isTimed(at)
  }

  /** How far it had been recorded. */
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

  /** The event that a record is of, as an export gives it. */
  pastEvent(record: EventRecord): PastEvent {
    return toPastEvent(record, this.rows.get(record.id))
  }

  unread(): number {
    return this.meanings === undefined ? 0 : this.memoryCount - this.meanings.count
  }

  textsToRead(numbers: readonly number[]): readonly TextToRead[] {
    return numbers.flatMap((number) => this.rows.list[number] ?? []).map(textToRead)
  }

  #record(record: Recorded, known: Prepared | undefined): void {
    // Before the row is there, from which the table would make the claim.
    const changes = isAlone(record) ? undefined : changesBy(record, record.context, this.claims)
    const context = this.contexts.ensure(record.context, record)
    const row = rowOf(record, this.memoryCount, context, known?.text ?? JSON.stringify(record.payload))
    this.lastId = record.id
    this.rows.add(row)
    this.indexes.add(row, known && (known.hash ?? this.indexes.contents.hash(known.key)))
    context.memories = grown(context.memories, row)
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
    row.sightings = grown(row.sightings, sighting)
    row.context.sightings = grown(row.context.sightings, sighting)
    // Who is weaker than those who said it before only agrees: what is shown stays theirs.
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
