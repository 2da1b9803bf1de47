import type { GraphId, MemoryId } from '../../../src/domain/model.js'
import { type Entry, type StoredEntry, toEntry, toStored } from '../../../src/log/entries.js'
import type { Head } from '../../../src/log/graph-log.js'

/** An entry as it is kept: as text, so that nothing is shared with the entry that was given. */
export interface StoredRow {
  readonly position: number
  readonly count: number
  /** That of the append that wrote it; an erasure keeps it. */
  readonly appendId: string
  readonly text: string
}

export interface StoredGraph {
  head: Head
  /** In order of position. */
  readonly rows: StoredRow[]
}

export interface StoredVectors {
  /** Of the model. */
  readonly identity: string
  /** By place; undefined where a vector was removed. */
  readonly list: ({ readonly id: MemoryId; readonly bytes: Int8Array } | undefined)[]
}

export interface MemoryLock {
  /** Resolves when the lock is released. */
  readonly released: Promise<void>
  isReleased: boolean
  release(): void
}

/** What the logs of several processes share. */
export class MemoryStorage {
  readonly graphs = new Map<GraphId, StoredGraph>()
  readonly vectors = new Map<GraphId, StoredVectors>()
  readonly locks = new Map<GraphId, MemoryLock>()
  readonly #maxUndo: number
  /** Takes back the latest commits, the oldest first. */
  readonly #undo: (() => void)[] = []
  #lastEpoch = 0
  #lastAppend = 0

  /** A failover loses at most `maxUndo` commits. */
  constructor({ maxUndo = 0 }: { readonly maxUndo?: number } = {}) {
    this.#maxUndo = maxUndo
  }

  nextEpoch(): string {
    return `e${++this.#lastEpoch}`
  }

  nextAppendId(): string {
    return `a${++this.#lastAppend}`
  }

  /** For each commit: `undo` takes it back. */
  committed(undo: () => void): void {
    this.#undo.push(undo)
    if (this.#undo.length > this.#maxUndo) this.#undo.shift()
  }

  /** The latest commits of any graph are lost, and all locks with the connections. Returns how many commits were lost. */
  failOver(commits: number): number {
    const lost = this.#undo.splice(Math.max(0, this.#undo.length - commits)).reverse()
    for (const undo of lost) undo()
    for (const lock of this.locks.values()) lock.release()
    return lost.length
  }

  forget(graphId: GraphId, memoryIds: ReadonlySet<MemoryId>): void {
    const list = this.vectors.get(graphId)?.list ?? []
    for (const [place, kept] of list.entries())
      if (kept !== undefined && memoryIds.has(kept.id)) list[place] = undefined
  }

  lock(graphId: GraphId): MemoryLock {
    let resolve: () => void = () => undefined
    const released = new Promise<void>((done) => {
      resolve = done
    })
    const lock = {
      released,
      isReleased: false,
      release: () => {
        lock.isReleased = true
        if (this.locks.get(graphId) === lock) this.locks.delete(graphId)
        resolve()
      },
    }
    this.locks.set(graphId, lock)
    return lock
  }
}

export function toRow(entry: Entry, appendId: string): StoredRow {
  const { position, count } = entry
  return { position, count, appendId, text: JSON.stringify(toStored(entry)) }
}

export function fromRow({ position, count, text }: StoredRow): Entry {
  return toEntry(position, count, JSON.parse(text) as StoredEntry)
}

/** The index of the first row behind a position. */
function indexBehind(rows: readonly StoredRow[], position: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row !== undefined && row.position <= position) low = middle + 1
    else high = middle
  }
  return low
}

/** The index of the first row that ends behind a position. */
export function firstEndingBehind(rows: readonly StoredRow[], position: number): number {
  const index = indexBehind(rows, position)
  const before = rows[index - 1]
  return before !== undefined && before.position + before.count - 1 > position ? index - 1 : index
}

/** Does the graph have a head that it once had? */
export function hasHead({ head, rows }: StoredGraph, { epoch, position, appendId }: Head): boolean {
  const row = rows[indexBehind(rows, position) - 1]
  if (row === undefined || head.epoch !== epoch) return false
  return row.position + row.count - 1 === position && row.appendId === appendId
}
