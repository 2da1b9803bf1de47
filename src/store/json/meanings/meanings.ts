import type { CodeScan } from '../../../domain/meaning/code-scan.js'
import { CodeTable } from '../../../domain/meaning/code-table.js'
import { Memo } from '../../../domain/memo.js'
import type { MemoryId } from '../../../domain/model.js'
import { nextTurn } from '../../../loop/next-turn.js'
import { Uint32List } from '../search/uint32-list.js'
import type { VectorFile } from './vector-file.js'
import type { VectorRecord } from './vector-record.js'

/** The memories of a graph: each has a number, in order from 0. */
export interface Numbering {
  readonly list: readonly Numbered[]
  find(id: MemoryId): Numbered | undefined
}

interface Numbered {
  readonly number: number
  readonly id: MemoryId
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
 * The vectors of one graph, by the numbers of its memories: the codes in memory, the bytes in a file. Bytes that the
 * disk refuses are held in memory until it takes them.
 */
export class Meanings {
  readonly #file: VectorFile
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

  constructor(file: VectorFile, ports: MeaningsPorts) {
    this.#file = file
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
    const vector = this.#file.readNow(this.#places.at(number), id)
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

  /** Finds the vectors that were kept; false when the file holds something else, too. */
  async open(memories: Numbering): Promise<boolean> {
    try {
      return await this.#file.open(({ id, vector }, place) => {
        const number = memories.find(id)?.number
        if (number === undefined || this.#codes.has(number)) return false
        this.#keep(number, vector, place)
        return true
      })
    } catch (error) {
      this.#fail(error)
      return false
    }
  }

  /**
   * Takes over what `from` knows of the memories that are still there, into a new file in the place of whatever is there.
   * When that cannot be written there is no file, so that nothing of an erased memory stays, and all are read again.
   */
  async takeOver(from: Meanings, before: Numbering, now: Numbering): Promise<void> {
    try {
      await this.#file.replace(this.#kept(from, before, now))
    } catch (error) {
      this.#codes = new CodeTable()
      this.#places = new Uint32List()
      this.#fail(error)
      await this.#file.remove().catch(() => undefined)
    }
  }

  /** Questions that are being answered in this turn of the event loop are answered first. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.#writing
    await nextTurn()
    await this.#file.close()
  }

  *#kept(from: Meanings, before: Numbering, now: Numbering): Generator<VectorRecord> {
    for (const memory of before.list) {
      if (!from.#codes.has(memory.number)) continue
      const number = now.find(memory.id)?.number
      const vector = number === undefined ? undefined : from.vector(memory)
      if (number === undefined || vector === undefined) continue
      this.#keep(number, vector, this.count)
      yield { id: memory.id, vector }
    }
  }

  #keep(number: number, vector: Int8Array, place: number): void {
    this.#codes.put(number, vector)
    this.#places.set(number, place)
  }

  /** After a failure it waits until twice as many are held, so that a full disk is not asked again and again. */
  async #writeHeld(): Promise<void> {
    try {
      while (this.#held.size >= this.#writeAt) {
        const some = [...this.#held.entries()].slice(0, SOME)
        let place = await this.#file.append(some.map(([, record]) => record))
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
