import { isMemoryId } from '../../../domain/ids.js'
import type { ContextId, LinkKind, MemoryId } from '../../../domain/model.js'
import { earlierOf, laterOf } from '../../../domain/time.js'
import type { Sighted } from '../../../graph/records.js'
import {
  type ContextState,
  type GraphRow,
  type IndexedMemory,
  type IndexedRecord,
  type MemoryState,
  madeAt,
} from '../schema/rows.js'
import { TOTALS, type Totals } from '../schema/totals.js'

/** What the database says about the part of a graph that some records touch. */
export interface LoadedState {
  readonly graph: GraphRow
  readonly contexts: ReadonlyMap<ContextId, ContextState>
  /** The memories that the records repeat or name. */
  readonly memories: ReadonlyMap<MemoryId, MemoryState>
}

export interface RelationChange {
  readonly from: ContextState
  readonly kind: LinkKind
  readonly to: ContextState
  readonly made: number
  readonly firstSeen: string
  lastSeen: string
  /** Who states it in these records, and in which event first and last. */
  readonly speakers: Map<number, number>
}

/**
 * What some records change in a graph, worked out in memory and written down afterwards in a few statements. The rules
 * are those of the JSON store: the same records in the same order always give the same graph.
 */
export class Change {
  readonly graph: GraphRow
  readonly contexts: Map<ContextId, ContextState>
  readonly memories: Map<MemoryId, MemoryState>
  readonly sightings: { row: MemoryState; timesSeen: number; record: Sighted }[] = []
  readonly relations = new Map<string, RelationChange>()
  /** The links that were stated with sightings. */
  readonly linksSeen: { from: ContextState; kind: LinkKind; to: ContextState; seq: number }[] = []
  readonly memoryLinks = new Map<string, { target: number; by: number }>()
  /** By block, what these records add up to. */
  readonly totals = new Map<number, Totals>()
  readonly #stated = new Map<MemoryId, Set<string>>()

  constructor({ graph, contexts, memories }: LoadedState) {
    this.graph = { ...graph }
    this.contexts = new Map(contexts)
    this.memories = new Map(memories)
  }

  apply(record: IndexedRecord): void {
    this.graph.last_seq = record.seq
    this.graph.last_place = record.place
    this.graph.last_recorded_at = record.recordedAt
    this.graph.stated_at = record.recordedAt
    // Nothing is newer than the moment at which it was told.
    const happened = earlierOf(record.occurredAt, record.recordedAt)
    this.graph.newest_at = laterOf(this.graph.newest_at, happened)
    const totals = this.#totalsOf(record.seq)
    totals.newestAt = laterOf(totals.newestAt, happened)
    if (record.op === 'recorded') this.#record(record)
    else this.#sight(record)
  }

  /** Was this memory there before? */
  has(id: MemoryId): boolean {
    return this.memories.has(id)
  }

  #record(record: IndexedMemory): void {
    const context = this.#ensure(record.context, record)
    const { place, kind, source, content, document, links, occurredAt, recordedAt, decisions } = record
    const { validUntil, recordedBy } = record
    const row: MemoryState = {
      seq: record.seq,
      id: record.id,
      context,
      fresh: {
        place,
        kind,
        source,
        payload: content.text,
        content: content.hash,
        stated: links,
        occurredAt,
        recordedAt,
        validUntil,
        recordedBy,
        decisions,
        document,
      },
      links: [],
      timesSeen: 1,
      occurredAt,
      validUntil,
      changed: false,
    }
    this.memories.set(row.id, row)
    context.memories++
    context.added++
    context.updatedAt = recordedAt
    context.changed = true
    this.graph.memories++
    this.graph.total_length += document.length
    const totals = this.#totalsOf(record.seq)
    totals.memories++
    totals.length += document.length
    this.graph.last_id = record.id
    this.#link(row, record)
  }

  #sight(record: Sighted): void {
    const row = this.#find(record.id)
    row.timesSeen++
    row.occurredAt = record.occurredAt
    row.validUntil = record.validUntil
    row.changed = true
    row.context.updatedAt = record.recordedAt
    row.context.changed = true
    this.sightings.push({ row, timesSeen: row.timesSeen, record })
    this.#link(row, record)
  }

  /** Links that a memory has stated before only move `lastSeen`. */
  #link(row: MemoryState, record: IndexedRecord): void {
    const { links, seq, recordedAt } = record
    if (links.length === 0) return
    const stated = this.#statedBy(row)
    links.forEach((link, i) => {
      const target = isMemoryId(link.target) ? this.#find(link.target) : undefined
      const context = target?.context ?? this.#ensure(link.target, record)
      this.#relate(row, link.kind, context, madeAt(seq, i), seq, recordedAt)
      if (record.op === 'sighted')
        this.linksSeen.push({ from: row.context, kind: link.kind, to: context, seq })
      if (target !== undefined)
        this.memoryLinks.set(`${target.seq} ${row.seq}`, { target: target.seq, by: row.seq })
      const key = `${link.kind} ${link.target}`
      if (stated.has(key)) return
      stated.add(key)
      row.links.push(link)
      row.changed = true
    })
  }

  /** The links of a memory, by kind and target: one that is stated a thousand times may have a hundred more each time. */
  #statedBy({ id, links }: MemoryState): Set<string> {
    const known = this.#stated.get(id) ?? new Set(links.map(({ kind, target }) => `${kind} ${target}`))
    this.#stated.set(id, known)
    return known
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

  #totalsOf(seq: number): Totals {
    const block = Math.floor(seq / TOTALS)
    const known = this.totals.get(block)
    if (known !== undefined) return known
    const totals = { memories: 0, length: 0, newestAt: '' }
    this.totals.set(block, totals)
    return totals
  }

  #ensure(id: ContextId, { seq, recordedAt }: IndexedRecord): ContextState {
    const known = this.contexts.get(id)
    if (known !== undefined) return known
    const context: ContextState = {
      no: ++this.graph.last_context_no,
      id,
      seq,
      createdAt: recordedAt,
      isNew: true,
      memories: 0,
      added: 0,
      updatedAt: recordedAt,
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
