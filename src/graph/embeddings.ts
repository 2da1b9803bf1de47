import type { CodeScan } from '../domain/meaning/code-scan.js'
import { CodeTable } from '../domain/meaning/code-table.js'
import { Memo } from '../domain/memo.js'
import type { MemoryId } from '../domain/model.js'
import { nextTurn } from '../loop/next-turn.js'
import { Uint32List } from './search/uint32-list.js'

/** The memories of a graph: each has a number, in order from 0. */
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

/** Where the vectors of a graph are kept. All of it is derived: what is missing is read again. */
export interface VectorStore {
  /**
   * To be called before anything else. Gives `take` the vectors that are kept of the memories that are wanted, each once, with
   * its place. What is damaged or of another model is removed; what is not wanted may be, unless another process may want it.
   */
  open(
    isWanted: (id: MemoryId) => boolean,
    take: (record: VectorRecord, place: number) => void,
  ): Promise<void>
  /** The vector at a place, at once. Undefined when it cannot be read there, or is not that of this memory. */
  readNow(place: number, id: MemoryId): Int8Array | undefined
  /** Keeps vectors, and resolves to the place of the first; the others follow it. Not flushed. */
  append(records: readonly VectorRecord[]): Promise<number>
  close(): Promise<void>
}

/** The vector of the memory with that number. */
export interface NumberedVector extends VectorRecord {
  readonly number: number
}

export interface MeaningsPorts {
  readonly scan: CodeScan
  /** Told of the first time that vectors could not be written or read. */
  readonly failed: (error: unknown) => void
  /** Told when a vector turns out to be lost: its memory is to be read again. */
  readonly lost: () => void
}

/** About how many bytes of memory a vector takes whose bytes are on disk: its code and its place. */
const KEPT_BYTES = 56
const HELD_BYTES = 600
/** How many vectors are remembered: a question reads those near to it twice, and so may the next. */
const RECENT = 4_000
/** How many records are written at once. */
const SOME = 500

/**
 * The vectors of one graph, by the numbers of its memories: the codes in memory, the bytes in a `VectorStore`. Bytes that it
 * refuses are held in memory until it takes them.
 */
export class Meanings {
  readonly #store: VectorStore
  readonly #ports: MeaningsPorts
  #codes = new CodeTable()
  /** The places in the file, by number. */
  #places = new Uint32List()
  readonly #held = new Map<number, VectorRecord>()
  readonly #recent = new Memo<number, Int8Array>(RECENT)
  /** How many must be held for the next attempt to write them. */
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
    return KEPT_BYTES * this.count + HELD_BYTES * (this.#held.size + Math.min(RECENT, this.count))
  }

  /** The numbers of the first few memories, among the first `count`, that have not been read. */
  unread(count: number, most: number): number[] {
    while (this.#allReadBefore < count && this.#codes.has(this.#allReadBefore)) this.#allReadBefore++
    const numbers: number[] = []
    for (let number = this.#allReadBefore; number < count && numbers.length < most; number++)
      if (!this.#codes.has(number)) numbers.push(number)
    return numbers
  }

  /** The vector of a memory; undefined when it has not been read, or is to be read again. */
  vector({ number, id }: Numbered): Int8Array | undefined {
    if (!this.#codes.has(number)) return undefined
    const known = this.#held.get(number)?.vector ?? this.#recent.get(number)
    if (known !== undefined) return known
    const vector = this.#store.readNow(this.#places.at(number), id)
    if (vector === undefined) this.#lose(number)
    else this.#recent.set(number, vector)
    return vector
  }

  /** The numbers of the memories among which the nearest to a vector are (`CodeTable.candidates`). */
  candidates(vector: Int8Array, limit: number, admits?: (number: number) => boolean): number[] {
    return this.#codes.candidates(this.#ports.scan, vector, limit, admits)
  }

  /** Takes what was just read. It counts at once; resolves when it is written or cannot be. */
  put(vectors: readonly NumberedVector[]): Promise<void> {
    for (const vector of vectors) {
      this.#codes.put(vector.number, vector.vector)
      this.#held.set(vector.number, vector)
    }
    this.#writing = this.#writing.then(() => this.#writeHeld())
    return this.#writing
  }

  /** Finds the vectors that were kept. */
  async open(memories: Numbering): Promise<void> {
    const numberOf = (id: MemoryId) => memories.find(id)?.number
    try {
      await this.#store.open(
        (id) => numberOf(id) !== undefined,
        ({ id, vector }, place) => {
          const number = numberOf(id)
          if (number === undefined) return
          this.#codes.put(number, vector)
          this.#places.set(number, place)
        },
      )
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Questions that are being answered in this turn of the event loop are answered first. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.#writing
    await nextTurn()
    await this.#store.close()
  }

  /** After a failure it waits until twice as many are held, so that a full disk is not asked again and again. */
  async #writeHeld(): Promise<void> {
    try {
      while (this.#held.size >= this.#writeAt) {
        const some = [...this.#held.entries()].slice(0, SOME)
        let place = await this.#store.append(some.map(([, record]) => record))
        for (const [number] of some) {
          this.#places.set(number, place++)
          this.#held.delete(number)
        }
        this.#writeAt = 1
      }
    } catch (error) {
      this.#writeAt = 2 * this.#held.size
      this.#fail(error)
    }
  }

  #lose(number: number): void {
    this.#codes.remove(number)
    this.#allReadBefore = Math.min(this.#allReadBefore, number)
    this.#ports.lost()
  }

  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#ports.failed(error)
    this.#hasFailed = true
  }
}
