import type { PastEvent } from '../domain/events/recording.js'
import type { Erased, Erasure, GraphId, NewMemory, Receipt } from '../domain/model.js'
import type { Page, Paging } from '../domain/page.js'
import type { Pause } from '../domain/search/knowledge.js'
import type { AsOf, When } from '../domain/time.js'
import type { GraphReader, PresentReader } from '../graph/reader.js'
import type { Idempotency } from '../graph/records.js'
import type { Following } from './feeds.js'
import type { KeyStore } from './key-store.js'
import type { Waiter } from './meaning.js'

export type { GraphReader, PresentReader } from '../graph/reader.js'
export type { Idempotency } from '../graph/records.js'
export type { Following } from './feeds.js'

/**
 * Stores graphs and answers reads. Every implementation passes the same conformance suite
 * (`test/store/contract.ts`) and gives the same answers in the same order. Callers fold names and ids first.
 */
export interface Store {
  /**
   * Calls `ask` with a consistent view of the graph: its current state, and what is true now or at `validAt`.
   * Rejects with `graph_not_found` if there is no such graph, even if other errors occur. `ask` is called
   * again if the graph changes while it pauses.
   *
   * `ask` must await nothing but the reader and `pause`, must not call a store or have side effects, and must
   * not use the reader after it resolves: the view is consistent only while no other task of the event loop
   * runs in between.
   */
  read<T>(graphId: GraphId, ask: Ask<PresentReader, T>, validAt?: string): Promise<T>

  /**
   * As `read`, for the state at `asOf` and what was true at `validAt`, which defaults to the time of `asOf`,
   * or now. Rejects with `graph_not_found` if the graph did not exist then.
   */
  readAt<T>(graphId: GraphId, when: When, ask: Ask<GraphReader, T>): Promise<T>

  /**
   * Records the events in order, all or none. Durable before it resolves; if it rejects, nothing has changed,
   * in memory or on disk. The first event of a graph creates it. An event with the context, kind and
   * canonical payload of an earlier one is a `duplicate`: it counts as seen again, and its new links are
   * added to the first. A link to a memory id that is not in the graph rejects with `unknown_memory`; `at`
   * gives the path of each event for the error.
   *
   * With `once`, the receipts are kept with the events for `IDEMPOTENCY_HOURS`, in the same durable step. A
   * repeated call with the same key and body records nothing and resolves to these receipts; another body
   * rejects with `idempotency_key_reused`, and a call while the first is running with `still_running`.
   * Failures are not kept.
   */
  append(
    graphId: GraphId,
    events: readonly NewMemory[],
    at: EventPath,
    once?: Idempotency,
  ): Promise<readonly Receipt[]>

  /**
   * The receipt that `append` would give for one event now. Records nothing and creates no graph. Rejects
   * where `append` would. A new memory has the id `NO_MEMORY`.
   */
  dryRun(graphId: GraphId, event: NewMemory, at: EventPath): Promise<Receipt>

  /** The graphs in the order of their ids; with `reach`, only graphs in it. */
  graphs(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<GraphId>>

  /**
   * Resolves when the memories of a graph have been embedded (`Knowledge.nearest`), or after the longest wait
   * of the waiter (default: a question); at once if embedding is off or if there is no such graph. Embedding
   * runs in the background in any case, and never makes a write fail.
   */
  caughtUp(graphId: GraphId, waiter?: Waiter): Promise<void>

  /**
   * Number of memories left to embed in each of these graphs, or in all. Graphs without any are left out, and
   * so are graphs that would have to be opened to know.
   */
  unread(graphIds?: readonly GraphId[]): Promise<ReadonlyMap<GraphId, number>>

  /**
   * Erases for good: when it resolves, the erased data is in no answer, file or table, and the `TextCache`
   * that the store was opened with is empty. Links from and to erased memories are erased as well; links to a
   * context stay, and so does a context that has links to it. Later reads are as if the erased events had
   * never been recorded. With `dryRun` only resolves to the result. Rejects with `graph_not_found`,
   * `context_not_found` or `memory_not_found`.
   */
  erase(graphId: GraphId, what: Erasure, options: { readonly dryRun: boolean }): Promise<Erased>

  /**
   * Every event of the graph in order of recording, in batches, as of this call, even if events are recorded
   * while it is read. With `part`, only some of them.
   */
  exportGraph(graphId: GraphId, part?: ExportPart): Promise<GraphExport>

  /**
   * The events after a place, in order, in batches that are read on demand, up to the end of the log. Events
   * that are erased meanwhile may be left out. Rejects with `graph_not_found`.
   */
  statements(graphId: GraphId, after: number): AsyncIterable<readonly PastEvent[]>

  /**
   * Subscribes to the changes of a graph: those of this process are reported at once, those of others within
   * some seconds. Rejects with `graph_not_found`.
   */
  follow(graphId: GraphId): Promise<Following>

  /**
   * Creates a graph from the events of an export, all or nothing: if `events` throws or is not valid as a
   * graph (`invalid_import`, with the path from `at`), there is no such graph, in memory or on disk. Rejects
   * with `graph_exists` if there is one already. Reads find the graph only when it is complete.
   */
  importGraph(
    graphId: GraphId,
    events: AsyncIterable<readonly PastEvent[]>,
    at: EventPath,
  ): Promise<{ readonly events: number; readonly memories: number }>

  readonly keys: KeyStore

  /** Resolves when all events are durable and all files and connections are closed. Later calls reject. */
  close(): Promise<void>
}

/** The callback of a read. */
export type Ask<Reader, T> = (graph: Reader, pause: Pause) => Promise<T>

/** The part of a graph that is exported. */
export interface ExportPart {
  /** Only events after this place. */
  readonly after?: number
  /** Only events recorded by then. */
  readonly asOf?: AsOf
}

export interface GraphExport {
  /** When the latest memory was recorded; undefined when there is none. */
  readonly latestAt: string | undefined
  readonly events: AsyncIterable<readonly PastEvent[]>
}

/** The JSON pointer of the event at `index` in the request that brought it, e.g. `/body/events/3`. */
export type EventPath = (index: number) => string
