import { Uint32List } from '../search/uint32-list.js'

/**
 * From what an event says to the number of its memory: a hash table in typed arrays, about 20 bytes an event. It may
 * name a memory that says something else, so the caller makes sure.
 */
export class DuplicateIndex {
  readonly #seed: number
  readonly #hashes = new Uint32List()
  /** Number + 1 by slot; 0 is an empty slot. */
  #slots = new Uint32Array(128)

  /** A caller that chooses events cannot choose their slots without the seed. */
  constructor(seed: number) {
    this.#seed = seed
  }

  /** Takes the hash of a content. Numbers are given in order, from 0. */
  add(hash: number): void {
    const number = this.#hashes.length
    this.#hashes.push(hash)
    if (2 * this.#hashes.length > this.#slots.length) {
      this.#slots = new Uint32Array(this.#slots.length * 2)
      for (let other = 0; other < number; other++) this.#place(other)
    }
    this.#place(number)
  }

  /** The first number that may hold this content and for which `isSame`. */
  find(content: string, isSame: (number: number) => boolean): number | undefined {
    const hash = this.hash(content)
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot] ?? 0
      if (held === 0) return undefined
      if (this.#hashes.at(held - 1) === hash && isSame(held - 1)) return held - 1
    }
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#hashes.at(number) & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = number + 1
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
