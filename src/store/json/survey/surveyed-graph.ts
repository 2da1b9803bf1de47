import type { ContextId, MemoryId } from '../../../domain/model.js'
import { splitContextId } from '../../../domain/names.js'
import type { Page, Paging } from '../../../domain/page.js'
import { type GraphCounts, MOST_TYPES, monthOf, StatementCounts } from '../../../domain/survey/counts.js'
import { type Highlights, MOST_EVENTS } from '../../../domain/survey/highlights.js'
import type { MemoryHistory } from '../../../domain/survey/history.js'
import type { Dispute, StaleMemory } from '../../../domain/survey/lists.js'
import type { Neighbourhood, Reach } from '../../../domain/survey/neighbourhood.js'
import type { StaleSearch } from '../../../domain/survey/stale-search.js'
import type { GraphReader } from '../../store.js'
import type { GraphRecord } from '../log/records.js'
import { Graph } from '../memory/graph.js'
import type { Prepared } from '../memory/prepared.js'
import type { MemoryRow } from '../memory/rows.js'
import { highlightsOf } from './highlights.js'
import { historyOf } from './history.js'
import { neighbourhoodOf } from './neighbourhood.js'
import { findStale } from './stale.js'
import { Statements } from './statements.js'

/** One graph in memory with the answers that look over the whole of it. */
export class SurveyedGraph extends Graph implements GraphReader {
  readonly #counts = new StatementCounts()
  readonly #statements = new Statements(this.rows)
  readonly #decisions: MemoryRow[] = []
  readonly #ofType = new Map<string, number>()
  #lastAt: string | undefined
  #searched: { readonly seq: number; readonly search: StaleSearch } | undefined

  override apply(record: GraphRecord, content?: Prepared): void {
    if (record.op === 'sighted') this.#statements.keepFirst(record.id)
    super.apply(record, content)
    if (record.op === 'rewritten') return
    this.#statements.add(record)
    this.#lastAt = record.recordedAt
    const kind = record.op === 'recorded' ? record.kind : undefined
    this.#counts.add(record.source, monthOf(record.recordedAt), kind)
    if (record.op === 'sighted') return
    if (kind === 'decision') this.#decisions.push(this.rows.get(record.id))
    const { type } = splitContextId(record.context)
    this.#ofType.set(type, (this.#ofType.get(type) ?? 0) + 1)
  }

  neighbourhood(id: ContextId, reach: Reach): Neighbourhood {
    return neighbourhoodOf(this.contexts.get(id), this.contexts.size, reach)
  }

  disputes({ page, pageSize }: Paging): Page<Dispute> {
    const { disputes } = this.claims
    const items = disputes.latest(page * pageSize, pageSize).map(({ earlier, later }) => ({
      earlier: this.memory(earlier),
      later: this.memory(later),
    }))
    return { items, total: disputes.size, page, pageSize }
  }

  stale({ page, pageSize }: Paging): Page<StaleMemory> {
    const search = this.#search()
    const { found } = search
    const ids = found.slice(page * pageSize, (page + 1) * pageSize)
    const items = ids.map((id) => ({ memory: this.memory(id), because: search.because(id) }))
    return { items, total: found.length, page, pageSize }
  }

  /** What is stale is found once for each change of the graph. */
  #search(): StaleSearch {
    if (this.#searched?.seq !== this.lastSeq)
      this.#searched = { seq: this.lastSeq, search: findStale(this.claims) }
    return this.#searched.search
  }

  history(id: MemoryId, paging: Paging): MemoryHistory {
    return historyOf(this.rows.get(id), this.claims, this.#statements, paging)
  }

  highlights(limit: number): Highlights {
    const ids = highlightsOf(
      {
        rows: this.rows.list,
        decisions: this.#decisions,
        repeated: this.#statements.latestRepeated(MOST_EVENTS),
        claims: this.claims,
      },
      limit,
    )
    return {
      decisions: this.memories(ids.decisions),
      confirmed: this.memories(ids.confirmed),
      latest: this.memories(ids.latest),
    }
  }

  counts(): GraphCounts {
    const { kinds, sources, months, statements } = this.#counts
    return {
      memories: this.memoryCount,
      contexts: this.contexts.size,
      relationships: this.contexts.relationships,
      statements,
      types: this.contexts.types({ page: 0, pageSize: MOST_TYPES }).items.map(({ contextType, count }) => ({
        contextType,
        contexts: count,
        memories: this.#ofType.get(contextType) ?? 0,
      })),
      kinds: { ...kinds },
      sources: { ...sources },
      superseded: this.claims.foundations.superseded,
      stale: this.#search().found.length,
      months,
      firstAt: this.rows.list[0]?.recordedAt,
      lastAt: this.#lastAt,
      place: this.lastPlace,
      unread: this.unread(),
    }
  }
}
