import { Failure } from '../../domain/failure.js'
import { isMemoryId } from '../../domain/ids.js'
import type { Context, ContextId, Memory, MemoryId, Relationship, TypeCount } from '../../domain/model.js'
import type { NameQuery } from '../../domain/names.js'
import type { Page, Paging } from '../../domain/page.js'
import { textOf } from '../../domain/text.js'
import { bearsOn, MOST_CONSIDERED } from '../../domain/trust.js'
import type { RelationshipFilter, Retrieval, Retrieved, Scope } from '../store.js'
import { ContentIndex, contentOf } from './contents.js'
import { Contexts, toContext } from './contexts.js'
import { neighboursOf } from './neighbours.js'
import type { GraphRecord, Recorded, Sighted } from './records.js'
import { relate, relationshipsOf } from './relations.js'
import { type ContextRow, grown, type MemoryRow, NONE, type Statement } from './rows.js'
import { Staleness } from './staleness.js'
import { standingOf } from './standing.js'
import { TermIndex } from './terms.js'
import { payloadOf, toMemory } from './views.js'

/**
 * One graph in memory: what its records add up to, and every answer that can be given from it.
 * `apply` is the only thing that changes it, and the same records in the same order always give the same graph.
 */
export class Graph {
  readonly #contexts = new Contexts()
  /** In order of recording, and so in order of their ids. */
  readonly #memories: MemoryRow[] = []
  readonly #contents: ContentIndex
  readonly #terms = new TermIndex()
  readonly #staleness = new Staleness()
  #newestAt = ''
  lastSeq = 0
  lastRecordedAt = ''

  /** `seed` is any number that those who record events do not know. */
  constructor(seed: number) {
    this.#contents = new ContentIndex(seed)
  }

  apply(record: GraphRecord): void {
    this.lastSeq = record.seq
    this.lastRecordedAt = record.recordedAt
    if (record.op === 'recorded') this.#record(record)
    else this.#sight(record)
  }

  get lastId(): MemoryId | undefined {
    return this.#memories.at(-1)?.id
  }

  get memoryCount(): number {
    return this.#memories.length
  }

  /** The memory that is the same event: same context, kind and canonical payload. */
  sameEvent(content: string): MemoryId | undefined {
    const number = this.#contents.find(content, (number) => {
      const row = this.#memories[number]
      return row !== undefined && contentOf(row.context.id, row.kind, payloadOf(row)) === content
    })
    return number === undefined ? undefined : this.#memories[number]?.id
  }

  /** What remains to be done before the first question is answered quickly, a little at a time. */
  catchUp(): Generator<void> {
    return this.#terms.catchUp()
  }

  has(memoryId: MemoryId): boolean {
    return this.#row(memoryId) !== undefined
  }

  contextTypes(paging: Paging): Page<TypeCount> {
    return this.#contexts.types(paging)
  }

  contexts(type: string, paging: Paging): Page<Context> {
    return this.#contexts.ofType(type, paging)
  }

  searchContexts(query: NameQuery, paging: Paging): Page<Context> {
    return this.#contexts.search(query, paging)
  }

  context(id: ContextId): Context {
    return toContext(this.#contexts.get(id))
  }

  contextMemories(id: ContextId, paging: Paging): Page<Memory> {
    const { memories } = this.#contexts.get(id)
    const end = memories.length - paging.page * paging.pageSize
    const rows = end <= 0 ? [] : memories.slice(Math.max(0, end - paging.pageSize), end).reverse()
    return { items: rows.map((row) => this.#view(row)), total: memories.length, ...paging }
  }

  relationships(id: ContextId, filter: RelationshipFilter): readonly Relationship[] {
    return relationshipsOf(this.#contexts.get(id), filter)
  }

  memory(id: MemoryId): Memory {
    return this.#view(this.#find(id))
  }

  /** What a receipt says of a memory. */
  receipt(id: MemoryId): { contextId: ContextId; confidence: number } {
    const row = this.#find(id)
    return { contextId: row.context.id, confidence: standingOf(row).confidence }
  }

  retrieve({ terms, scope, limit }: Retrieval): Retrieved {
    const hits = this.#terms.search(terms, limit, scope && this.#within(scope))
    return {
      found: hits.flatMap(({ document, score, matched }) => {
        const row = this.#memories[document]
        return row === undefined ? [] : [{ memory: this.#view(row), bm25: score, matched }]
      }),
      idf: this.weigh(terms),
      averageLength: this.#terms.averageLength,
      memoryCount: this.#memories.length,
      newestAt: this.#newestAt,
    }
  }

  latest(scope: Scope, limit: number): readonly Memory[] {
    const isWithin = this.#within(scope)
    const rows: MemoryRow[] = []
    for (let i = this.#memories.length - 1; i >= 0 && rows.length < limit; i--) {
      const row = this.#memories[i]
      if (row !== undefined && isWithin(i)) rows.push(row)
    }
    return rows.map((row) => this.#view(row))
  }

  weigh(terms: readonly string[]): ReadonlyMap<string, number> {
    return new Map(terms.map((term) => [term, this.#terms.idf(term)]))
  }

  neighbours(ids: readonly MemoryId[]): readonly Memory[] {
    return neighboursOf(ids.map((id) => this.#find(id))).map((row) => this.#view(row))
  }

  #record(record: Recorded): void {
    const context = this.#contexts.ensure(record.context, record.recordedAt)
    const row: MemoryRow = {
      number: this.#memories.length,
      seq: record.seq,
      id: record.id,
      context,
      kind: record.kind,
      source: record.source,
      payload: JSON.stringify(record.payload),
      // Most events happen when they are recorded; then one string serves for both.
      occurredAt: record.occurredAt === record.recordedAt ? record.recordedAt : record.occurredAt,
      recordedAt: record.recordedAt,
      links: NONE,
      sightings: NONE,
      agreements: NONE,
      contradictions: NONE,
    }
    this.#memories.push(row)
    this.#contents.add(contentOf(record.context, record.kind, record.payload))
    context.memories = grown(context.memories, row)
    context.updatedAt = record.recordedAt
    if (record.occurredAt > this.#newestAt) this.#newestAt = record.occurredAt
    this.#terms.add([textOf(record.payload), context.name, context.type])
    this.#link(row, record)
  }

  #sight(record: Sighted): void {
    const row = this.#find(record.id)
    row.sightings = grown(row.sightings, record.seq)
    row.context.updatedAt = record.recordedAt
    if (row.contradictions.length > 0) this.#staleness.changed()
    this.#link(row, record)
  }

  /** Links that a memory has stated before only move `lastSeen`; new ones count from this record on. */
  #link(row: MemoryRow, { links, seq, recordedAt }: GraphRecord): void {
    for (const link of links) {
      const target = isMemoryId(link.target) ? this.#find(link.target) : undefined
      const context = target?.context ?? this.#contexts.ensure(link.target, recordedAt)
      if (relate(row, link.kind, context, recordedAt) && link.kind === 'extension') this.#staleness.changed()
      if (row.links.some(({ kind, target }) => kind === link.kind && target === link.target)) continue
      row.links = grown(row.links, link)
      const statement = { seq, by: row }
      if (link.kind === 'reinforcement') this.#agree(statement, target ?? context)
      if (link.kind === 'contradiction')
        this.#contradict(statement, target === undefined ? this.#borne(row, context) : [target])
    }
  }

  #agree(statement: Statement, onto: MemoryRow | ContextRow): void {
    onto.agreements = grown(onto.agreements, statement)
    this.#staleness.changed()
  }

  /** Settled when the contradiction is recorded, by what the graph knew then: later memories do not change it. */
  #borne(row: MemoryRow, context: ContextRow): MemoryRow[] {
    const earlier = context.memories.slice(-MOST_CONSIDERED - 1).filter((other) => other !== row)
    const likeness = this.#terms.likeness(
      row.number,
      earlier.map(({ number }) => number),
    )
    return bearsOn(likeness).flatMap((i) => earlier[i] ?? [])
  }

  #contradict(statement: Statement, borne: readonly MemoryRow[]): void {
    const first = statement.by.links.filter(({ kind }) => kind === 'contradiction').length === 1
    for (const row of borne) {
      if (row === statement.by) continue
      if (!first && row.contradictions.some(({ by }) => by === statement.by)) continue
      row.contradictions = grown(row.contradictions, statement)
      this.#staleness.contradicted(row)
    }
  }

  #find(id: MemoryId): MemoryRow {
    const row = this.#row(id)
    if (row === undefined) throw new Failure('memory_not_found', `The graph has no memory ${id}.`)
    return row
  }

  #row(id: MemoryId): MemoryRow | undefined {
    let low = 0
    let high = this.#memories.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#memories[middle]?.id ?? '') < id) low = middle + 1
      else high = middle
    }
    const row = this.#memories[low]
    return row?.id === id ? row : undefined
  }

  #within({ types, contextIds }: Scope): (document: number) => boolean {
    const wantedTypes = new Set(types)
    const wantedIds = new Set(contextIds)
    return (document) => {
      const context = this.#memories[document]?.context
      return context !== undefined && (wantedTypes.has(context.type) || wantedIds.has(context.id))
    }
  }

  #view(row: MemoryRow): Memory {
    return toMemory(row, this.#staleness)
  }
}
