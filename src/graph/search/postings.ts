import { merged, numberIn, type Segment, segmentOf } from './segment.js'
import { Uint32List } from './uint32-list.js'

/** So many occurrences are put in order at once without a search being slower for it. */
const LONGEST_TAIL = 16_384

/** Occurrences as they came, document by document. */
class Tail {
  readonly terms = new Uint32List()
  readonly pairs = new Uint32List()
  readonly #byTerm = new Map<number, number[]>()
  /** How many occurrences are found by their term: those up to the last question. */
  #found = 0

  add(term: number, pair: number): void {
    this.terms.push(term)
    this.pairs.push(pair)
  }

  get length(): number {
    return this.terms.length
  }

  segment(): Generator<void, Segment> {
    return segmentOf(this.terms, this.pairs)
  }

  /** Does it begin with a document that comes before that one? */
  isBefore(document: number): boolean {
    return this.length > 0 && numberIn(this.pairs.at(0)) < document
  }

  run(term: number): Uint32Array {
    for (; this.#found < this.length; this.#found++) {
      const own = this.terms.at(this.#found)
      const pairs = this.#byTerm.get(own)
      if (pairs === undefined) this.#byTerm.set(own, [this.pairs.at(this.#found)])
      else pairs.push(this.pairs.at(this.#found))
    }
    return Uint32Array.from(this.#byTerm.get(term) ?? [])
  }
}

/**
 * Where each term occurs: in segments, each about twice as large as the next or larger, and in what came after them. So
 * there are few segments, and each occurrence is moved only a few times, in small steps.
 */
export class Postings {
  #segments: readonly Segment[] = []
  /** What segments are to be made of, in order. */
  #full: readonly Tail[] = []
  #tail = new Tail()

  /** Documents come in order. `pair` is the document and how often the term occurs in it. */
  add(term: number, pair: number): void {
    if (this.#tail.length >= LONGEST_TAIL) this.#endTail()
    this.#tail.add(term, pair)
  }

  /** Every document that holds the term, in order, each as a pair with the number of occurrences. */
  runs(term: number): readonly Uint32Array[] {
    const parts = [...this.#segments, ...this.#full, this.#tail]
    return parts.map((part) => part.run(term)).filter(({ length }) => length > 0)
  }

  /** The same of the documents before one. */
  runsBefore(term: number, document: number): readonly Uint32Array[] {
    const tails = [...this.#full, this.#tail].filter((tail) => tail.isBefore(document))
    return [...this.#segments, ...tails]
      .map((part) => part.run(term))
      .map((run) => run.subarray(0, countBefore(run, document)))
      .filter(({ length }) => length > 0)
  }

  /** Puts what came last in order, a little at a time. It may be left off at any step, and answers are the same at each. */
  *settle(): Generator<void> {
    for (let next = this.#full[0]; next !== undefined; next = this.#full[0]) {
      const segment = yield* next.segment()
      // Another one that is settling may have been quicker.
      if (this.#full[0] !== next) continue
      this.#full = this.#full.slice(1)
      this.#segments = [...this.#segments, segment]
      yield* this.#merge()
    }
  }

  /** All that is in now, as segments in order, made a little at a time. */
  whole(): Generator<void, readonly Segment[]> {
    this.#endTail()
    return segmentsOf(this.#segments, this.#full)
  }

  /** Takes segments that were kept; nothing is in yet. */
  restore(segments: readonly Segment[]): void {
    this.#segments = segments
  }

  #endTail(): void {
    if (this.#tail.length === 0) return
    this.#full = [...this.#full, this.#tail]
    this.#tail = new Tail()
  }

  *#merge(): Generator<void> {
    for (;;) {
      const before = this.#segments
      const [earlier, later] = before.slice(-2)
      if (earlier === undefined || later === undefined || earlier.size >= 2 * later.size) return
      const both = yield* merged(earlier, later)
      if (this.#segments !== before) return
      this.#segments = [...before.slice(0, -2), both]
    }
  }
}

function* segmentsOf(
  segments: readonly Segment[],
  tails: readonly Tail[],
): Generator<void, readonly Segment[]> {
  const all = [...segments]
  for (const tail of tails) all.push(yield* tail.segment())
  return all
}

/** Is the document in one of the runs? */
export function holds(runs: readonly Uint32Array[], document: number): boolean {
  return runs.some((run) => {
    const pair = run[countBefore(run, document)]
    return pair !== undefined && numberIn(pair) === document
  })
}

/** How many documents of a run come before one. */
export function countBefore(run: Uint32Array, document: number): number {
  let low = 0
  let high = run.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numberIn(run[middle] ?? 0) < document) low = middle + 1
    else high = middle
  }
  return low
}
