import type { Content } from '../../domain/events/same-event.js'
import { Uint32List } from './uint32-list.js'

/** What is computed from an event before its record is applied. */
export interface Prepared extends Content {
  /** The hash of `key`. */
  readonly hash?: number
}

/** Growing a part rehashes all of it at once; rehashing one table of a million numbers would block the event loop. */
const PARTS = 32
const PART_SHIFT = 27
const EMPTY_PART = new Uint32Array(1)
const RESTORE_STEP = 16_384

/**
 * Maps the content of an event to the number of its memory: a hash table in typed arrays, about 20 bytes for each event.
 * Only hashes are stored, so the caller compares the contents.
 */
export class DuplicateIndex {
  #seed: number
  readonly #hashes = new Uint32List()
  /** Each slot holds a number + 1; 0 is an empty slot. */
  readonly #parts = Array.from({ length: PARTS }, () => new Uint32Array(8))
  readonly #counts = new Uint32Array(PARTS)

  /** `seed` must be unknown to callers, who could otherwise choose events that collide. */
  constructor(seed: number) {
    this.#seed = seed
  }

  get count(): number {
    return this.#hashes.length
  }

  get seed(): number {
    return this.#seed
  }

  /** The hash of each content, by number. */
  get hashes(): Uint32List {
    return this.#hashes
  }

  /** Adds the hash of a content under the next number, from 0. */
  add(hash: number): void {
    this.#hashes.push(hash)
    const part = hash >>> PART_SHIFT
    const count = (this.#counts[part] ?? 0) + 1
    this.#counts[part] = count
    const slots = this.#slotsOf(hash)
    if (2 * count > slots.length) {
      this.#parts[part] = new Uint32Array(slots.length * 2)
      for (const entry of slots) if (entry !== 0) this.#insert(entry - 1)
    }
    this.#insert(this.#hashes.length - 1)
  }

  /** Restores saved hashes and their seed in small steps. Must be called before any hash is added. */
  *restore(seed: number, hashes: Uint32Array): Generator<void> {
    this.#seed = seed
    for (const [i, hash] of hashes.entries()) {
      this.add(hash)
      if (i % RESTORE_STEP === RESTORE_STEP - 1) yield
    }
  }

  /** The number of the first content with the same hash that `isSame` confirms. */
  find(content: string, isSame: (number: number) => boolean): number | undefined {
    const hash = this.hash(content)
    const slots = this.#slotsOf(hash)
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot] ?? 0
      if (entry === 0) return undefined
      if (this.#hashes.at(entry - 1) === hash && isSame(entry - 1)) return entry - 1
    }
  }

  #insert(number: number): void {
    const hash = this.#hashes.at(number)
    const slots = this.#slotsOf(hash)
    const mask = slots.length - 1
    let slot = hash & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = number + 1
  }

  #slotsOf(hash: number): Uint32Array {
    return this.#parts[hash >>> PART_SHIFT] ?? EMPTY_PART
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
