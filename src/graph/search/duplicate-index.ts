import type { Content } from '../../domain/events/same-event.js'
import { Uint32List } from './uint32-list.js'

/** What was made of an event before its record is applied. */
export interface Prepared extends Content {
  /** That of its key. */
  readonly hash?: number
}

/** A part that grows is filled anew at once, and a million numbers at once would block the event loop. */
const PARTS = 32
const PART_SHIFT = 27
const NO_SLOTS = new Uint32Array(1)
const SOME = 16_384

/**
 * From what an event says to the number of its memory: a hash table in typed arrays, about 20 bytes an event. It may
 * name a memory that says something else, so the caller makes sure.
 */
export class DuplicateIndex {
  #seed: number
  readonly #hashes = new Uint32List()
  /** Number + 1 by slot; 0 is an empty slot. */
  readonly #parts = Array.from({ length: PARTS }, () => new Uint32Array(8))
  readonly #counts = new Uint32Array(PARTS)

  /** A caller that chooses events cannot choose their slots without the seed. */
  constructor(seed: number) {
    this.#seed = seed
  }

  get count(): number {
    return this.#hashes.length
  }

  get seed(): number {
    return this.#seed
  }

  /** By number. */
  get hashes(): Uint32List {
    return this.#hashes
  }

  /** Takes the hash of a content. Numbers are given in order, from 0. */
  add(hash: number): void {
    this.#hashes.push(hash)
    const part = hash >>> PART_SHIFT
    const count = (this.#counts[part] ?? 0) + 1
    this.#counts[part] = count
    const before = this.#slotsOf(hash)
    if (2 * count > before.length) {
      this.#parts[part] = new Uint32Array(before.length * 2)
      for (const held of before) if (held !== 0) this.#place(held - 1)
    }
    this.#place(this.#hashes.length - 1)
  }

  /** Takes the hashes that were kept with the seed that they were made with, some at a time; none is in yet. */
  *restore(seed: number, hashes: Uint32Array): Generator<void> {
    this.#seed = seed
    for (const [i, hash] of hashes.entries()) {
      this.add(hash)
      if (i % SOME === SOME - 1) yield
    }
  }

  /** The first number that may hold this content and for which `isSame`. */
  find(content: string, isSame: (number: number) => boolean): number | undefined {
    const hash = this.hash(content)
    const slots = this.#slotsOf(hash)
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const held = slots[slot] ?? 0
      if (held === 0) return undefined
      if (this.#hashes.at(held - 1) === hash && isSame(held - 1)) return held - 1
    }
  }

  #place(number: number): void {
    const hash = this.#hashes.at(number)
    const slots = this.#slotsOf(hash)
    const mask = slots.length - 1
    let slot = hash & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = number + 1
  }

  #slotsOf(hash: number): Uint32Array {
    return this.#parts[hash >>> PART_SHIFT] ?? NO_SLOTS
  }

  hash(content: string): number {
    let hash = this.#seed
    for (let i = 0; i < content.length; i++) {
      hash = Math.imul(hash ^ content.charCodeAt(i), 0x9e3779b1)
      hash ^= hash >>> 15
    }
    return hash >>> 0
  }
}
