import type { Context, ContextId, Memory, MemoryId, Relationship, TypeCount } from '../../../domain/model.js'
import type { NameQuery } from '../../../domain/names.js'
import type { Page, Paging } from '../../../domain/page.js'
import type { Near } from '../../../domain/search/knowledge.js'
import type { TextCache } from '../../../domain/text-cache.js'
import { type ClaimsThen, countUpTo } from '../../../domain/trust/history.js'
import type { ClaimTable } from '../../../domain/trust/table.js'
import type { ContextFilter, GraphReader, RelationshipFilter, Retrieval, Retrieved } from '../../store.js'
import type { Meanings } from '../meanings/meanings.js'
import { type Contexts, toContext } from '../rows/contexts.js'
import type { Memories } from '../rows/memories.js'
import { countThen, isThere, type Moment, NOW } from '../rows/moment.js'
import { relationshipsOf } from '../rows/relations.js'
import type { MemoryRow } from '../rows/rows.js'
import type { Timeline } from '../rows/timeline.js'
import type { Indexes } from './indexes.js'
import { nearestRows, vectorsOf } from './nearest.js'
import { neighboursOf } from './neighbours.js'
import { opposing, speakingAgainst } from './standing.js'
import { type Look, toMemory } from './views.js'

/** What answers are made from. */
export interface Kept {
  readonly contexts: Contexts
  readonly rows: Memories
  readonly indexes: Indexes
  readonly claims: ClaimTable
  readonly meanings: Meanings | undefined
  readonly texts: TextCache
  readonly timeline: Timeline
  readonly lastPlace: number
}

/** Every answer that can be given from a graph, as it was when all up to a place had been recorded, or as it is `NOW`. */
export class GraphThen implements GraphReader {
  readonly #graph: Kept
  readonly #claims: ClaimsThen
  readonly #moment: Moment

  constructor(graph: Kept, place: number) {
    this.#graph = graph
    this.#claims = place === NOW ? graph.claims : graph.claims.at(place)
    this.#moment = momentOf(graph, place)
  }

  lastPlace(): number {
    return Math.min(this.#moment.place, this.#graph.lastPlace)
  }

  contextTypes(paging: Paging): Page<TypeCount> {
    return this.#graph.contexts.types(paging, this.#moment)
  }

  contextsOfType(type: string, paging: Paging): Page<Context> {
    return this.#graph.contexts.ofType(type, paging, this.#moment)
  }

  searchContexts(query: NameQuery, paging: Paging): Page<Context> {
    return this.#graph.contexts.search(query, paging, this.#moment)
  }

  context(id: ContextId): Context {
    return toContext(this.#graph.contexts.getThen(id, this.#moment), this.#moment)
  }

  contextMemories(id: ContextId, paging: Paging): Page<Memory> {
    const { memories } = this.#graph.contexts.getThen(id, this.#moment)
    const total = countThen(memories, this.#moment)
    const end = total - paging.page * paging.pageSize
    const rows = end <= 0 ? [] : memories.slice(Math.max(0, end - paging.pageSize), end).reverse()
    return { items: this.#views(rows), total, ...paging }
  }

  relationships(id: ContextId, filter: RelationshipFilter): readonly Relationship[] {
    return relationshipsOf(this.#graph.contexts.getThen(id, this.#moment), filter, this.#moment)
  }

  memory(id: MemoryId): Memory {
    return toMemory(this.#graph.rows.getThen(id, this.#moment), this.#look())
  }

  memories(ids: readonly MemoryId[]): readonly Memory[] {
    return this.#views(this.#graph.rows.all(ids).filter((row) => isThere(row, this.#moment)))
  }

  retrieve({ terms, scope, limit }: Retrieval): Retrieved {
    const { rows, timeline } = this.#graph
    const { place, memories } = this.#moment
    const index = this.#graph.indexes.ready()
    const hits = index.search(terms, limit, scope && rows.within(scope), memories)
    const look = this.#look()
    return {
      found: hits.flatMap(({ document, score, matched }) => {
        const row = rows.list[document]
        return row === undefined ? [] : [{ memory: toMemory(row, look), bm25: score, matched }]
      }),
      idf: this.weigh(terms),
      averageLength: index.averageLength(memories),
      memoryCount: memories,
      newestAt: timeline.newestAt(place),
    }
  }

  nearest(near: Near): readonly Memory[] {
    return this.#views(nearestRows(near, this.#graph, this.#moment))
  }

  vectors(ids: readonly MemoryId[]): ReadonlyMap<MemoryId, Int8Array> {
    return vectorsOf(ids, this.#graph)
  }

  unread(): number {
    const { meanings } = this.#graph
    const { memories } = this.#moment
    return meanings === undefined ? 0 : memories - meanings.countAmong(memories)
  }

  latest(scope: ContextFilter, limit: number): readonly Memory[] {
    return this.#views(this.#graph.rows.latest(scope, limit, this.#moment))
  }

  weigh(terms: readonly string[]): ReadonlyMap<string, number> {
    const { memories } = this.#moment
    const index = this.#graph.indexes.ready()
    return new Map(terms.map((term) => [term, index.idf(term, memories)]))
  }

  neighbours(ids: readonly MemoryId[]): readonly Memory[] {
    const given = ids.map((id) => this.#graph.rows.getThen(id, this.#moment))
    return this.#views(neighboursOf(given, (row) => opposing(row, this.#standing), this.#moment))
  }

  recordsAgainst(ids: readonly MemoryId[]): ReadonlyMap<MemoryId, readonly Memory[]> {
    const rows = this.#graph.rows.all(ids).filter((row) => isThere(row, this.#moment))
    const found = rows.map((row) => [row.id, this.#views(speakingAgainst(row, this.#standing))] as const)
    return new Map(found.filter(([, records]) => records.length > 0))
  }

  get #standing() {
    return { rows: this.#graph.rows, claims: this.#claims }
  }

  #views(rows: readonly MemoryRow[]): Memory[] {
    const look = this.#look()
    return rows.map((row) => toMemory(row, look))
  }

  #look(): Look {
    return {
      claims: this.#claims,
      texts: this.#graph.texts,
      moment: this.#moment,
      statedAt: this.#graph.timeline.statedAt(this.#moment.place),
    }
  }
}

/** The present goes on while it is looked at. */
function momentOf({ rows }: Kept, place: number): Moment {
  if (place !== NOW) return { place, memories: countUpTo(rows.list, place) }
  return {
    place,
    get memories() {
      return rows.list.length
    },
  }
}
