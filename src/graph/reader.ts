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
import type { Neighbourhood, Reach } from '../domain/survey/neighbourhood.js'

/** One graph at one moment, with one method for each question. What looks over the whole graph pauses for others. */
export interface GraphReader extends Knowledge {
  /** The types that contexts of the graph have, by name, each with its number of contexts. */
  contextTypes(paging: Paging): Page<TypeCount>

  /** The contexts of one type, by name. A type that no context has is an empty page. */
  contextsOfType(type: string, paging: Paging): Page<Context>

  /** The contexts that match, best first, then by context id (see names.ts for both). */
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

/** What is asked of a graph as a whole. Each answer is of bounded size, and so is the work behind it; `pause` is for long work. */
export interface Survey {
  /**
   * The contexts around one, and the links among them (survey/neighbourhood.ts), or `context_not_found`. Goes outwards
   * level by level from the contexts that are given, and ends with the level that does not fit any more.
   */
  neighbourhood(id: ContextId, reach: Reach): Neighbourhood

  /** The open contradictions, each pair once: by the later of the two, the latest first, then by the earlier. */
  disputes(paging: Paging, pause?: Pause): Promise<Page<Dispute>>

  /** The stale memories as far as `StaleSearch` finds them, the latest first. */
  stale(paging: Paging, pause?: Pause): Promise<StalePage>

  /** Every statement of a memory, the oldest first, and what replaced what, or `memory_not_found`. */
  history(id: MemoryId, paging: Paging): MemoryHistory

  /**
   * When the claims of the memories of a context stand, in the order of the world, or `context_not_found`. Each memory once
   * for each time that it, or a field of it, stands.
   */
  timeline(id: ContextId, paging: Paging, pause?: Pause): Promise<Page<TimelineItem>>

  /** The memories that are worth knowing first, at most `limit` of each sort. */
  highlights(limit: number, pause?: Pause): Promise<Highlights>

  /** What the graph holds, in numbers. */
  counts(pause?: Pause): Promise<GraphCounts>
}

/** How many memories of one sort count as close to another. */
export const NEARBY = 4
/** How many memories before one and after it in its context, and how many of the latest of that context, are close to it. */
export const BESIDE = 2
/** How many relationships of a context, the latest in each direction, lead to memories that are close to its own. */
export const RELATIONS = 2 * NEARBY

export interface RelationshipFilter {
  readonly kind?: LinkKind
  readonly direction?: Direction
}
