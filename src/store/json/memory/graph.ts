import type { PastEvent } from '../../../domain/events/recording.js'
import { type Content, contentOf } from '../../../domain/events/same-event.js'
import type {
  Context,
  ContextId,
  Memory,
  MemoryId,
  Receipt,
  Relationship,
  TypeCount,
} from '../../../domain/model.js'
import type { NameQuery } from '../../../domain/names.js'
import type { Page, Paging } from '../../../domain/page.js'
import { textOf } from '../../../domain/text.js'
import type { TextCache } from '../../../domain/text-cache.js'
import type { EventRecord, Recorded, Sighted } from '../../records.js'
import type { ContextFilter, GraphReader, RelationshipFilter, Retrieval, Retrieved } from '../../store.js'
import type { GraphRecord, Rewritten } from '../log/records.js'
import { TermIndex } from '../search/term-index.js'
import { applyLinks } from './apply-links.js'
import { assessmentOf } from './assessment.js'
import { Contexts, toContext } from './contexts.js'
import { DuplicateIndex } from './duplicate-index.js'
import { Memories } from './memories.js'
import { neighboursOf } from './neighbours.js'
import { relationshipsOf } from './relations.js'
import { grown, type MemoryRow, NONE } from './rows.js'
import { Staleness } from './staleness.js'
import { saidBy, toMemory, toPastEvent } from './views.js'

/**
 * One graph in memory: what its records add up to, and every answer that can be given from it.
 * `apply` is the only thing that changes it, and the same records in the same order always give the same graph.
 */
export class Graph implements GraphReader {
  readonly contexts = new Contexts()
  readonly memories = new Memories()
  readonly terms: TermIndex
  readonly staleness = new Staleness()
  readonly #contents: DuplicateIndex
  readonly #texts: TextCache
  #newestAt = ''
  lastSeq = 0
  lastRecordedAt = ''
  /** The last id that was given out, though its memory may be gone. */
  lastId: MemoryId | undefined

  /** `seed` is any number that no caller knows (see `DuplicateIndex`). */
  constructor(seed: number, texts: TextCache) {
    this.terms = new TermIndex(texts)
    this.#texts = texts
    this.#contents = new DuplicateIndex(seed)
  }

  /** `content` is that of the event, if it was made already. */
  apply(record: GraphRecord, content?: Content): void {
    this.lastSeq = record.seq
    this.lastRecordedAt = record.recordedAt
    if (record.op === 'recorded') this.#record(record, content)
    else if (record.op === 'sighted') this.#sight(record)
    else this.#goOnFrom(record)
  }

  /** When the latest memory was recorded. */
  get latestAt(): string | undefined {
    return this.memories.rows.at(-1)?.recordedAt
  }

  get memoryCount(): number {
    return this.memories.rows.length
  }

  /** The memory that the same event became. */
  sameEvent({ key }: Content): MemoryId | undefined {
    const number = this.#contents.find(key, (number) => {
      const row = this.memories.rows[number]
      return row !== undefined && contentOf(saidBy(row)).key === key
    })
    return number === undefined ? undefined : this.memories.rows[number]?.id
  }

  /** What remains to be done before the first question is answered quickly, a little at a time. */
  catchUp(): Generator<void> {
    return this.terms.catchUp()
  }

  has(memoryId: MemoryId): boolean {
    return this.memories.find(memoryId) !== undefined
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
    return this.#view(this.memories.get(id))
  }

  /** What the record that was just applied is answered with. */
  receipt({ op, id }: EventRecord): Receipt {
    const row = this.memories.get(id)
    const status = op === 'recorded' ? 'recorded' : 'duplicate'
    return { memoryId: id, status, contextId: row.context.id, confidence: assessmentOf(row).confidence }
  }

  /** The event that a record is of, as an export gives it. */
  pastEvent(record: EventRecord): PastEvent {
    return toPastEvent(record, this.memories.get(record.id))
  }

  retrieve({ terms, scope, limit }: Retrieval): Retrieved {
    const hits = this.terms.search(terms, limit, scope && this.memories.within(scope))
    return {
      found: hits.flatMap(({ document, score, matched }) => {
        const row = this.memories.rows[document]
        return row === undefined ? [] : [{ memory: this.#view(row), bm25: score, matched }]
      }),
      idf: this.weigh(terms),
      averageLength: this.terms.averageLength,
      memoryCount: this.memoryCount,
      newestAt: this.#newestAt,
    }
  }

  latest(scope: ContextFilter, limit: number): readonly Memory[] {
    return this.memories.latest(scope, limit).map((row) => this.#view(row))
  }

  weigh(terms: readonly string[]): ReadonlyMap<string, number> {
    return new Map(terms.map((term) => [term, this.terms.idf(term)]))
  }

  neighbours(ids: readonly MemoryId[]): readonly Memory[] {
    return neighboursOf(ids.map((id) => this.memories.get(id))).map((row) => this.#view(row))
  }

  #record(record: Recorded, known: Content | undefined): void {
    const { text, key } =
      known ?? contentOf({ contextId: record.context, eventKind: record.kind, payload: record.payload })
    const context = this.contexts.ensure(record.context, record.recordedAt)
    const row: MemoryRow = {
      number: this.memoryCount,
      seq: record.seq,
      id: record.id,
      context,
      kind: record.kind,
      source: record.source,
      payload: text,
      // Most events happen when they are recorded; then one string serves for both.
      occurredAt: record.occurredAt === record.recordedAt ? record.recordedAt : record.occurredAt,
      recordedAt: record.recordedAt,
      links: NONE,
      sightings: NONE,
      agreements: NONE,
      contradictions: NONE,
    }
    this.lastId = record.id
    this.memories.add(row)
    this.#contents.add(key)
    context.memories = grown(context.memories, row)
    context.updatedAt = record.recordedAt
    if (record.occurredAt > this.#newestAt) this.#newestAt = record.occurredAt
    this.terms.add([textOf(record.payload), context.name, context.type])
    applyLinks(this, row, record)
  }

  #sight(record: Sighted): void {
    const row = this.memories.get(record.id)
    row.sightings = grown(row.sightings, record.seq)
    row.context.updatedAt = record.recordedAt
    if (row.contradictions.length > 0) this.staleness.changed()
    applyLinks(this, row, record)
  }

  #goOnFrom({ lastId }: Rewritten): void {
    if (lastId !== undefined) this.lastId = lastId
  }

  #view(row: MemoryRow): Memory {
    return toMemory(row, this.staleness, this.#texts)
  }
}
