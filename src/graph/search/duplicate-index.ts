import type { Content } from '../../domain/events/same-event.js'

/** What is computed from an event before its record is applied. */
export interface Prepared extends Content {
  /** The hash of `key`. */
  readonly hash?: number
}

/** Several maps, since growing one copies all of it at once; copying a million entries would block the event loop. */
const PARTS = 32
const PART_SHIFT = 27
const RESTORE_STEP = 16_384

/** Maps the content of an event to the number of its memory. Only hashes are stored, so the caller compares the contents. */
export class DuplicateIndex {
  #seed: number
  /** By hash, as a signed number, which takes less memory: the number of the content, or those of several. */
  readonly #parts = Array.from({ length: PARTS }, () => new Map<number, number | readonly number[]>())
  #count = 0

  /** `seed` must be unknown to callers, who could otherwise choose events that collide. */
  constructor(seed: number) {
    this.#seed = seed
  }

  get count(): number {
    return this.#count
  }

  get seed(): number {
    return this.#seed
  }

  /** Adds the hash of a content under the next number, from 0. */
  add(hash: number): void {
    const part = this.#parts[hash >>> PART_SHIFT]
    const others = part?.get(hash | 0)
    part?.set(hash | 0, others === undefined ? this.#count : [others, this.#count].flat())
    this.#count++
  }

  /** The hashes of the first `count` contents, by number, collected in small steps. */
  *hashes(count: number): Generator<void, Uint32Array> {
    const hashes = new Uint32Array(count)
    for (const part of this.#parts) {
      for (const [hash, numbers] of part) for (const number of [numbers].flat()) hashes[number] = hash
      yield
    }
    return hashes
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
    const numbers = this.#parts[hash >>> PART_SHIFT]?.get(hash | 0) ?? []
    return [numbers].flat().find(isSame)
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
