import type {
  Context,
  ContextId,
  Direction,
  LinkKind,
  Memory,
  MemoryId,
  Relationship,
  TypeCount,
} from '../domain/model.js'
import type { NameQuery } from '../domain/names.js'
import type { Page, Paging } from '../domain/page.js'
import type { Knowledge, Pause } from '../domain/search/knowledge.js'
import type { GraphCounts } from '../domain/survey/counts.js'
import type { Highlights } from '../domain/survey/highlights.js'
import type { MemoryHistory, TimelineItem } from '../domain/survey/history.js'
import type { Dispute, StalePage } from '../domain/survey/lists.js'
import type { Neighbourhood, NeighbourhoodLimits } from '../domain/survey/neighbourhood.js'

/** One graph at one moment, with one method for each question. Methods that scan the whole graph pause for other work. */
export interface GraphReader extends Knowledge {
  /** The types of contexts, by name, each with its number of contexts. */
  contextTypes(paging: Paging): Page<TypeCount>

  /** The contexts of one type, by name. A type that no context has is an empty page. */
  contextsOfType(type: string, paging: Paging): Page<Context>

  /** The matching contexts, best first, then by context id (both defined in names.ts). */
  searchContexts(query: NameQuery, paging: Paging): Page<Context>

  /** One context, or `context_not_found`. */
  context(id: ContextId): Context

  /** The memories of one context, newest first, or `context_not_found`. */
  contextMemories(id: ContextId, paging: Paging): Page<Memory>

  /**
   * The links of one context, or `context_not_found`. Outgoing before incoming, then by kind in the order of
   * `LINK_KINDS`, then by the id of the other end. A link to a memory counts as a link to its context.
   */
  relationships(id: ContextId, filter: RelationshipFilter): readonly Relationship[]

  /** One memory, or `memory_not_found`. */
  memory(id: MemoryId): Memory

  /** The last place that was given out. */
  lastPlace(): number
}

/** One graph as it is now. */
export interface PresentReader extends GraphReader, Survey {}

/** Questions about a graph as a whole. The size of each answer and the work for it are bounded; long work calls `pause`. */
export interface Survey {
  /**
   * The contexts around a context, and the links among them (survey/neighbourhood.ts), or `context_not_found`. Searches
   * breadth-first, and ends with the first level that does not fit.
   */
  neighbourhood(id: ContextId, limits: NeighbourhoodLimits): Neighbourhood

  /** The open contradictions, each pair once: sorted by the later memory, the latest first, then by the earlier one. */
  disputes(paging: Paging, pause?: Pause): Promise<Page<Dispute>>

  /** The stale memories as far as `StaleSearch` finds them, the latest first. */
  stale(paging: Paging, pause?: Pause): Promise<StalePage>

  /** Every statement of a memory, the oldest first, and what replaced what, or `memory_not_found`. */
  history(id: MemoryId, paging: Paging): MemoryHistory

  /**
   * The periods in which the memories of a context, or fields of them, stand, by the time they begin, or `context_not_found`.
   * A memory has one item for each period.
   */
  timeline(id: ContextId, paging: Paging, pause?: Pause): Promise<Page<TimelineItem>>

  /** The most important memories, at most `limit` of each sort. */
  highlights(limit: number, pause?: Pause): Promise<Highlights>

  /** What the graph holds, in numbers. */
  counts(pause?: Pause): Promise<GraphCounts>
}

/** How many memories of one sort count as close to another. */
export const NEARBY = 4
/** How many memories before and after a memory in its context, and how many of the latest in that context, are close to it. */
export const BESIDE = 2
/** How many relationships of a context, the latest in each direction, lead to memories that are close to its own. */
export const RELATIONS = 2 * NEARBY

export interface RelationshipFilter {
  readonly kind?: LinkKind
  readonly direction?: Direction
}
