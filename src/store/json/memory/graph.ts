import type { PastEvent } from '../../../domain/events/recording.js'
import { type Content, contentOf } from '../../../domain/events/same-event.js'
import type { Reading } from '../../../domain/judgement/judgement.js'
import type { Context, ContextId, Memory, MemoryId, Relationship, TypeCount } from '../../../domain/model.js'
import type { NameQuery } from '../../../domain/names.js'
import type { Page, Paging } from '../../../domain/page.js'
import type { Near } from '../../../domain/search/knowledge.js'
import type { TextCache } from '../../../domain/text-cache.js'
import type { Decisions } from '../../../domain/trust/claims/types.js'
import { ClaimTable } from '../../../domain/trust/table.js'
import type { EventRecord, Recorded, Sighted } from '../../records.js'
import type { ContextFilter, GraphReader, RelationshipFilter, Retrieval, Retrieved } from '../../store.js'
import type { GraphRecord } from '../log/records.js'
import { fromStored, type StoredRecord } from '../log/stored.js'
import type { ReadableGraph, TextToRead } from '../meanings/meaning-reader.js'
import type { Meanings } from '../meanings/meanings.js'
import { applyLinks } from './apply-links.js'
import { claimOf } from './claim-of.js'
import { Contexts, toContext } from './contexts.js'
import type { Prepared } from './duplicate-index.js'
import { Indexes } from './indexes.js'
import { Memories } from './memories.js'
import { nearestRows, textToRead, vectorsOf } from './nearest.js'
import { neighboursOf } from './neighbours.js'
import { relationshipsOf } from './relations.js'
import { grown, type MemoryRow, rowOf } from './rows.js'
import { changesBy, isAlone, opposing, speakingAgainst } from './standing.js'
import { readingOf, saidBy, toMemory, toPastEvent } from './views.js'

/**
 * One graph in memory: what its records add up to, and every answer that can be given from it.
 * `apply` is the only thing that changes it, and the same records in the same order always give the same graph.
 */
export class Graph implements GraphReader, ReadableGraph {
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
  readonly #texts: TextCache
  readonly #decided = new Map<number, Decisions>()
  #newestAt = ''
  lastSeq = 0
  lastPlace = 0
  lastRecordedAt = ''
  /** The last id that was given out, though its memory may be gone. */
  lastId: MemoryId | undefined

  /** `seed` is any number that no caller knows (see `DuplicateIndex`). */
  constructor(seed: number, texts: TextCache) {
    this.indexes = new Indexes(this.rows, seed, texts)
    this.#texts = texts
  }

  /** Does what takes long in applying a record beforehand. Nothing of it can be seen in an answer. */
  prepare(record: EventRecord, content: Content): Prepared {
    return record.op === 'recorded' ? { ...content, hash: this.indexes.contents.hash(content.key) } : content
  }

  /** `content` is that of the event, if it was made already. */
  apply(record: GraphRecord, content?: Prepared): void {
    this.lastSeq = record.seq
    this.lastRecordedAt = record.recordedAt
    if (record.op === 'rewritten') {
      if (record.lastId !== undefined) this.lastId = record.lastId
      if (record.lastPlace !== undefined) this.lastPlace = record.lastPlace
      return
    }
    this.lastPlace = record.place
    if (record.occurredAt > this.#newestAt) this.#newestAt = record.occurredAt
    if (record.op === 'recorded') this.#record(record, content)
    else this.#sight(record)
  }

  /** A record of this graph as it was, with what was left out when it was written. */
  restore(stored: StoredRecord): GraphRecord {
    const record = fromStored(stored, (id) => this.rows.get(id).source)
    const decisions = this.#decided.get(record.seq)
    return decisions === undefined || record.op === 'rewritten' ? record : { ...record, decisions }
  }

  /** Keeps the decisions of a record that was written without them, for `restore`. */
  keepDecisions({ seq, decisions }: EventRecord): void {
    if (decisions !== undefined) this.#decided.set(seq, decisions)
  }

  /** When the latest memory was recorded. */
  get latestAt(): string | undefined {
    return this.rows.list.at(-1)?.recordedAt
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

  contextTypes(paging: Paging): Page<TypeCount> {
    return this.contexts.types(paging)
  }

  contextsOfType(type: string, paging: Paging): Page<Context> {
    return this.contexts.ofType(type, paging)
  }

  searchContexts(query: NameQuery, paging: Paging): Page<Context> {
    return this.contexts.search(query, paging)
  }

  context(id: ContextId): Context {
    return toContext(this.contexts.get(id))
  }

  contextMemories(id: ContextId, paging: Paging): Page<Memory> {
    const { memories } = this.contexts.get(id)
    const end = memories.length - paging.page * paging.pageSize
    const rows = end <= 0 ? [] : memories.slice(Math.max(0, end - paging.pageSize), end).reverse()
    return { items: rows.map((row) => this.#view(row)), total: memories.length, ...paging }
  }

  relationships(id: ContextId, filter: RelationshipFilter): readonly Relationship[] {
    return relationshipsOf(this.contexts.get(id), filter)
  }

  memory(id: MemoryId): Memory {
    return this.#view(this.rows.get(id))
  }

  memories(ids: readonly MemoryId[]): readonly Memory[] {
    return this.rows.all(ids).map((row) => this.#view(row))
  }

  reading(id: MemoryId): Reading | undefined {
    const row = this.rows.find(id)
    return row && readingOf(row, this.#texts)
  }

  /** The event that a record is of, as an export gives it. */
  pastEvent(record: EventRecord): PastEvent {
    return toPastEvent(record, this.rows.get(record.id))
  }

  retrieve({ terms, scope, limit }: Retrieval): Retrieved {
    const index = this.indexes.ready()
    const hits = index.search(terms, limit, scope && this.rows.within(scope))
    return {
      found: hits.flatMap(({ document, score, matched }) => {
        const row = this.rows.list[document]
        return row === undefined ? [] : [{ memory: this.#view(row), bm25: score, matched }]
      }),
      idf: this.weigh(terms),
      averageLength: index.averageLength,
      memoryCount: this.memoryCount,
      newestAt: this.#newestAt,
    }
  }

  nearest(near: Near): readonly Memory[] {
    return nearestRows(near, this).map((row) => this.#view(row))
  }

  vectors(ids: readonly MemoryId[]): ReadonlyMap<MemoryId, Int8Array> {
    return vectorsOf(ids, this)
  }

  unread(): number {
    return this.meanings === undefined ? 0 : this.memoryCount - this.meanings.count
  }

  textsToRead(numbers: readonly number[]): readonly TextToRead[] {
    return numbers.flatMap((number) => this.rows.list[number] ?? []).map(textToRead)
  }

  latest(scope: ContextFilter, limit: number): readonly Memory[] {
    return this.rows.latest(scope, limit).map((row) => this.#view(row))
  }

  weigh(terms: readonly string[]): ReadonlyMap<string, number> {
    const index = this.indexes.ready()
    return new Map(terms.map((term) => [term, index.idf(term)]))
  }

  neighbours(ids: readonly MemoryId[]): readonly Memory[] {
    const given = ids.map((id) => this.rows.get(id))
    return neighboursOf(given, (row) => opposing(row, this)).map((row) => this.#view(row))
  }

  recordsAgainst(ids: readonly MemoryId[]): ReadonlyMap<MemoryId, readonly Memory[]> {
    const found = this.rows.all(ids).map((row) => [row.id, speakingAgainst(row, this)] as const)
    const views = found.map(([id, rows]) => [id, rows.map((row) => this.#view(row))] as const)
    return new Map(views.filter(([, records]) => records.length > 0))
  }

  #record(record: Recorded, known: Prepared | undefined): void {
    // Before the row is there, from which the table would make the claim.
    const changes = isAlone(record) ? undefined : changesBy(record, record.context, this.claims)
    const context = this.contexts.ensure(record.context, record.recordedAt)
    const row = rowOf(record, this.memoryCount, context, known?.text ?? JSON.stringify(record.payload))
    this.lastId = record.id
    this.rows.add(row)
    this.indexes.add(row, known && (known.hash ?? this.indexes.contents.hash(known.key)))
    context.memories = grown(context.memories, row)
    context.updatedAt = record.recordedAt
    if (changes === undefined) this.claims.addFresh(context.id, row.id, row.place)
    else this.claims.commit(changes)
    applyLinks(this, row, record)
  }

  #sight(record: Sighted): void {
    const row = this.rows.get(record.id)
    row.sightings = grown(row.sightings, record.place)
    row.occurredAt = record.occurredAt
    row.context.updatedAt = record.recordedAt
    this.claims.commit(changesBy(record, row.context.id, this.claims))
    applyLinks(this, row, record)
  }

  #view(row: MemoryRow): Memory {
    return toMemory(row, this.claims, this.#texts)
  }
}
