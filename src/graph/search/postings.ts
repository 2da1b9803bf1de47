import { buildSegment, documentOf, mergeSegments, type Segment } from './segment.js'
import { Uint32List } from './uint32-list.js'

/** Sorting this many postings in one step delays no search noticeably. */
const MAX_TAIL = 16_384

/** Unsorted postings, in document order. */
class Tail {
  readonly terms = new Uint32List()
  readonly pairs = new Uint32List()
  readonly #byTerm = new Map<number, number[]>()
  /** How many postings are in `#byTerm`, which is extended by each lookup. */
  #grouped = 0

  add(term: number, pair: number): void {
    this.terms.push(term)
    this.pairs.push(pair)
  }

  get length(): number {
    return this.terms.length
  }

  segment(): Generator<void, Segment> {
    return buildSegment(this.terms, this.pairs)
  }

  /** Does the first document precede `document`? */
  startsBefore(document: number): boolean {
    return this.length > 0 && documentOf(this.pairs.at(0)) < document
  }

  postings(term: number): Uint32Array {
    for (; this.#grouped < this.length; this.#grouped++) {
      const tailTerm = this.terms.at(this.#grouped)
      const pairs = this.#byTerm.get(tailTerm)
      if (pairs === undefined) this.#byTerm.set(tailTerm, [this.pairs.at(this.#grouped)])
      else pairs.push(this.pairs.at(this.#grouped))
    }
    return Uint32Array.from(this.#byTerm.get(term) ?? [])
  }
}

/**
 * The postings of each term, in sorted segments followed by unsorted tails. Each segment is at least about twice as large as
 * the next one, so there are few segments, and each posting is moved only a few times, in small steps.
 */
export class Postings {
  #segments: readonly Segment[] = []
  /** Complete tails that wait to become segments, in order. */
  #fullTails: readonly Tail[] = []
  #tail = new Tail()

  /** Documents must be added in ascending order. `pair` is a packed posting. */
  add(term: number, pair: number): void {
    if (this.#tail.length >= MAX_TAIL) this.#endTail()
    this.#tail.add(term, pair)
  }

  /** The packed postings of a term, by document. */
  of(term: number): readonly Uint32Array[] {
    const parts = [...this.#segments, ...this.#fullTails, this.#tail]
    return parts.map((part) => part.postings(term)).filter(({ length }) => length > 0)
  }

  /** The packed postings of a term in documents before `document`. */
  before(term: number, document: number): readonly Uint32Array[] {
    const tails = [...this.#fullTails, this.#tail].filter((tail) => tail.startsBefore(document))
    return [...this.#segments, ...tails]
      .map((part) => part.postings(term))
      .map((pairs) => pairs.subarray(0, countBefore(pairs, document)))
      .filter(({ length }) => length > 0)
  }

  /** Turns tails into segments in small steps. May be abandoned at any step; answers are the same at each. */
  *settle(): Generator<void> {
    for (let next = this.#fullTails[0]; next !== undefined; next = this.#fullTails[0]) {
      const segment = yield* next.segment()
      // A concurrent `settle` may have converted this tail already.
      if (this.#fullTails[0] !== next) continue
      this.#fullTails = this.#fullTails.slice(1)
      this.#segments = [...this.#segments, segment]
      yield* this.#merge()
    }
  }

  /** All postings added so far as segments in order, built in small steps. */
  segments(): Generator<void, readonly Segment[]> {
    this.#endTail()
    return allSegments(this.#segments, this.#fullTails)
  }

  /** Takes over saved segments. Must be called before anything is added. */
  restore(segments: readonly Segment[]): void {
    this.#segments = segments
  }

  #endTail(): void {
    if (this.#tail.length === 0) return
    this.#fullTails = [...this.#fullTails, this.#tail]
    this.#tail = new Tail()
  }

  *#merge(): Generator<void> {
    for (;;) {
      const before = this.#segments
      const [earlier, later] = before.slice(-2)
      if (earlier === undefined || later === undefined || earlier.size >= 2 * later.size) return
      const merged = yield* mergeSegments(earlier, later)
      if (this.#segments !== before) return
      this.#segments = [...before.slice(0, -2), merged]
    }
  }
}

function* allSegments(
  segments: readonly Segment[],
  tails: readonly Tail[],
): Generator<void, readonly Segment[]> {
  const all = [...segments]
  for (const tail of tails) all.push(yield* tail.segment())
  return all
}

/** Is the document in one of the lists of packed postings? */
export function containsDocument(lists: readonly Uint32Array[], document: number): boolean {
  return lists.some((pairs) => {
    const pair = pairs[countBefore(pairs, document)]
    return pair !== undefined && documentOf(pair) === document
  })
}

/** How many documents of a list of packed postings precede `document`. */
export function countBefore(pairs: Uint32Array, document: number): number {
  let low = 0
  let high = pairs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (documentOf(pairs[middle] ?? 0) < document) low = middle + 1
    else high = middle
  }
  return low
}
