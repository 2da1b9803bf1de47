import type { CodeScan } from '../domain/meaning/code-scan.js'
import { CodeTable } from '../domain/meaning/code-table.js'
import { Memo } from '../domain/memo.js'
import type { MemoryId } from '../domain/model.js'
import { nextTurn } from '../loop/next-turn.js'

/** The memories of a graph, numbered in order from 0. */
export interface Numbering {
  readonly list: readonly Numbered[]
  find(id: MemoryId): Numbered | undefined
}

interface Numbered {
  readonly number: number
  readonly id: MemoryId
}

/** The vector of one memory. */
export interface VectorRecord {
  readonly id: MemoryId
  readonly vector: Int8Array
}

/** Stores the vectors of a graph. They are derived data: a missing vector is computed again. */
export interface VectorStore {
  /**
   * Must be called first. Calls `take` once with the stored vector of each wanted memory and its index. Removes damaged vectors
   * and those of another model; may remove vectors of unwanted memories, unless another process may want them.
   */
  open(
    isWanted: (id: MemoryId) => boolean,
    take: (record: VectorRecord, index: number) => void,
  ): Promise<void>
  /** Reads the vector at an index synchronously. Undefined if it cannot be read, or belongs to another memory. */
  readNow(index: number, id: MemoryId): Int8Array | undefined
  /** Stores vectors at consecutive indexes, and resolves to the first one. Not flushed. */
  append(records: readonly VectorRecord[]): Promise<number>
  close(): Promise<void>
}

export interface NumberedVector extends VectorRecord {
  readonly number: number
}

export interface MeaningsPorts {
  readonly scan: CodeScan
  /** Called when vectors could not be written or read for the first time. */
  readonly onFailure: (error: unknown) => void
  /** Called when a vector can no longer be read, so that its memory has to be read again. */
  readonly onLost: () => void
}

/** Approximate memory for a stored vector: its code and its index. */
const BYTES_PER_VECTOR = 56
/** Approximate memory for a vector that is not stored yet. */
const BYTES_PER_UNWRITTEN = 600
/** How many vectors are cached: a question reads the nearest ones twice, and so may the next question. */
const MAX_CACHED = 4_000
const BATCH_RECORDS = 500

/**
 * The vectors of one graph, by the numbers of its memories: codes in memory, bytes in a `VectorStore`. Vectors that could not
 * be stored stay in memory until they are.
 */
export class Meanings {
  readonly #store: VectorStore
  readonly #ports: MeaningsPorts
  readonly #codes = new CodeTable()
  /** The index in the store, by the number of the memory. */
  readonly #indexes: number[] = []
  readonly #unwritten = new Map<number, VectorRecord>()
  readonly #recent = new Memo<number, Int8Array>(MAX_CACHED)
  /** How many unwritten vectors trigger the next attempt to write them. */
  #writeAt = 1
  #writing: Promise<void> = Promise.resolve()
  /** All memories before this number have been read. */
  #allReadBefore = 0
  #hasFailed = false
  isClosed = false

  constructor(store: VectorStore, ports: MeaningsPorts) {
    this.#store = store
    this.#ports = ports
  }

  /** How many memories have been read. */
  get count(): number {
    return this.#codes.size
  }

  /** How many of the first memories have been read. */
  countAmong(first: number): number {
    return this.#codes.countAmong(first)
  }

  /** About how many bytes of memory this takes. */
  get footprint(): number {
    return (
      BYTES_PER_VECTOR * this.count +
      BYTES_PER_UNWRITTEN * (this.#unwritten.size + Math.min(MAX_CACHED, this.count))
    )
  }

  /** The numbers of at most `limit` unread memories among the first `count`, lowest first. */
  unread(count: number, limit: number): number[] {
    while (this.#allReadBefore < count && this.#codes.has(this.#allReadBefore)) this.#allReadBefore++
    const numbers: number[] = []
    for (let number = this.#allReadBefore; number < count && numbers.length < limit; number++)
      if (!this.#codes.has(number)) numbers.push(number)
    return numbers
  }

  /** The vector of a memory; undefined when it has not been read, or is to be read again. */
  vector({ number, id }: Numbered): Int8Array | undefined {
    if (!this.#codes.has(number)) return undefined
    const cached = this.#unwritten.get(number)?.vector ?? this.#recent.get(number)
    if (cached !== undefined) return cached
    const vector = this.#store.readNow(this.#indexes[number] ?? 0, id)
    if (vector === undefined) this.#lose(number)
    else this.#recent.set(number, vector)
    return vector
  }

  /** The numbers of memories that include those nearest to a vector (see `CodeTable.candidates`). */
  candidates(vector: Int8Array, limit: number, admits?: (number: number) => boolean): number[] {
    return this.#codes.candidates(this.#ports.scan, vector, limit, admits)
  }

  /** Adds vectors, which are used at once. Resolves when they were written, or could not be. */
  put(vectors: readonly NumberedVector[]): Promise<void> {
    for (const vector of vectors) {
      this.#codes.put(vector.number, vector.vector)
      this.#unwritten.set(vector.number, vector)
    }
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  /** Loads the stored vectors. */
  async open(memories: Numbering): Promise<void> {
    const numberOf = (id: MemoryId) => memories.find(id)?.number
    try {
      await this.#store.open(
        (id) => numberOf(id) !== undefined,
        ({ id, vector }, index) => {
          const number = numberOf(id)
          if (number === undefined) return
          this.#codes.put(number, vector)
          this.#setIndex(number, index)
        },
      )
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Waits until questions of this turn of the event loop are answered. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.#writing
    await nextTurn()
    await this.#store.close()
  }

  /** After a failure, waits until twice as many vectors are unwritten, so that a full disk is not tried again and again. */
  async #write(): Promise<void> {
    try {
      while (this.#unwritten.size >= this.#writeAt) {
        const batch = [...this.#unwritten.entries()].slice(0, BATCH_RECORDS)
        let index = await this.#store.append(batch.map(([, record]) => record))
        for (const [number] of batch) {
          this.#setIndex(number, index++)
          this.#unwritten.delete(number)
        }
        this.#writeAt = 1
      }
    } catch (error) {
      this.#writeAt = 2 * this.#unwritten.size
      this.#fail(error)
    }
  }

  #setIndex(number: number, index: number): void {
    // Without gaps: an array that is filled far behind its end takes much more memory.
    while (this.#indexes.length < number) this.#indexes.push(0)
    this.#indexes[number] = index
  }

  #lose(number: number): void {
    this.#codes.remove(number)
    this.#allReadBefore = Math.min(this.#allReadBefore, number)
    this.#ports.onLost()
  }

  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#ports.onFailure(error)
    this.#hasFailed = true
  }
}
