import type { ContextId, MemoryId } from '../../../domain/model.js'
import type { Page, Paging } from '../../../domain/page.js'
import { NO_PAUSE, type Pause } from '../../../domain/search/knowledge.js'
import { type GraphCounts, MOST_TYPES } from '../../../domain/survey/counts.js'
import { type Highlights, MOST_EVENTS } from '../../../domain/survey/highlights.js'
import type { MemoryHistory } from '../../../domain/survey/history.js'
import type { Dispute, StaleMemory, StalePage } from '../../../domain/survey/lists.js'
import type { Neighbourhood, Reach } from '../../../domain/survey/neighbourhood.js'
import type { StaleSearch } from '../../../domain/survey/stale-search.js'
import { inSlices } from '../../../loop/yielding.js'
import type { PresentReader } from '../../store.js'
import { GraphThen } from '../answers/graph-then.js'
import { NOW } from '../rows/moment.js'
import { highlightsOf } from './highlights.js'
import { historyOf } from './history.js'
import { neighbourhoodOf } from './neighbourhood.js'
import { findStale } from './stale.js'
import type { Surveyed } from './surveyed.js'

/** Every answer from a graph as it is, those included that look over the whole of it. */
export class GraphNow extends GraphThen implements PresentReader {
  readonly #graph: Surveyed
  #searched: { readonly seq: number; readonly search: StaleSearch } | undefined

  constructor(graph: Surveyed) {
    super(graph, NOW)
    this.#graph = graph
  }

  neighbourhood(id: ContextId, reach: Reach): Neighbourhood {
    return neighbourhoodOf(this.#graph.contexts.get(id), this.#graph.contexts.size, reach)
  }

  disputes({ page, pageSize }: Paging): Page<Dispute> {
    const { disputes } = this.#graph.claims
    const pairs = [...disputes.latest(page * pageSize, pageSize)]
    const ids = new Set(pairs.flatMap(({ earlier, later }) => [earlier, later]))
    const byId = new Map(this.memories([...ids]).map((memory) => [memory.memoryId, memory]))
    const items = pairs.flatMap((pair) => {
      const [earlier, later] = [byId.get(pair.earlier), byId.get(pair.later)]
      return earlier === undefined || later === undefined ? [] : { earlier, later }
    })
    return { items, total: disputes.size, page, pageSize }
  }

  async stale({ page, pageSize }: Paging, pause = NO_PAUSE): Promise<StalePage> {
    const search = await this.#search(pause)
    const { found, isCut } = search
    const items: StaleMemory[] = []
    for (const memory of this.memories(found.slice(page * pageSize, (page + 1) * pageSize))) {
      items.push({ memory, because: search.because(memory.memoryId) })
      await pause()
    }
    return { items, total: found.length, page, pageSize, isCut }
  }

  /** What is stale is found once for each change of the graph. */
  async #search(pause: Pause): Promise<StaleSearch> {
    const { lastSeq, claims } = this.#graph
    if (this.#searched?.seq === lastSeq) return this.#searched.search
    const search = await inSlices(findStale(claims), pause)
    this.#searched = { seq: lastSeq, search }
    return search
  }

  history(id: MemoryId, paging: Paging): MemoryHistory {
    return historyOf(this.#graph.rows.get(id), this.#graph.claims, this.#graph.statements, paging)
  }

  async highlights(limit: number, pause = NO_PAUSE): Promise<Highlights> {
    const work = highlightsOf(
      {
        rows: this.#graph.rows.list,
        decisions: this.#graph.decisions,
        repeated: this.#graph.statements.latestRepeated(MOST_EVENTS),
        claims: this.#graph.claims,
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
    const expired = await inSlices(this.#graph.expired(), pause)
    const { found, isCut } = await this.#search(pause)
    const { kinds, sources, months, statements } = this.#graph.counts
    return {
      memories: this.#graph.rows.list.length,
      contexts: this.#graph.contexts.size,
      relationships: this.#graph.contexts.relationships,
      statements,
      types: this.contextTypes({ page: 0, pageSize: MOST_TYPES }).items.map(({ contextType, count }) => ({
        contextType,
        contexts: count,
        memories: this.#graph.ofType.get(contextType) ?? 0,
      })),
      kinds: { ...kinds },
      sources: { ...sources },
      superseded: this.#graph.claims.foundations.superseded,
      expired: expired.size,
      stale: found.filter((id) => !expired.has(id)).length,
      isStaleCut: isCut,
      months,
      firstAt: this.#graph.rows.list[0]?.recordedAt,
      lastAt: this.#graph.timeline.statedAt(NOW) || undefined,
      place: this.#graph.lastPlace,
      unread: this.unread(),
    }
  }
}
