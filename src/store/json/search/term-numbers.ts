const PARTS = 32

/**
 * The terms of a graph, numbered from 0 as they are met. In several maps: one that grows is copied at once, and copying a
 * million terms would block the event loop.
 */
export class TermNumbers {
  readonly #parts = Array.from({ length: PARTS }, () => new Map<string, number>())
  size = 0

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

  /** By its last letters, in which terms differ most. */
  #partOf(term: string): Map<string, number> | undefined {
    const { length } = term
    const last = length === 0 ? 0 : term.charCodeAt(length - 1)
    const before = length < 2 ? 0 : term.charCodeAt(length - 2)
    return this.#parts[(last * 7 + before) % PARTS]
  }
}
