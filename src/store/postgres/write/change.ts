import { isMemoryId } from '../../../domain/ids.js'
import type { ContextId, Link, LinkKind, MemoryId } from '../../../domain/model.js'
import { inverseDocumentFrequency } from '../../../domain/search/bm25.js'
import { likeness } from '../../../domain/trust/likeness.js'
import { bearsOn, MOST_AGREEMENTS, MOST_CONSIDERED } from '../../../domain/trust/trust.js'
import type { Sighted } from '../../records.js'
import type { Document } from '../schema/document.js'
import type { ContextState, GraphRow, IndexedMemory, IndexedRecord, MemoryState } from '../schema/rows.js'

/** What the database says about the part of a graph that some records touch. */
export interface LoadedState {
  readonly graph: GraphRow
  readonly contexts: ReadonlyMap<ContextId, ContextState>
  /** The memories that the records repeat or name. */
  readonly memories: ReadonlyMap<MemoryId, MemoryState>
  /** The last memories of each context that a record contradicts as a whole, oldest first. */
  readonly recent: ReadonlyMap<ContextId, readonly Recent[]>
  /** In how many memories each term occurs, as far as likeness will ask. */
  readonly holding: ReadonlyMap<string, number>
}

export interface Recent {
  readonly seq: number
  readonly document: Document
}

interface RelationChange {
  readonly from: ContextState
  readonly kind: LinkKind
  readonly to: ContextState
  readonly made: number
  readonly firstSeen: string
  lastSeen: string
  /** Who states it in these records, and at which place first. */
  readonly speakers: Map<number, number>
}

/** More links than one event can state. */
const LINKS = 1024

/**
 * What some records change in a graph, worked out in memory and written down afterwards in a few statements. The rules
 * are those of the JSON store: the same records in the same order always give the same graph.
 */
export class Change {
  readonly graph: GraphRow
  readonly contexts: Map<ContextId, ContextState>
  readonly memories: Map<MemoryId, MemoryState>
  readonly sightings: {
    seq: number
    memory: number
    timesSeen: number
    links: readonly Link[]
    recordedAt: string
  }[] = []
  readonly relations = new Map<string, RelationChange>()
  readonly memoryLinks = new Map<string, { target: number; by: number }>()
  readonly memoryAgreements: { memory: number; seq: number; by: number }[] = []
  readonly contextAgreements: { context: number; seq: number; by: number; place: number }[] = []
  readonly contradictions: { memory: number; seq: number; by: number }[] = []
  readonly #recent: Map<ContextId, Recent[]>
  readonly #holding: Map<string, number>
  /** Terms are counted only if a record contradicts a context as a whole. */
  readonly #counts: boolean

  constructor({ graph, contexts, memories, recent, holding }: LoadedState) {
    this.graph = { ...graph }
    this.contexts = new Map(contexts)
    this.memories = new Map(memories)
    this.#recent = new Map(Array.from(recent, ([id, list]) => [id, [...list]]))
    this.#holding = new Map(holding)
    this.#counts = recent.size > 0
  }

  apply(record: IndexedRecord): void {
    this.graph.last_seq = record.seq
    this.graph.last_recorded_at = record.recordedAt
    if (record.op === 'recorded') this.#record(record)
    else this.#sight(record)
  }

  /** Was this memory there before? */
  has(id: MemoryId): boolean {
    return this.memories.has(id)
  }

  #record(record: IndexedMemory): void {
    const context = this.#ensure(record.context, record.recordedAt)
    const { kind, source, content, document, links, occurredAt, recordedAt } = record
    const row: MemoryState = {
      seq: record.seq,
      id: record.id,
      context,
      fresh: {
        kind,
        source,
        payload: content.text,
        content: content.hash,
        stated: links,
        occurredAt,
        recordedAt,
        document,
      },
      document,
      contradicts: new Set(),
      links: [],
      timesSeen: 1,
      sighted: [],
      agreements: 0,
      changed: false,
    }
    this.memories.set(row.id, row)
    context.memories++
    context.added++
    context.updatedAt = recordedAt
    context.changed = true
    this.graph.memories++
    this.graph.total_length += document.length
    this.graph.last_id = record.id
    if (occurredAt > this.graph.newest_at) this.graph.newest_at = occurredAt
    if (this.#counts)
      for (const term of document.counts.keys()) this.#holding.set(term, (this.#holding.get(term) ?? 0) + 1)
    this.#recent.get(context.id)?.push({ seq: row.seq, document })
    this.#link(row, record)
  }

  #sight(record: Sighted): void {
    const row = this.#find(record.id)
    row.timesSeen++
    if (row.sighted.length < MOST_AGREEMENTS) row.sighted = [...row.sighted, record.seq]
    row.changed = true
    row.context.updatedAt = record.recordedAt
    row.context.changed = true
    const { seq, links, recordedAt } = record
    this.sightings.push({ seq, memory: row.seq, timesSeen: row.timesSeen, links, recordedAt })
    this.#link(row, record)
  }

  /** Links that a memory has stated before only move `lastSeen`; new ones count from this record on. */
  #link(row: MemoryState, { links, seq, recordedAt }: IndexedRecord): void {
    links.forEach((link, i) => {
      const target = isMemoryId(link.target) ? this.#find(link.target) : undefined
      const context = target?.context ?? this.#ensure(link.target, recordedAt)
      this.#relate(row, link.kind, context, seq * LINKS + Math.min(i, LINKS - 1), seq, recordedAt)
      if (target !== undefined)
        this.memoryLinks.set(`${target.seq} ${row.seq}`, { target: target.seq, by: row.seq })
      if (row.links.some(({ kind, target }) => kind === link.kind && target === link.target)) return
      row.links = [...row.links, link]
      row.changed = true
      if (link.kind === 'reinforcement') this.#agree(row, seq, target, context)
      if (link.kind === 'contradiction')
        this.#contradict(row, seq, target === undefined ? this.#borne(row, context) : [target.seq])
    })
  }

  #relate(by: MemoryState, kind: LinkKind, to: ContextState, made: number, seq: number, at: string): void {
    const key = `${by.context.no} ${kind} ${to.no}`
    const known = this.relations.get(key)
    if (known === undefined) {
      const speakers = new Map([[by.seq, seq]])
      this.relations.set(key, { from: by.context, kind, to, made, firstSeen: at, lastSeen: at, speakers })
      return
    }
    known.lastSeen = at
    if (!known.speakers.has(by.seq)) known.speakers.set(by.seq, seq)
  }

  #agree(by: MemoryState, seq: number, memory: MemoryState | undefined, context: ContextState): void {
    if (memory !== undefined) {
      memory.agreements++
      memory.changed = true
      this.memoryAgreements.push({ memory: memory.seq, seq, by: by.seq })
      return
    }
    context.changed = true
    this.contextAgreements.push({ context: context.no, seq, by: by.seq, place: ++context.agreements })
  }

  /** Settled when the contradiction is recorded, by what the graph knew then: later memories do not change it. */
  #borne(row: MemoryState, context: ContextState): number[] {
    const recent = this.#recent.get(context.id) ?? []
    const earlier = recent.slice(-MOST_CONSIDERED - 1).filter(({ seq }) => seq !== row.seq)
    const weigh = (term: string) =>
      inverseDocumentFrequency(this.graph.memories, this.#holding.get(term) ?? 0)
    const alike = likeness(
      row.document?.counts.keys() ?? [],
      earlier.map(({ document: { counts } }) => counts.keys()),
      weigh,
    )
    return bearsOn(alike).flatMap((i) => earlier[i]?.seq ?? [])
  }

  #contradict(by: MemoryState, seq: number, borne: readonly number[]): void {
    for (const memory of borne) {
      if (memory === by.seq || by.contradicts.has(memory)) continue
      by.contradicts.add(memory)
      this.contradictions.push({ memory, seq, by: by.seq })
    }
  }

  #ensure(id: ContextId, at: string): ContextState {
    const known = this.contexts.get(id)
    if (known !== undefined) return known
    const context: ContextState = {
      no: ++this.graph.last_context_no,
      id,
      createdAt: at,
      isNew: true,
      memories: 0,
      added: 0,
      agreements: 0,
      updatedAt: at,
      changed: false,
    }
    this.contexts.set(id, context)
    return context
  }

  #find(id: MemoryId): MemoryState {
    const row = this.memories.get(id)
    if (row === undefined) throw new Error(`The memory ${id} was to be loaded.`)
    return row
  }
}
