import type { PastEvent } from '../domain/events/recording.js'
import type {
  Context,
  ContextId,
  Direction,
  Erased,
  Erasure,
  GraphId,
  LinkKind,
  Memory,
  MemoryId,
  NewMemory,
  Receipt,
  Relationship,
  TypeCount,
} from '../domain/model.js'
import type { NameQuery } from '../domain/names.js'
import type { Page, Paging } from '../domain/page.js'
import type { ContextFilter, Retrieval, Retrieved } from '../domain/search/knowledge.js'
import type { KeyStore } from './key-store.js'

export type { Candidate, ContextFilter, Retrieval, Retrieved } from '../domain/search/knowledge.js'

/**
 * What remembers. One method for each question that is asked of it, so that a database can answer without loading
 * a graph. Every store passes the same conformance suite (`test/store/contract.ts`) and gives the same answers in
 * the same order.
 *
 * Every read of a graph that does not exist rejects with `graph_not_found`. Names and ids that come in are folded.
 */
export interface Store {
  /**
   * Records the events in order, all or none. Durable before it resolves: if it rejects, nothing changed, in memory
   * or on disk. A graph comes to be with its first event. The same event again (context, kind and canonical payload)
   * is a `duplicate`: one more sighting of the first, to which links it states anew are added.
   * A link to a memory id that the graph does not hold rejects with `unknown_memory`; `at` says where each event
   * stands in the request, so that the error can name the field.
   *
   * With `once`, the receipts are kept with the events for `ONCE_HOURS`, in the same durable step: the same key and body
   * again gets them again and records nothing, another body rejects with `idempotency_key_reused`, and while the first
   * is still under way `still_running` is rejected with. What is refused is not kept.
   */
  append(
    graphId: GraphId,
    events: readonly NewMemory[],
    at: EventPath,
    once?: Idempotency,
  ): Promise<readonly Receipt[]>

  /** The graphs, by id; with `reach`, only those of them that it names. */
  graphs(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<GraphId>>

  /**
   * Erases for good: when it resolves, what was erased is in no answer and in no file or table. The links of erased
   * memories go with them, and so do links of others to an erased memory; links to a context stay, and so does a context
   * that is linked to. What is left reads as if the rest had never been recorded. With `dryRun` nothing is erased and
   * the answer is what it would be. Rejects with `graph_not_found`, `context_not_found` or `memory_not_found`.
   */
  erase(graphId: GraphId, what: Erasure, options: { readonly dryRun: boolean }): Promise<Erased>

  /**
   * Every event of the graph in order of recording, some at a time, as the graph was when this was called, whatever is
   * recorded meanwhile.
   */
  exportGraph(graphId: GraphId): Promise<GraphExport>

  /**
   * Makes a graph of the events of an export, all or nothing: if the events end in an error or do not add up to a graph
   * (`invalid_import`, with `at` for the place), there is no such graph, in memory or on disk. Rejects with
   * `graph_exists` if there is one. Nobody sees the graph before it is whole.
   */
  importGraph(
    graphId: GraphId,
    events: AsyncIterable<readonly PastEvent[]>,
    at: EventPath,
  ): Promise<{ readonly events: number; readonly memories: number }>

  /** Whose secrets are known. */
  readonly keys: KeyStore

  /** The types that contexts of the graph have, by name, each with its number of contexts. */
  contextTypes(graphId: GraphId, paging: Paging): Promise<Page<TypeCount>>

  /** The contexts of one type, by name. A type that no context has is an empty page. */
  contexts(graphId: GraphId, contextType: string, paging: Paging): Promise<Page<Context>>

  /** The contexts that match, best first, then by context id (see names.ts for both). */
  searchContexts(graphId: GraphId, query: NameQuery, paging: Paging): Promise<Page<Context>>

  /** One context, or `context_not_found`. */
  context(graphId: GraphId, contextId: ContextId): Promise<Context>

  /** The memories of one context, newest first, or `context_not_found`. */
  contextMemories(graphId: GraphId, contextId: ContextId, paging: Paging): Promise<Page<Memory>>

  /**
   * The links of one context, or `context_not_found`. Outgoing before incoming, then by kind in the order of
   * `LINK_KINDS`, then by the id of the other end. A link to a memory counts as a link to its context.
   */
  relationships(
    graphId: GraphId,
    contextId: ContextId,
    filter: RelationshipFilter,
  ): Promise<readonly Relationship[]>

  /** One memory, or `memory_not_found`. */
  memory(graphId: GraphId, memoryId: MemoryId): Promise<Memory>

  /** The memories that share a stem with the query, best first by BM25 (ranking.ts), ties by order of recording. */
  retrieve(graphId: GraphId, retrieval: Retrieval): Promise<Retrieved>

  /** The memories of a scope, the latest first, at most `limit`. */
  latest(graphId: GraphId, scope: ContextFilter, limit: number): Promise<readonly Memory[]>

  /** For each term, its inverse document frequency in the graph (ranking.ts). */
  weigh(graphId: GraphId, terms: readonly string[]): Promise<ReadonlyMap<string, number>>

  /**
   * The memories that stand close to the given ones, themselves left out, each once and in order of recording. For each
   * given one: the two before and the two after it in its context and that context's latest two; the latest that
   * contradict or reinforce it; the latest of those that link to its context; and the latest of the contexts that its
   * context links to. At most `NEARBY` of a sort, so that a hub costs no more than any other context.
   */
  neighbours(graphId: GraphId, memoryIds: readonly MemoryId[]): Promise<readonly Memory[]>

  /** Resolves when everything acknowledged is safe and nothing is held open. Later calls reject. */
  close(): Promise<void>
}

/** Names a write, so that it is done once: `key` says which one, `body` what it wrote, both as hashes. */
export interface Idempotency {
  readonly key: string
  readonly body: string
}

export const IDEMPOTENCY_HOURS = 24

/** A graph on its way out. */
export interface GraphExport {
  /** When the latest of its memories was recorded; undefined when it has none. */
  readonly latestAt: string | undefined
  readonly events: AsyncIterable<readonly PastEvent[]>
}

/** How many memories of one sort count as close to another. */
export const NEARBY = 4
/** How many memories before one and after it in its context, and how many of the latest of that context, are close to it. */
export const BESIDE = 2
/** How many relationships of a context, the latest in each direction, lead to memories that are close to its own. */
export const RELATIONS = 2 * NEARBY

/** The JSON pointer of the event at `index` in the request that brought it, e.g. `/body/events/3`. */
export type EventPath = (index: number) => string

export interface RelationshipFilter {
  readonly kind?: LinkKind
  readonly direction?: Direction
}
