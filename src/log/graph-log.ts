import type { GraphId, MemoryId } from '../domain/model.js'
import type { Page, Paging } from '../domain/page.js'
import type { VectorStore } from '../graph/embeddings.js'
import type { SavedIndexes } from '../graph/indexes.js'
import type { Entry } from './entries.js'

/**
 * An ordered, durable, erasable log of entries for each graph. It decides nothing and answers no question: the state of a
 * graph, and every answer, is computed from its entries (`src/graph`). The suite in `test/log` holds every implementation to
 * what is promised here.
 *
 * Positions number the records of a graph from 1. They only rise, also across an erasure, and none is given twice in an
 * epoch. An entry is what was written in one go, all of it or none.
 */
export interface GraphLog {
  /** The graphs, by id; with `reach`, only those of them that it names. Reads none of them. */
  graphs(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<GraphId>>

  /**
   * How far a graph is recorded; undefined if there is no such graph. Never older than what any process had been told is
   * durable when this was called.
   */
  head(graphId: GraphId): Promise<Head | undefined>

  /** The heads of several graphs at once, for feeds; those that do not exist are left out. */
  heads(graphIds: readonly GraphId[]): Promise<ReadonlyMap<GraphId, Head>>

  /**
   * The entries after a head that this log gave, or all of them, in order and some at a time, at least up to what was
   * durable when this was called. Ends with `Diverged` if the log does not have that head any more: the graph was replaced or
   * removed, or a failover or a restored backup lost entries. Also ends with `Diverged` rather than give an entry that was
   * erased since the reading began. Entries that end before the position `from` may be left out.
   */
  read(graphId: GraphId, after: Head | undefined, from?: number): AsyncIterable<readonly Entry[]>

  /**
   * Adds entries, all or none. Durable before it resolves with the new head; if it rejects, nothing was added. `after` is the
   * head that they were decided on, undefined for a graph that does not exist yet. Rejects with `Behind` if the graph has
   * another head by now.
   */
  append(graphId: GraphId, after: Head | undefined, entries: readonly Entry[]): Promise<Head>

  /**
   * Takes text out for good, all of it or none. When it resolves, nothing of what was taken out is in a file or a row, and no
   * later `read` gives it. Rejects with `Behind` like `append`.
   */
  erase(graphId: GraphId, after: Head, erasure: Erasure): Promise<Head>

  /**
   * Makes a graph of entries that begin with position 1, in a new epoch, all or nothing: if `entries` throws, there is no
   * such graph. Nobody sees it before it is whole. `after` is the head of the graph that it replaces, undefined if there must
   * be none; rejects with `Behind` otherwise.
   */
  replace(graphId: GraphId, after: Head | undefined, entries: AsyncIterable<readonly Entry[]>): Promise<Head>

  /** Removes a graph with all its entries, vectors and indexes. A graph of that name begins in a new epoch. Rejects with `Behind`. */
  remove(graphId: GraphId, after: Head): Promise<void>

  /**
   * Runs `work` while no other process can change the graph, for three seconds at most: for a writer that was behind twice.
   * `work` is given the log to use meanwhile.
   */
  locked<T>(graphId: GraphId, work: (log: GraphLog) => Promise<T>): Promise<T>

  /** The vectors of a graph, which are derived and may be missing; `identity` is that of the model. */
  vectors(graphId: GraphId, identity: string): VectorStore

  /** Keeps the word index of an open graph, so that the next opening need not build it; absent where nothing is kept. */
  readonly indexes?: IndexCache

  /** Resolves when nothing is under way and nothing is held open. Later calls reject. */
  close(): Promise<void>
}

export interface Erasure {
  /** Entries of the log as they are from now on: with fewer records, or none, or with other decisions. */
  readonly changed: readonly Entry[]
  /** The entry that is added behind the head: one record, `erased`. */
  readonly erased: Entry
  /** The memories whose vectors go. */
  readonly memoryIds: ReadonlySet<MemoryId>
}

/** How far a graph is recorded. */
export interface Head {
  readonly graphId: GraphId
  /** Changes with `replace` and `remove`, and is never used twice. */
  readonly epoch: string
  /** The last position. */
  readonly position: number
  /** Names the append that wrote it: after a failover, another one may have its position. */
  readonly appendId: string
  /** The position of the last `erased` entry, 0 if there is none. */
  readonly erasedAt: number
  /** About how long the entries are, as JSON. */
  readonly bytes: number
}

export function isSame(a: Head | undefined, b: Head | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.epoch === b.epoch && a.position === b.position && a.appendId === b.appendId
}

/** Derived data: whatever is wrong with it, it is built again. */
export interface IndexCache {
  read(graphId: GraphId): Promise<SavedIndexes | undefined>
  /** Never rejects because of the disk, which may be full. */
  write(graphId: GraphId, kept: SavedIndexes): Promise<void>
}

/** Somebody else changed the graph: apply the tail and decide again. */
export class Behind extends Error {
  constructor() {
    super('The graph was changed by another writer.')
    this.name = 'Behind'
  }
}

/** The log does not continue what was read before: drop the copy and read all of it. */
export class Diverged extends Error {
  constructor() {
    super('The log does not continue what was read before.')
    this.name = 'Diverged'
  }
}

/** A newer version of the program wrote entries that this one does not know: nothing is skipped, the graph is closed. */
export class NewerVersion extends Error {
  constructor(graphId: GraphId) {
    super(`The graph ${graphId} was written to by a newer version of Loregraph.`)
    this.name = 'NewerVersion'
  }
}
