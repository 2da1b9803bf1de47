import { countWhile } from '../../domain/in-order.js'
import { buildSegment, documentOf, mergeSegments, type Segment } from './segment.js'

/** Making a segment of this many postings in one step delays no search noticeably. */
const MAX_TAIL = 4_096

/**
 * The postings of each term, in sorted segments followed by a tail by term. Each segment is at least about twice as large as
 * the next one, so there are few segments, and each posting is moved only a few times, in small steps.
 */
export class Postings {
  #segments: readonly Segment[] = []
  /** The terms and the packed postings of the tail. */
  #terms: number[] = []
  #pairs: number[] = []

  /** Documents must be added in ascending order. `pair` is a packed posting. */
  add(term: number, pair: number): void {
    if (this.#terms.length >= MAX_TAIL) this.#endTail()
    this.#terms.push(term)
    this.#pairs.push(pair)
  }

  /** The packed postings of a term in documents before `document`, by document. */
  before(term: number, document: number): readonly Uint32Array[] {
    const tail: number[] = []
    for (let i = this.#terms.indexOf(term); i >= 0; i = this.#terms.indexOf(term, i + 1))
      tail.push(this.#pairs[i] ?? 0)
    return [...this.#segments.map((segment) => segment.postings(term)), Uint32Array.from(tail)]
      .map((pairs) => {
        const count = countBefore(pairs, document)
        return count === pairs.length ? pairs : pairs.subarray(0, count)
      })
      .filter(({ length }) => length > 0)
  }

  /** Merges segments in small steps. May be abandoned at any step; answers are the same at each. */
  *settle(): Generator<void> {
    for (;;) {
      const before = this.#segments
      const [earlier, later] = before.slice(-2)
      if (earlier === undefined || later === undefined || earlier.size >= 2 * later.size) return
      const merged = yield* mergeSegments(earlier, later)
      // Meanwhile another run may have merged them, or a segment may have been added.
      if (this.#segments === before) this.#segments = [...before.slice(0, -2), merged]
    }
  }

  /** All postings added so far as segments in order. */
  segments(): readonly Segment[] {
    this.#endTail()
    return this.#segments
  }

  /** Takes over saved segments. Must be called before anything is added. */
  restore(segments: readonly Segment[]): void {
    this.#segments = segments
  }

  #endTail(): void {
    if (this.#terms.length === 0) return
    this.#segments = [...this.#segments, buildSegment(this.#terms, this.#pairs)]
    this.#terms = []
    this.#pairs = []
  }
}

/** Is the document in one of the lists of packed postings? */
export function containsDocument(lists: readonly Uint32Array[], document: number): boolean {
  return lists.some((pairs) => {
    const pair = pairs[countBefore(pairs, document)]
    return pair !== undefined && documentOf(pair) === document
  })
}

/** How many documents of a list of packed postings precede `document`. */
function countBefore(pairs: Uint32Array, document: number): number {
  if (documentOf(pairs.at(-1) ?? 0) < document) return pairs.length
  return countWhile(pairs, (pair) => documentOf(pair) < document)
}
