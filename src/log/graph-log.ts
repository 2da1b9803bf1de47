import type { GraphId, MemoryId } from '../domain/model.js'
import type { Page, Paging } from '../domain/page.js'
import type { VectorStore } from '../graph/embeddings.js'
import type { SavedIndexes } from '../graph/indexes.js'
import { type Entry, lastPositionOf } from './entries.js'

/**
 * An ordered, durable, erasable log of entries for each graph. The state of a graph, and every answer, is computed from its
 * entries (`src/graph`). The suite in `test/log` checks every implementation against this contract.
 *
 * Positions number the records of a graph from 1. They only increase, even across an erasure, and none is reused in an epoch.
 * An entry is written atomically.
 */
export interface GraphLog {
  /** The ids of all graphs, sorted; with `reach`, only those it names. Reads no graph. */
  graphs(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<GraphId>>

  /**
   * The head of a graph; undefined if there is no such graph. Includes every write that was acknowledged to any process when
   * this was called.
   */
  head(graphId: GraphId): Promise<Head | undefined>

  /** The heads of several graphs, for feeds; graphs that do not exist are left out. */
  heads(graphIds: readonly GraphId[]): Promise<ReadonlyMap<GraphId, Head>>

  /**
   * The entries after a head of this log, or all entries, in order and in batches, at least up to the last entry that was
   * durable when this was called. Ends with `Diverged` if the log no longer has that head: the graph was replaced or removed, or
   * a failover or a restored backup lost entries. Also ends with `Diverged` instead of returning an entry that was erased since
   * the reading began, or since `known`: entries up to that head are then no longer those that it stands for. Entries that end
   * before the position `from` may be left out.
   */
  read(
    graphId: GraphId,
    after: Head | undefined,
    known?: Head,
    from?: number,
  ): AsyncIterable<readonly Entry[]>

  /**
   * Appends entries atomically. Resolves with the new head once they are durable; if it rejects, nothing was appended. `after`
   * is the head that the entries were decided on, undefined for a graph that does not exist yet. Rejects with `Behind` if the
   * graph has another head by now.
   */
  append(graphId: GraphId, after: Head | undefined, entries: readonly Entry[]): Promise<Head>

  /**
   * Erases text atomically. When it resolves, no file or row holds erased text, and no later `read` returns it. Rejects with
   * `Behind` like `append`.
   */
  erase(graphId: GraphId, after: Head, erasure: Erasure): Promise<Head>

  /**
   * Creates a graph atomically from entries that start at position 1, in a new epoch. If `entries` throws, nothing is created.
   * The graph is not visible before it is complete. `after` is the head of the graph that it replaces, undefined if there must
   * be none; rejects with `Behind` otherwise.
   */
  replace(graphId: GraphId, after: Head | undefined, entries: AsyncIterable<readonly Entry[]>): Promise<Head>

  /** Removes a graph with all its data. A new graph of that name gets a new epoch. Rejects with `Behind` like `append`. */
  remove(graphId: GraphId, after: Head): Promise<void>

  /**
   * Locks the graph against other processes while `work` runs, for at most three seconds. For a writer that was behind twice.
   * `work` must use the log that it gets.
   */
  locked<T>(graphId: GraphId, work: (log: LockedLog) => Promise<T>): Promise<T>

  /**
   * The vectors of a graph: derived data, which may be missing. `identity` identifies the model. `head` returns the head that the
   * graph was read to: no vectors are added if something was erased since.
   */
  vectors(graphId: GraphId, identity: string, head: () => Head | undefined): VectorStore

  /** Saves the word index of an open graph, so that the next opening need not build it. Absent if nothing is saved. */
  readonly indexes?: IndexCache

  /** Resolves when all work is done and everything is closed. Later calls reject. */
  close(): Promise<void>
}

/** A log while its graph is locked. The first change ends the lock. */
export type LockedLog = Pick<GraphLog, 'head' | 'read' | 'append' | 'erase'>

export interface Erasure {
  /** The new versions of changed entries: with fewer records or none, or with other decisions. */
  readonly changed: readonly Entry[]
  /** The entry that is appended, with a single `erased` record. */
  readonly erased: Entry
  /** The memories whose vectors are removed. */
  readonly memoryIds: ReadonlySet<MemoryId>
}

/** The end of the log of a graph. */
export interface Head {
  readonly graphId: GraphId
  /** Changed by `replace` and `remove`, and never reused. */
  readonly epoch: string
  /** The last position. */
  readonly position: number
  /** The id of the append that wrote the last entry. After a failover, another append may have the same position. */
  readonly appendId: string
  /** The position of the last `erased` entry, 0 if there is none. */
  readonly erasedAt: number
  /** The approximate length of the entries as JSON. */
  readonly bytes: number
}

export function isSame(a: Head | undefined, b: Head | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.epoch === b.epoch && a.position === b.position && a.appendId === b.appendId
}

/** Has the graph not been replaced, and nothing of it erased, since `known`? */
export function isUnerased(
  known: Pick<Head, 'epoch' | 'erasedAt'>,
  head: Pick<Head, 'epoch' | 'erasedAt'> | undefined,
): boolean {
  return head !== undefined && head.epoch === known.epoch && head.erasedAt === known.erasedAt
}

/**
 * The entries after a head through a later one, in batches. Throws `Diverged` if the log does not have the later one, or if
 * something was erased since. Entries that end before the position `from` may be left out.
 */
export async function* readThrough(
  log: Pick<GraphLog, 'read'>,
  head: Head,
  after?: Head,
  from?: number,
): AsyncGenerator<readonly Entry[]> {
  // The journal of a graph at position 0 has no entries: its only one was torn.
  if (isSame(after, head) || (after === undefined && head.position === 0)) return
  for await (const entries of log.read(head.graphId, after, head, from)) {
    const end = entries.findIndex((entry) => lastPositionOf(entry) >= head.position)
    const last = entries[end]
    if (last === undefined) yield entries
    else if (lastPositionOf(last) > head.position) break
    else return yield entries.slice(0, end + 1)
  }
  throw new Diverged()
}

/** Saved indexes: derived data, which is built again if anything is wrong with it. */
export interface IndexCache {
  read(graphId: GraphId): Promise<SavedIndexes | undefined>
  /** Never rejects because of the disk, which may be full. */
  write(graphId: GraphId, kept: SavedIndexes): Promise<void>
}

/** Another writer changed the graph: apply its entries and decide again. */
export class Behind extends Error {
  constructor() {
    super('The graph was changed by another writer.')
    this.name = 'Behind'
  }
}

/** The log does not continue what was read before: discard the copy and read the whole log. */
export class Diverged extends Error {
  constructor() {
    super('The log does not continue what was read before.')
    this.name = 'Diverged'
  }
}

/** A newer version of the program wrote entries that this one does not know. The graph is closed, since none may be skipped. */
export class NewerVersion extends Error {
  constructor(graphId: GraphId) {
    super(`The graph ${graphId} was written to by a newer version of Loregraph.`)
    this.name = 'NewerVersion'
  }
}
