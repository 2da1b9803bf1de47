import { Failure } from '../../../src/domain/failure.js'
import type { GraphId } from '../../../src/domain/model.js'
import { byCodeUnit } from '../../../src/domain/names.js'
import { type Page, type Paging, pageOf } from '../../../src/domain/page.js'
import type { VectorStore } from '../../../src/graph/embeddings.js'
import { type Entry, lastPositionOf, UnknownRecord } from '../../../src/log/entries.js'
import {
  Behind,
  Diverged,
  type Erasure,
  type GraphLog,
  type Head,
  isSame,
  isUnerased,
  NewerVersion,
} from '../../../src/log/graph-log.js'
import {
  firstEndingBehind,
  fromRow,
  hasHead,
  type MemoryLock,
  type MemoryStorage,
  type StoredGraph,
  type StoredRow,
  toRow,
} from './memory-storage.js'
import { MemoryVectors } from './memory-vectors.js'

/** `outcome` asks whether a change was committed before its connection was cut. */
export type Operation =
  | 'graphs'
  | 'head'
  | 'heads'
  | 'read'
  | 'append'
  | 'erase'
  | 'replace'
  | 'remove'
  | 'lock'
  | 'outcome'
  | 'vectors'

/** What a test injects. */
export interface MemoryHooks {
  /** Before an operation or a batch of a reading. Pauses it, or rejects: the connection is cut before the commit. */
  before?(operation: Operation, graphId: GraphId | undefined): Promise<void>
  /** After an operation or a batch of a reading. Pauses, or rejects: the connection is cut after the commit. */
  after?(operation: Operation, graphId: GraphId | undefined): Promise<void>
  /** Resolves when a lock has been held for too long. */
  sleep?(ms: number): Promise<void>
}

const MAX_LOCK_MS = 3_000
const BATCH_ENTRIES = 100

/** What the log of a process shares with the logs that it uses under a lock. */
interface Process {
  isClosed: boolean
  isKilled: boolean
  readonly underWay: Set<Promise<unknown>>
  readonly locks: Set<MemoryLock>
}

/** The log of one process, in memory. Processes that are given the same storage share it. */
export class MemoryLog implements GraphLog {
  readonly #storage: MemoryStorage
  readonly #hooks: MemoryHooks
  readonly #process: Process
  /** The lock under which this log is used. */
  readonly #lock: MemoryLock | undefined

  constructor(
    storage: MemoryStorage,
    hooks: MemoryHooks = {},
    process: Process = newProcess(),
    lock?: MemoryLock,
  ) {
    this.#storage = storage
    this.#hooks = hooks
    this.#process = process
    this.#lock = lock
  }

  graphs(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<GraphId>> {
    return this.#ask('graphs', undefined, () => {
      const wanted = reach && new Set(reach)
      const ids = [...this.#storage.graphs.keys()].filter((id) => wanted === undefined || wanted.has(id))
      return pageOf(ids.sort(byCodeUnit), paging)
    })
  }

  head(graphId: GraphId): Promise<Head | undefined> {
    return this.#ask('head', graphId, () => this.#storage.graphs.get(graphId)?.head)
  }

  heads(graphIds: readonly GraphId[]): Promise<ReadonlyMap<GraphId, Head>> {
    return this.#ask('heads', undefined, () => {
      const heads = graphIds.flatMap((id) => this.#storage.graphs.get(id)?.head ?? [])
      return new Map(heads.map((head) => [head.graphId, head]))
    })
  }

  async *read(
    graphId: GraphId,
    after: Head | undefined,
    known?: Head,
    from = 1,
  ): AsyncGenerator<readonly Entry[]> {
    let begun: Head | undefined
    let position = Math.max(after?.position ?? 0, from - 1)
    for (;;) {
      const rows = await this.#ask('read', graphId, () => {
        const graph = this.#storage.graphs.get(graphId)
        const isGone = graph === undefined || (after !== undefined && !hasHead(graph, after))
        if (isGone && after === undefined && known === undefined && begun === undefined) return []
        if (begun === undefined && known !== undefined && !isUnerased(known, graph?.head))
          throw new Diverged()
        if (isGone || (begun !== undefined && !continues(graph, begun))) throw new Diverged()
        begun ??= graph.head
        const start = firstEndingBehind(graph.rows, position)
        return graph.rows.slice(start, start + BATCH_ENTRIES)
      })
      const entries = rows.map((row) => decoded(graphId, row))
      const last = entries.at(-1)
      if (last === undefined) return
      position = lastPositionOf(last)
      yield entries
    }
  }

  async append(graphId: GraphId, after: Head | undefined, entries: readonly Entry[]): Promise<Head> {
    const appendId = this.#storage.nextAppendId()
    const rows = entries.map((entry) => toRow(entry, appendId))
    const head = headBehind(after ?? this.#newHead(graphId), entries, rows)
    const commit = () => {
      const graph = this.#current(graphId, after)
      if (rows[0]?.position !== (after?.position ?? 0) + 1)
        throw new Error('The entries do not continue the graph.')
      if (graph === undefined) this.#put(graphId, { head, rows })
      else this.#extend(graph, head, rows)
      return head
    }
    return this.#change('append', graphId, commit, (graph) => graph !== undefined && hasHead(graph, head))
  }

  async erase(graphId: GraphId, after: Head, { changed, erased, memoryIds }: Erasure): Promise<Head> {
    const added = toRow(erased, this.#storage.nextAppendId())
    const begun = headBehind(after, [erased], [added])
    const commit = () => {
      const graph = this.#current(graphId, after)
      if (graph === undefined) throw new Behind()
      const rows = new Map(changed.map((entry) => [entry.position, entry]))
      const kept = graph.rows.map((row) => {
        const entry = rows.get(row.position)
        return entry === undefined ? row : toRow({ ...entry, count: row.count }, row.appendId)
      })
      const head = { ...begun, bytes: bytesOf(kept) + added.text.length }
      this.#put(graphId, { head, rows: [...kept, added] })
      this.#storage.forget(graphId, memoryIds)
      return head
    }
    return this.#change('erase', graphId, commit, (graph) => graph !== undefined && hasHead(graph, begun))
  }

  replace(
    graphId: GraphId,
    after: Head | undefined,
    entries: AsyncIterable<readonly Entry[]>,
  ): Promise<Head> {
    return this.#run(async () => {
      await this.#enter('replace', graphId)
      this.#current(graphId, after)
      const appendId = this.#storage.nextAppendId()
      const rows: StoredRow[] = []
      let head = this.#newHead(graphId)
      for await (const some of entries) {
        const next = some.map((entry) => toRow(entry, appendId))
        head = headBehind(head, some, next)
        rows.push(...next)
      }
      const commit = () => {
        this.#current(graphId, after)
        this.#put(graphId, { head, rows })
        return head
      }
      return this.#change('replace', graphId, commit, (graph) => graph?.head.epoch === head.epoch)
    })
  }

  remove(graphId: GraphId, after: Head): Promise<void> {
    const commit = () => {
      if (this.#current(graphId, after) === undefined) throw new Behind()
      this.#put(graphId, undefined)
      this.#storage.vectors.delete(graphId)
    }
    return this.#change('remove', graphId, commit, (graph) => graph?.head.epoch !== after.epoch)
  }

  locked<T>(graphId: GraphId, work: (log: GraphLog) => Promise<T>): Promise<T> {
    return this.#run(async () => {
      await this.#enter('lock', graphId)
      const lock = await this.#unlocked(graphId, () => this.#storage.lock(graphId))
      this.#process.locks.add(lock)
      void (this.#hooks.sleep ?? sleep)(MAX_LOCK_MS).then(() => lock.release())
      try {
        return await work(new MemoryLog(this.#storage, this.#hooks, this.#process, lock))
      } finally {
        lock.release()
        this.#process.locks.delete(lock)
      }
    })
  }

  vectors(graphId: GraphId, identity: string): VectorStore {
    const enter = () => this.#run(() => this.#enter('vectors', graphId))
    return new MemoryVectors(this.#storage, graphId, identity, enter)
  }

  async close(): Promise<void> {
    this.#process.isClosed = true
    await Promise.allSettled(this.#process.underWay)
  }

  /** As `kill -9`: nothing that is under way goes on, and what was locked is released. */
  kill(): void {
    this.#process.isKilled = true
    this.#process.isClosed = true
    for (const lock of this.#process.locks) lock.release()
  }

  #ask<T>(operation: Operation, graphId: GraphId | undefined, look: () => T): Promise<T> {
    return this.#run(async () => {
      await this.#enter(operation, graphId)
      const answer = look()
      await this.#leave(operation, graphId)
      return answer
    })
  }

  /** When the connection is cut, `isCommitted` decides what became of the change. */
  #change<T>(
    operation: Operation,
    graphId: GraphId,
    commit: () => T,
    isCommitted: (graph: StoredGraph | undefined) => boolean,
  ): Promise<T> {
    return this.#run(async () => {
      let done: Outcome<T> | undefined
      try {
        await this.#enter(operation, graphId)
        done = await this.#unlocked(graphId, () => outcomeOf(commit))
        await this.#leave(operation, graphId)
      } catch (error) {
        const isDone = await this.#outcome(graphId, isCommitted)
        if (!isDone || done === undefined || 'refused' in done) throw error
      }
      if ('refused' in done) throw done.refused
      return done.result
    })
  }

  /** Asked until there is an answer: nobody may be told that nothing was added as long as that is not known. */
  async #outcome(
    graphId: GraphId,
    isCommitted: (graph: StoredGraph | undefined) => boolean,
  ): Promise<boolean> {
    // Also when the lock was lost meanwhile, under which the change was made.
    const free = this.#lock === undefined ? this : new MemoryLog(this.#storage, this.#hooks, this.#process)
    for (;;) {
      try {
        await free.#enter('outcome', graphId)
        const look = () => isCommitted(this.#storage.graphs.get(graphId))
        const answer = await (this.#lock?.isReleased === false ? look() : free.#unlocked(graphId, look))
        await free.#leave('outcome', graphId)
        return answer
      } catch (error) {
        if (this.#process.isKilled) throw error
      }
    }
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#process.isClosed && this.#lock === undefined) throw new Error('The log is closed.')
    const running = work()
    this.#process.underWay.add(running)
    try {
      return await running
    } finally {
      this.#process.underWay.delete(running)
    }
  }

  async #enter(operation: Operation, graphId: GraphId | undefined): Promise<void> {
    await this.#hooks.before?.(operation, graphId)
    this.#refuseIfLost()
  }

  async #leave(operation: Operation, graphId: GraphId | undefined): Promise<void> {
    await this.#hooks.after?.(operation, graphId)
    this.#refuseIfLost()
  }

  /** Does `work` at once when no other log holds the lock. */
  async #unlocked<T>(graphId: GraphId, work: () => T): Promise<T> {
    for (;;) {
      const lock = this.#storage.locks.get(graphId)
      if (lock === undefined || lock === this.#lock) break
      await lock.released
    }
    this.#refuseIfLost()
    return work()
  }

  #refuseIfLost(): void {
    if (this.#process.isKilled) throw new Error('The process was killed.')
    if (this.#lock?.isReleased === true) throw new Failure('storage_unavailable', 'The lock was lost.')
  }

  #current(graphId: GraphId, after: Head | undefined): StoredGraph | undefined {
    const graph = this.#storage.graphs.get(graphId)
    if (!isSame(graph?.head, after)) throw new Behind()
    return graph
  }

  #put(graphId: GraphId, graph: StoredGraph | undefined): void {
    const { graphs } = this.#storage
    const before = graphs.get(graphId)
    set(graph)
    this.#storage.committed(() => set(before))

    function set(one: StoredGraph | undefined): void {
      if (one === undefined) graphs.delete(graphId)
      else graphs.set(graphId, one)
    }
  }

  #extend(graph: StoredGraph, head: Head, rows: readonly StoredRow[]): void {
    const { head: before } = graph
    const { length } = graph.rows
    graph.rows.push(...rows)
    graph.head = head
    this.#storage.committed(() => {
      graph.rows.length = length
      graph.head = before
    })
  }

  #newHead(graphId: GraphId): Head {
    const epoch = this.#storage.nextEpoch()
    return { graphId, epoch, position: 0, appendId: '', erasedAt: 0, bytes: 0 }
  }
}

type Outcome<T> = { readonly result: T } | { readonly refused: unknown }

function outcomeOf<T>(commit: () => T): Outcome<T> {
  try {
    return { result: commit() }
  } catch (refused) {
    return { refused }
  }
}

function newProcess(): Process {
  return { isClosed: false, isKilled: false, underWay: new Set(), locks: new Set() }
}

function headBehind(head: Head, entries: readonly Entry[], rows: readonly StoredRow[]): Head {
  let { position, erasedAt } = head
  for (const entry of entries) {
    if (entry.records.some(({ op }) => op === 'erased')) erasedAt = entry.position
    position = lastPositionOf(entry)
  }
  const appendId = rows.at(-1)?.appendId ?? head.appendId
  return { ...head, position, appendId, erasedAt, bytes: head.bytes + bytesOf(rows) }
}

function bytesOf(rows: readonly StoredRow[]): number {
  return rows.reduce((sum, { text }) => sum + text.length, 0)
}

/** Is what was read before still in the graph, and was nothing erased since? */
function continues(graph: StoredGraph, begun: Head): boolean {
  return hasHead(graph, begun) && graph.head.erasedAt === begun.erasedAt
}

function decoded(graphId: GraphId, row: StoredRow): Entry {
  try {
    return fromRow(row)
  } catch (error) {
    throw error instanceof UnknownRecord ? new NewerVersion(graphId) : error
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
