const PARTS = 128
const PART_SHIFT = 25
const PRIME = 0x01000193

/**
 * The terms of a graph, numbered from 0 as they are met. In several maps: one that grows is copied at once, and copying a
 * million terms would block the event loop. A caller that chooses words cannot have them all in one map without the seed.
 */
export class TermNumbers {
  readonly #seed: number
  readonly #parts = Array.from({ length: PARTS }, () => new Map<string, number>())
  size = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  find(term: string): number | undefined {
    return this.#partOf(term)?.get(term)
  }

  /** The number of a term, which has one from now on. */
  of(term: string): number {
    const part = this.#partOf(term)
    const known = part?.get(term)
    if (known !== undefined) return known
    part?.set(term, this.size)
    return this.size++
  }

  /** The first terms by number, a part of them at a time. */
  *first(count: number): Generator<void, readonly string[]> {
    const terms = new Array<string>(count)
    for (const part of this.#parts) {
      for (const [term, number] of part) if (number < count) terms[number] = term
      yield
    }
    return terms
  }

  #partOf(term: string): Map<string, number> | undefined {
    let hash = this.#seed
    for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), PRIME)
    return this.#parts[hash >>> PART_SHIFT]
  }
}
