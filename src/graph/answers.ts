import { countUpTo } from '../domain/in-order.js'
import type { Context, ContextId, Memory, MemoryId, Relationship, TypeCount } from '../domain/model.js'
import type { NameQuery } from '../domain/names.js'
import type { Page, Paging } from '../domain/page.js'
import {
  type ClaimOnce,
  type ContextFilter,
  type Near,
  NO_PAUSE,
  type Pause,
  type Retrieval,
  type Retrieved,
} from '../domain/search/knowledge.js'
import { type GraphCounts, MAX_TYPES } from '../domain/survey/counts.js'
import { type Highlights, MOST_EVENTS } from '../domain/survey/highlights.js'
import type { MemoryHistory, TimelineItem } from '../domain/survey/history.js'
import type { Dispute, StaleMemory, StalePage } from '../domain/survey/lists.js'
import type { Neighbourhood, NeighbourhoodLimits } from '../domain/survey/neighbourhood.js'
import type { StaleSearch } from '../domain/survey/stale-search.js'
import { laterOf, type When } from '../domain/time.js'
import { ClaimsAt } from '../domain/trust/claims-at.js'
import { fieldOf, memoryOf } from '../domain/trust/fields.js'
import type { Pair } from '../domain/trust/open-disputes.js'
import { inSlices } from '../loop/yielding.js'
import { toContext } from './contexts.js'
import type { Graph } from './graph.js'
import { nearestRows, vectorsOf } from './nearest.js'
import { neighboursOf } from './neighbours.js'
import { highlightsOf } from './overview/highlights.js'
import { historyOf } from './overview/history.js'
import { linesOf } from './overview/lines.js'
import { neighbourhoodOf } from './overview/neighbourhood.js'
import { findStale } from './overview/stale.js'
import { timelineOf } from './overview/timeline.js'
import type { GraphReader, PresentReader, RelationshipFilter } from './reader.js'
import { relationshipsOf } from './relations.js'
import { countAt, existsAt, type MemoryRow, type Moment, NOW } from './rows.js'
import { opposing, speakingAgainst, toMemory, type View } from './views.js'

/** The graph as it is now. Never earlier than the last recording, even if the clock is behind. */
export function presentOf(
  graph: Graph,
  clock: string,
  validAt = laterOf(clock, graph.lastRecordedAt),
): PresentReader {
  return new GraphNow(graph, NOW, validAt)
}

/** The graph as it was; undefined before its first event. */
export function readerAt(graph: Graph, { asOf, validAt }: When, clock: string): GraphReader | undefined {
  if (asOf === undefined) return presentOf(graph, clock, validAt)
  const place = graph.placeOf(asOf)
  if (graph.timeline.first > place) return undefined
  const { time = graph.timeline.statedAt(place) } = 'time' in asOf ? asOf : {}
  return new GraphThen(graph, place >= graph.lastPlace ? NOW : place, validAt ?? time)
}

/** Every answer that can be given from a graph: what was true at a time, by what had been recorded up to a place, or `NOW`. */
class GraphThen implements GraphReader {
  protected readonly graph: Graph
  protected readonly claims: ClaimsAt
  protected readonly at: string
  protected readonly view: View
  readonly #moment: Moment

  constructor(graph: Graph, place: number, at: string) {
    const { claims } = graph
    this.graph = graph
    this.claims = place === NOW ? graph.claimsAt(at) : new ClaimsAt(claims.at(place), claims, { place, at })
    this.at = at
    this.#moment = momentOf(graph, place)
    const { rows, texts } = graph
    this.view = { rows, claims: this.claims, lines: claims.lines, texts, moment: this.#moment }
  }

  lastPlace(): number {
    return Math.min(this.#moment.place, this.graph.lastPlace)
  }

  contextTypes(paging: Paging): Page<TypeCount> {
    return this.graph.contexts.types(paging, this.#moment)
  }

  contextsOfType(type: string, paging: Paging): Page<Context> {
    return this.graph.contexts.ofType(type, paging, this.#moment)
  }

  searchContexts(query: NameQuery, paging: Paging): Page<Context> {
    return this.graph.contexts.search(query, paging, this.#moment)
  }

  context(id: ContextId): Context {
    return toContext(this.graph.contexts.get(id, this.#moment), this.#moment)
  }

  contextMemories(id: ContextId, paging: Paging): Page<Memory> {
    const { memories } = this.graph.contexts.get(id, this.#moment)
    const total = countAt(memories, this.#moment)
    const end = total - paging.page * paging.pageSize
    const rows = end <= 0 ? [] : memories.slice(Math.max(0, end - paging.pageSize), end).reverse()
    return { items: this.#views(rows), total, ...paging }
  }

  relationships(id: ContextId, filter: RelationshipFilter): readonly Relationship[] {
    return relationshipsOf(this.graph.contexts.get(id, this.#moment), filter, this.#moment)
  }

  memory(id: MemoryId): Memory {
    return toMemory(this.graph.rows.get(id, this.#moment), this.view)
  }

  memories(ids: readonly MemoryId[]): readonly Memory[] {
    return this.#views(this.graph.rows.all(ids).filter((row) => existsAt(row, this.#moment)))
  }

  retrieve({ terms, scope, limit }: Retrieval): Retrieved {
    const { rows, timeline } = this.graph
    const { place, memories } = this.#moment
    const index = this.graph.indexes.ready()
    const hits = index.search(terms, limit, scope && rows.within(scope), memories)
    return {
      found: hits.flatMap(({ document, score, matched }) => {
        const row = rows.list[document]
        return row === undefined ? [] : [{ memory: toMemory(row, this.view), bm25: score, matched }]
      }),
      idf: this.weigh(terms),
      averageLength: index.averageLength(memories),
      memoryCount: memories,
      newestAt: timeline.newestAt(place),
    }
  }

  nearest(near: Near): readonly Memory[] {
    return this.#views(nearestRows(near, this.graph, this.#moment))
  }

  vectors(ids: readonly MemoryId[]): ReadonlyMap<MemoryId, Int8Array> {
    return vectorsOf(ids, this.graph)
  }

  unread(): number {
    const { meanings } = this.graph
    const { memories } = this.#moment
    return meanings === undefined ? 0 : memories - meanings.countAmong(memories)
  }

  latest(scope: ContextFilter, limit: number): readonly Memory[] {
    const { rows, contexts } = this.graph
    if (scope.types.length > 0) return this.#views(rows.latest(scope, limit, this.#moment))
    // Through all memories it would take 30 ms among 100,000.
    const ofEach = [...new Set(contexts.within(scope))].flatMap(({ memories }) => {
      const end = countAt(memories, this.#moment)
      return memories.slice(Math.max(0, end - limit), end)
    })
    return this.#views(ofEach.sort((a, b) => b.number - a.number).slice(0, limit))
  }

  weigh(terms: readonly string[]): ReadonlyMap<string, number> {
    const { memories } = this.#moment
    const index = this.graph.indexes.ready()
    return new Map(terms.map((term) => [term, index.idf(term, memories)]))
  }

  neighbours(ids: readonly MemoryId[]): readonly Memory[] {
    const given = ids.map((id) => this.graph.rows.get(id, this.#moment))
    return this.#views(neighboursOf(given, (row) => opposing(row, this.view), this.#moment))
  }

  recordsAgainst(ids: readonly MemoryId[]): ReadonlyMap<MemoryId, readonly Memory[]> {
    const rows = this.graph.rows.all(ids).filter((row) => existsAt(row, this.#moment))
    const found = rows.map((row) => [row.id, this.#views(speakingAgainst(row, this.view))] as const)
    return new Map(found.filter(([, records]) => records.length > 0))
  }

  lines(ids: readonly MemoryId[]): readonly (readonly ClaimOnce[])[] {
    const there = this.graph.rows.all(ids).filter((row) => existsAt(row, this.#moment))
    return linesOf(there, this.view).map((line) =>
      line.map(({ row, ...once }) => ({ ...once, memory: toMemory(row, this.view) })),
    )
  }

  #views(rows: readonly MemoryRow[]): Memory[] {
    return rows.map((row) => toMemory(row, this.view))
  }
}

/** The present goes on while it is looked at. */
function momentOf({ rows }: Graph, place: number): Moment {
  if (place !== NOW) return { place, memories: countUpTo(rows.list, place) }
  return {
    place,
    get memories() {
      return rows.list.length
    },
  }
}

/** Every answer from a graph as it is, those included that look over the whole of it. */
class GraphNow extends GraphThen implements PresentReader {
  neighbourhood(id: ContextId, limits: NeighbourhoodLimits): Neighbourhood {
    return neighbourhoodOf(this.graph.contexts.get(id), this.graph.contexts.size, limits)
  }

  async disputes({ page, pageSize }: Paging, pause = NO_PAUSE): Promise<Page<Dispute>> {
    const { disputes } = this.graph.claims
    const open = this.graph.isTimed(this.at) ? await inSlices(this.#openPairs(), pause) : undefined
    const from = page * pageSize
    const pairs = open?.slice(from, from + pageSize) ?? disputes.latest(from, pageSize)
    const ids = new Set(pairs.flatMap(({ earlier, later }) => [memoryOf(earlier), memoryOf(later)]))
    const byId = new Map(this.memories([...ids]).map((memory) => [memory.memoryId, memory]))
    const items = pairs.flatMap((pair) => {
      const [earlier, later] = [byId.get(memoryOf(pair.earlier)), byId.get(memoryOf(pair.later))]
      const field = fieldOf(pair.earlier) ?? fieldOf(pair.later)
      return earlier === undefined || later === undefined
        ? []
        : { earlier, later, ...(field !== undefined && { field }) }
    })
    return { items, total: open?.length ?? disputes.size, page, pageSize }
  }

  /** The disputes of which both sides hold at the time, the latest first, in small steps. */
  *#openPairs(): Generator<void, Pair[]> {
    const { disputes } = this.graph.claims
    const open: Pair[] = []
    for (const pair of disputes.latest(0, disputes.size)) {
      if (this.claims.opponents(pair.later).has(pair.earlier)) open.push(pair)
      yield
    }
    return open
  }

  async stale({ page, pageSize }: Paging, pause = NO_PAUSE): Promise<StalePage> {
    const search = await this.#search(pause)
    const { isCut } = search
    const found = this.#begunIn(search)
    const items: StaleMemory[] = []
    for (const id of found.slice(page * pageSize, (page + 1) * pageSize)) {
      items.push({ memory: this.memory(id), because: search.because(id) })
      await pause()
    }
    return { items, total: found.length, page, pageSize, isCut }
  }

  /** Without those that are planned or expired, which changes with the time alone. */
  #begunIn({ found }: StaleSearch): readonly MemoryId[] {
    return found.filter((id) => this.claims.whole(id)?.phase === undefined)
  }

  /** What is stale is found once for each change of the claims. */
  async #search(pause: Pause): Promise<StaleSearch> {
    const { causes } = this.claims
    const known = this.graph.stale.get(causes)
    if (known !== undefined) return known
    const search = await inSlices(findStale(this.claims), pause)
    this.graph.stale.set(causes, search)
    return search
  }

  history(id: MemoryId, paging: Paging): MemoryHistory {
    return historyOf(this.graph.rows.get(id), this.view, this.graph.statements, paging)
  }

  async timeline(id: ContextId, { page, pageSize }: Paging, pause = NO_PAUSE): Promise<Page<TimelineItem>> {
    const { memories } = this.graph.contexts.get(id)
    const all = await inSlices(timelineOf(memories, this.view), pause)
    const shown = all.slice(page * pageSize, (page + 1) * pageSize)
    const items = shown.flatMap(({ row, text, ...spell }) => {
      const [memory] = this.memories([row.id])
      return memory === undefined ? [] : [{ ...spell, memory, text: text ?? memory.text }]
    })
    return { items, total: all.length, page, pageSize }
  }

  async highlights(limit: number, pause = NO_PAUSE): Promise<Highlights> {
    const work = highlightsOf(
      {
        rows: this.graph.rows.list,
        decisions: this.graph.decisions,
        repeated: this.graph.statements.latestRepeated(MOST_EVENTS),
        claims: this.claims,
      },
      limit,
    )
    const ids = await inSlices(work, pause)
    return {
      decisions: this.memories(ids.decisions),
      confirmed: this.memories(ids.confirmed),
      latest: this.memories(ids.latest),
    }
  }

  async counts(pause = NO_PAUSE): Promise<GraphCounts> {
    const { planned, expired, superseded } = await inSlices(this.graph.inTime(this.claims), pause)
    const search = await this.#search(pause)
    const { kinds, sources, months, statements } = this.graph.counts
    return {
      memories: this.graph.rows.list.length,
      contexts: this.graph.contexts.size,
      relationships: this.graph.contexts.relationships,
      statements,
      types: this.contextTypes({ page: 0, pageSize: MAX_TYPES }).items.map(({ contextType, count }) => ({
        contextType,
        contexts: count,
        memories: this.graph.ofType.get(contextType) ?? 0,
      })),
      kinds: { ...kinds },
      sources: { ...sources },
      superseded: this.graph.claims.foundations.superseded + superseded,
      planned: planned.size,
      expired: expired.size,
      stale: this.#begunIn(search).length,
      isStaleCut: search.isCut,
      months,
      firstAt: this.graph.rows.list[0]?.recordedAt,
      lastAt: this.graph.timeline.statedAt(NOW) || undefined,
      place: this.graph.lastPlace,
      unread: this.unread(),
    }
  }
}
