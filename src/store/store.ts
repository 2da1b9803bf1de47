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

export type { Candidate, ContextFilter, Retrieval, Retrieved } from '../domain/search/knowledge.js'
export {
  BESIDE,
  type GraphReader,
  NEARBY,
  type PresentReader,
  RELATIONS,
  type RelationshipFilter,
  type Survey,
} from '../graph/reader.js'
export { IDEMPOTENCY_HOURS, type Idempotency } from '../graph/records.js'
export type { Following } from './feeds.js'

/**
 * What remembers. Every store passes the same conformance suite (`test/store/contract.ts`) and gives the same answers
 * in the same order. Names and ids that come in are folded.
 */
export interface Store {
  /**
   * Everything that `ask` asks sees the graph as it is at one moment, and what is true then or at `validAt`. Rejects with
   * `graph_not_found` if there is no such graph, whatever else goes wrong. `ask` may be run again, when the graph changed
   * while it paused.
   *
   * `ask` awaits nothing but the reader and `pause`, calls no store, has no side effect, and its reader is not used after
   * it: the graph is at one moment only as long as no other task of the event loop comes between two questions, unless
   * the store knows of it.
   */
  read<T>(graphId: GraphId, ask: Ask<PresentReader, T>, validAt?: string): Promise<T>

  /**
   * The same of what had been recorded by a moment, and of what was true at a time. By now and of now, if they are undefined.
   * Rejects with `graph_not_found` if there was none.
   */
  readAt<T>(graphId: GraphId, when: When, ask: Ask<GraphReader, T>): Promise<T>

  /**
   * Records the events in order, all or none. Durable before it resolves: if it rejects, nothing changed, in memory
   * or on disk. A graph comes to be with its first event. The same event again (context, kind and canonical payload)
   * is a `duplicate`: one more sighting of the first, to which the new links that it states are added.
   * A link to a memory id that the graph does not hold rejects with `unknown_memory`; `at` says where each event
   * stands in the request, so that the error can name the field.
   *
   * With `once`, the receipts are kept with the events for `IDEMPOTENCY_HOURS`, in the same durable step: the same key and body
   * again gets them again and records nothing, another body rejects with `idempotency_key_reused`, and while the first
   * is still under way `still_running` is rejected with. What is refused is not kept.
   */
  append(
    graphId: GraphId,
    events: readonly NewMemory[],
    at: EventPath,
    once?: Idempotency,
  ): Promise<readonly Receipt[]>

  /**
   * The receipt that `append` would give for one event now; nothing is recorded, and no graph comes to be. What `append`
   * would refuse is refused. A memory that would be new has the id `NO_MEMORY`.
   */
  dryRun(graphId: GraphId, event: NewMemory, at: EventPath): Promise<Receipt>

  /** The graphs, by id; with `reach`, only those of them that it names. */
  graphs(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<GraphId>>

  /**
   * Resolves when the memories of a graph have been read for meaning (`Knowledge.nearest`), or when the patience of who
   * waits is at an end (a question, unless it says otherwise); at once if nothing reads or if there is no such graph.
   * Reading goes on in the background whatever is asked, and never rejects a write.
   */
  caughtUp(graphId: GraphId, waiter?: Waiter): Promise<void>

  /**
   * How many memories of each graph wait to be read for meaning, of these graphs or of all; those where none does are
   * left out, and so are those of which it is not known without opening them.
   */
  unread(graphIds?: readonly GraphId[]): Promise<ReadonlyMap<GraphId, number>>

  /**
   * Erases for good: when it resolves, what was erased is in no answer and in no file or table, and the `TextCache` that
   * the store was opened with is empty. The links of erased memories go with them, and so do links of others to an
   * erased memory; links to a context stay, and so does a context that is linked to. What is left reads as if the rest had never been recorded. With `dryRun` nothing is erased and
   * the answer is what it would be. Rejects with `graph_not_found`, `context_not_found` or `memory_not_found`.
   */
  erase(graphId: GraphId, what: Erasure, options: { readonly dryRun: boolean }): Promise<Erased>

  /**
   * Every event of the graph in order of recording, some at a time, as the graph was when this was called, whatever is
   * recorded before the last one is taken; with `part`, only some of them.
   */
  exportGraph(graphId: GraphId, part?: ExportPart): Promise<GraphExport>

  /**
   * The events after a place, in order, some at a time and no sooner than they are taken, up to the last there is by then.
   * What is erased meanwhile may be left out. Rejects with `graph_not_found`.
   */
  statements(graphId: GraphId, after: number): AsyncIterable<readonly PastEvent[]>

  /**
   * Tells when something happens to a graph from now on, whichever process does it; at once if it is this one, else within
   * some seconds. Rejects with `graph_not_found`.
   */
  follow(graphId: GraphId): Promise<Following>

  /**
   * Makes a graph of the events of an export, all or nothing: if the events end in an error or do not add up to a graph
   * (`invalid_import`, with `at` for the place), there is no such graph, in memory or on disk. Rejects with
   * `graph_exists` if there is one. No read finds the graph before it is whole.
   */
  importGraph(
    graphId: GraphId,
    events: AsyncIterable<readonly PastEvent[]>,
    at: EventPath,
  ): Promise<{ readonly events: number; readonly memories: number }>

  /** Whose secrets are known. */
  readonly keys: KeyStore

  /** Resolves when everything acknowledged is safe and nothing is held open. Later calls reject. */
  close(): Promise<void>
}

/** What is asked of a graph, in one read. */
export type Ask<Reader, T> = (graph: Reader, pause: Pause) => Promise<T>

/** The part of a graph that is exported. */
export interface ExportPart {
  /** Only events after this place. */
  readonly after?: number
  /** Only what had been recorded then. */
  readonly asOf?: AsOf
}

/** A graph on its way out. */
export interface GraphExport {
  /** When the latest of its memories was recorded; undefined when it has none. */
  readonly latestAt: string | undefined
  readonly events: AsyncIterable<readonly PastEvent[]>
  /** Lets go of the graph when the events are not taken to the end, or not at all. */
  close(): Promise<void>
}

/** The JSON pointer of the event at `index` in the request that brought it, e.g. `/body/events/3`. */
export type EventPath = (index: number) => string
