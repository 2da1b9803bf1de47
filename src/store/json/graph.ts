import { createHash } from 'node:crypto'
import { stemsOf } from '../../domain/analysis.js'
import { canonicalJson } from '../../domain/canonical.js'
import { Failure } from '../../domain/failure.js'
import { isMemoryId } from '../../domain/ids.js'
import {
  type Context,
  type ContextId,
  type Direction,
  type EventKind,
  type JsonObject,
  LINK_KINDS,
  type Link,
  type LinkKind,
  type Memory,
  type MemoryId,
  type Relationship,
  type Source,
  type TypeCount,
} from '../../domain/model.js'
import { byCodeUnit, contextId, type NameQuery, nameRank, splitContextId } from '../../domain/names.js'
import { type Page, type Paging, pageOf } from '../../domain/page.js'
import { textOf } from '../../domain/text.js'
import { type Assessment, assess, bearsOn, statusOf, type Voice } from '../../domain/trust.js'
import type { Candidate, Neighbour, RelationshipFilter, Retrieval, Retrieved, Scope } from '../store.js'
import type { GraphRecord, Recorded, Sighted } from './records.js'
import { SortedStrings } from './sorted.js'
import { TermIndex } from './terms.js'

interface StoredMemory {
  readonly number: number
  readonly seq: number
  readonly id: MemoryId
  readonly context: StoredContext
  readonly kind: EventKind
  readonly source: Source
  /** As JSON: a string is smaller than the objects it stands for, and most memories are rarely read. */
  readonly payload: string
  readonly occurredAt: string
  readonly recordedAt: string
  links: Link[]
  readonly sightings: number[]
  /** Later memories that name this one as reinforced. */
  readonly agreements: Statement[]
  /** Later memories whose contradiction bears on this one. */
  readonly contradictions: Statement[]
}

interface StoredContext {
  readonly id: ContextId
  readonly type: string
  readonly name: string
  readonly createdAt: string
  updatedAt: string
  readonly memories: StoredMemory[]
  /** Memories that reinforce the context as a whole. */
  readonly agreements: Statement[]
  readonly contradicted: Set<StoredMemory>
  readonly outgoing: Map<string, StoredRelationship>
  readonly incoming: Map<string, StoredRelationship>
}

interface Statement {
  readonly seq: number
  readonly by: StoredMemory
}

interface StoredRelationship {
  readonly kind: LinkKind
  readonly other: StoredContext
  readonly statedBy: Set<StoredMemory>
  readonly firstSeen: string
  lastSeen: string
}

/**
 * One graph in memory: what its records add up to, and every answer that can be given from it.
 * `apply` is the only thing that changes it, and the same records in the same order always give the same graph.
 */
export class Graph {
  readonly #contexts = new Map<ContextId, StoredContext>()
  readonly #types = new Map<string, SortedStrings>()
  readonly #typeNames = new SortedStrings()
  readonly #memories: StoredMemory[] = []
  readonly #byId = new Map<MemoryId, StoredMemory>()
  readonly #byContent = new Map<string, StoredMemory>()
  readonly #terms = new TermIndex()
  #newestAt = ''
  lastSeq = 0
  lastId: MemoryId | undefined
  lastRecordedAt = ''

  apply(record: GraphRecord): void {
    this.lastSeq = record.seq
    this.lastRecordedAt = record.recordedAt
    if (record.op === 'recorded') this.#record(record)
    else this.#sight(record)
  }

  /** The memory that is the same event: same context, kind and canonical payload. */
  sameEvent(contentKey: string): MemoryId | undefined {
    return this.#byContent.get(contentKey)?.id
  }

  has(memoryId: MemoryId): boolean {
    return this.#byId.has(memoryId)
  }

  get memoryCount(): number {
    return this.#memories.length
  }

  contextTypes(paging: Paging): Page<TypeCount> {
    const page = pageOf(this.#typeNames.values(), paging)
    const count = (contextType: string) => ({ contextType, count: this.#types.get(contextType)?.length ?? 0 })
    return { ...page, items: page.items.map(count) }
  }

  contexts(type: string, paging: Paging): Page<Context> {
    const page = pageOf(this.#types.get(type)?.values() ?? [], paging)
    return { ...page, items: page.items.map((name) => toContext(this.#context(contextId(type, name)))) }
  }

  searchContexts(query: NameQuery, paging: Paging): Page<Context> {
    const found: { rank: number; context: StoredContext }[] = []
    for (const context of this.#contexts.values()) {
      const rank = nameRank(query, context.type, context.name)
      if (rank !== undefined) found.push({ rank, context })
    }
    found.sort((a, b) => a.rank - b.rank || byCodeUnit(a.context.id, b.context.id))
    const page = pageOf(found, paging)
    return { ...page, items: page.items.map(({ context }) => toContext(context)) }
  }

  context(id: ContextId): Context {
    return toContext(this.#context(id))
  }

  contextMemories(id: ContextId, paging: Paging): Page<Memory> {
    const { memories } = this.#context(id)
    const end = memories.length - paging.page * paging.pageSize
    const items = end <= 0 ? [] : memories.slice(Math.max(0, end - paging.pageSize), end).reverse()
    return { items: items.map((memory) => this.#toMemory(memory)), total: memories.length, ...paging }
  }

  relationships(id: ContextId, filter: RelationshipFilter): readonly Relationship[] {
    const { outgoing, incoming } = this.#context(id)
    const listed = (from: Map<string, StoredRelationship>, direction: Direction) =>
      filter.direction !== undefined && filter.direction !== direction
        ? []
        : [...from.values()]
            .filter(({ kind }) => filter.kind === undefined || filter.kind === kind)
            .sort((a, b) => kindOrder(a.kind) - kindOrder(b.kind) || byCodeUnit(a.other.id, b.other.id))
            .map((relationship) => toRelationship(relationship, direction))
    return [...listed(outgoing, 'outgoing'), ...listed(incoming, 'incoming')]
  }

  memory(id: MemoryId): Memory {
    return this.#toMemory(this.#find(id))
  }

  retrieve({ terms, scope, limit }: Retrieval): Retrieved {
    const accepts = scope === undefined ? () => true : this.#accepts(scope)
    const hits = this.#terms.search(terms, accepts)
    hits.sort((a, b) => b.score - a.score || a.document - b.document)
    const found: Candidate[] = []
    for (const { document, score, matched } of hits.slice(0, limit)) {
      const memory = this.#memories[document]
      if (memory !== undefined) found.push({ memory: this.#toMemory(memory), bm25: score, matched })
    }
    return {
      found,
      idf: new Map(terms.map((term) => [term, this.#terms.idf(term)])),
      memoryCount: this.#memories.length,
      newestAt: this.#newestAt,
    }
  }

  neighbours(ids: readonly MemoryId[]): readonly Neighbour[] {
    return ids.flatMap((id) => this.#neighboursOf(this.#find(id)))
  }

  #neighboursOf(onto: StoredMemory): Neighbour[] {
    const found = new Map<string, { seq: number; neighbour: Neighbour }>()
    const add = (kind: LinkKind, { seq, by }: Statement) => {
      if (by === onto || found.has(`${kind} ${by.id}`)) return
      found.set(`${kind} ${by.id}`, { seq, neighbour: { onto: onto.id, kind, memory: this.#toMemory(by) } })
    }
    for (const statement of onto.contradictions) add('contradiction', statement)
    for (const statement of onto.agreements) add('reinforcement', statement)
    for (const statement of onto.context.agreements)
      if (statement.seq > onto.seq) add('reinforcement', statement)
    for (const { kind, statedBy } of onto.context.incoming.values())
      if (kind === 'extension' || kind === 'related-to')
        for (const by of statedBy) add(kind, { seq: by.seq, by })
    return [...found.values()].sort((a, b) => a.seq - b.seq).map(({ neighbour }) => neighbour)
  }

  #record(record: Recorded): void {
    const context = this.#contextFor(record.context, record.recordedAt)
    const memory: StoredMemory = {
      number: this.#memories.length,
      seq: record.seq,
      id: record.id,
      context,
      kind: record.kind,
      source: record.source,
      payload: JSON.stringify(record.payload),
      occurredAt: record.occurredAt,
      recordedAt: record.recordedAt,
      links: [],
      sightings: [],
      agreements: [],
      contradictions: [],
    }
    this.#memories.push(memory)
    this.#byId.set(memory.id, memory)
    this.#byContent.set(contentKey(record.context, record.kind, record.payload), memory)
    context.memories.push(memory)
    context.updatedAt = record.recordedAt
    this.lastId = record.id
    if (record.occurredAt > this.#newestAt) this.#newestAt = record.occurredAt
    this.#terms.add([...stemsOf(textOf(record.payload)), ...stemsOf(context.name), ...stemsOf(context.type)])
    this.#link(memory, record)
  }

  #sight(record: Sighted): void {
    const memory = this.#find(record.id)
    memory.sightings.push(record.seq)
    memory.context.updatedAt = record.recordedAt
    this.#link(memory, record)
  }

  /** Links that a memory has stated before only move `lastSeen`; new ones count from this record on. */
  #link(memory: StoredMemory, { links, seq, recordedAt }: GraphRecord): void {
    for (const link of links) {
      const target = isMemoryId(link.target) ? this.#find(link.target) : undefined
      const context = target?.context ?? this.#contextFor(link.target, recordedAt)
      relate(memory.context.outgoing, link.kind, context, memory, recordedAt)
      relate(context.incoming, link.kind, memory.context, memory, recordedAt)
      if (memory.links.some(({ kind, target }) => kind === link.kind && target === link.target)) continue
      memory.links.push(link)
      const statement = { seq, by: memory }
      if (link.kind === 'reinforcement') (target ?? context).agreements.push(statement)
      if (link.kind === 'contradiction')
        this.#contradict(statement, target === undefined ? this.#borne(memory, context) : [target])
    }
  }

  /** Settled when the contradiction is recorded, by what the graph knew then: later memories do not change it. */
  #borne(memory: StoredMemory, context: StoredContext): StoredMemory[] {
    const earlier = context.memories.filter((other) => other !== memory)
    const likeness = earlier.map((other) => this.#terms.likeness(memory.number, other.number))
    return bearsOn(likeness).flatMap((i) => earlier[i] ?? [])
  }

  #contradict(statement: Statement, borne: readonly StoredMemory[]): void {
    for (const memory of borne) {
      if (memory === statement.by || memory.contradictions.some(({ by }) => by === statement.by)) continue
      memory.contradictions.push(statement)
      memory.context.contradicted.add(memory)
    }
  }

  #contextFor(id: ContextId, at: string): StoredContext {
    const known = this.#contexts.get(id)
    if (known !== undefined) return known
    const { type, name } = splitContextId(id)
    const context: StoredContext = {
      id,
      type,
      name,
      createdAt: at,
      updatedAt: at,
      memories: [],
      agreements: [],
      contradicted: new Set(),
      outgoing: new Map(),
      incoming: new Map(),
    }
    this.#contexts.set(id, context)
    let names = this.#types.get(type)
    if (names === undefined) {
      names = new SortedStrings()
      this.#types.set(type, names)
      this.#typeNames.add(type)
    }
    names.add(name)
    return context
  }

  #context(id: ContextId): StoredContext {
    const context = this.#contexts.get(id)
    if (context === undefined) throw new Failure('context_not_found', `The graph has no context ${id}.`)
    return context
  }

  #find(id: MemoryId): StoredMemory {
    const memory = this.#byId.get(id)
    if (memory === undefined) throw new Failure('memory_not_found', `The graph has no memory ${id}.`)
    return memory
  }

  #accepts({ types, contextIds }: Scope): (document: number) => boolean {
    const wantedTypes = new Set(types)
    const wantedIds = new Set(contextIds)
    return (document) => {
      const context = this.#memories[document]?.context
      return context !== undefined && (wantedTypes.has(context.type) || wantedIds.has(context.id))
    }
  }

  #toMemory(memory: StoredMemory): Memory {
    // The store wrote this text itself, from a JSON object.
    const payload = JSON.parse(memory.payload) as JsonObject
    const { supersededAt: _, ...assessment } = this.#assess(memory)
    return {
      memoryId: memory.id,
      contextId: memory.context.id,
      eventKind: memory.kind,
      source: memory.source,
      payload,
      text: textOf(payload),
      links: memory.links,
      occurredAt: memory.occurredAt,
      recordedAt: memory.recordedAt,
      timesSeen: 1 + memory.sightings.length,
      trust: { ...assessment, status: statusOf(this.#assess(memory), this.#buildsOnReplaced(memory)) },
    }
  }

  #assess(memory: StoredMemory): Assessment {
    const agreeing = new Set<StoredMemory>()
    const voices: Voice[] = memory.sightings.map((seq) => ({ kind: 'agrees', seq }))
    for (const { seq, by } of [...memory.agreements, ...memory.context.agreements]) {
      if (seq <= memory.seq || by === memory || agreeing.has(by)) continue
      agreeing.add(by)
      voices.push({ kind: 'agrees', seq })
    }
    for (const { seq, by } of memory.contradictions) {
      const contested = by.contradictions.some((turn) => turn.seq > seq)
      voices.push({ kind: 'contradicts', seq, by: by.id, source: by.source, contested })
    }
    return assess(
      memory.source,
      voices.sort((a, b) => a.seq - b.seq),
    )
  }

  /** Does the context of the memory extend, directly or through others, one that lost a memory after this one came? */
  #buildsOnReplaced(memory: StoredMemory): boolean {
    const reached = new Set<StoredContext>()
    const queue = [memory.context]
    for (let context = queue.pop(); context !== undefined; context = queue.pop())
      for (const { kind, other } of context.outgoing.values()) {
        if (kind !== 'extension' || reached.has(other)) continue
        reached.add(other)
        queue.push(other)
        for (const contradicted of other.contradicted)
          if (contradicted !== memory && (this.#assess(contradicted).supersededAt ?? 0) > memory.seq)
            return true
      }
    return false
  }
}

/** What makes two events the same. */
export function contentKey(context: ContextId, kind: EventKind, payload: JsonObject): string {
  return createHash('sha256')
    .update(JSON.stringify([context, kind]))
    .update(canonicalJson(payload))
    .digest('base64')
}

function relate(
  relationships: Map<string, StoredRelationship>,
  kind: LinkKind,
  other: StoredContext,
  by: StoredMemory,
  at: string,
): void {
  const key = `${kind} ${other.id}`
  const known = relationships.get(key)
  if (known === undefined)
    relationships.set(key, { kind, other, statedBy: new Set([by]), firstSeen: at, lastSeen: at })
  else {
    known.statedBy.add(by)
    known.lastSeen = at
  }
}

function kindOrder(kind: LinkKind): number {
  return LINK_KINDS.indexOf(kind)
}

function toContext({ id, type, name, memories, createdAt, updatedAt }: StoredContext): Context {
  return {
    contextId: id,
    contextType: type,
    contextName: name,
    memoryCount: memories.length,
    createdAt,
    updatedAt,
  }
}

function toRelationship(
  { kind, other, statedBy, firstSeen, lastSeen }: StoredRelationship,
  direction: Direction,
): Relationship {
  return { kind, direction, contextId: other.id, weight: statedBy.size, firstSeen, lastSeen }
}
