import { countWhile } from '../../domain/in-order.js'
import type { Uint32List } from './uint32-list.js'

const COUNT_BITS = 8
const MAX_COUNT = 2 ** COUNT_BITS - 1

/** The largest document number that fits beside a count. */
export const MAX_DOCUMENT = 2 ** (32 - COUNT_BITS) - 1

/** Packs a document number and a term count (at most 255) into 32 bits. */
export function packPosting(document: number, count: number): number {
  return document * 2 ** COUNT_BITS + Math.min(count, MAX_COUNT)
}

export function documentOf(pair: number): number {
  return pair >>> COUNT_BITS
}

export function countOf(pair: number): number {
  return pair & MAX_COUNT
}

/** How many postings a merge copies between two yields. */
const MERGE_STEP = 16_384
/** Sort key = term × 2^21 + index; fits into 53 bits. */
const INDEX_RANGE = 2 ** 21

const NO_PAIRS = new Uint32Array(0)

/** The postings of consecutive documents, grouped by term. Immutable. */
export class Segment {
  /** Sorted term ids. */
  readonly terms: Uint32Array
  /** `ends[i]`: end of the postings of `terms[i]` in `pairs`. */
  readonly ends: Uint32Array
  /** Packed postings, by term and then by document. */
  readonly pairs: Uint32Array

  constructor(terms: Uint32Array, ends: Uint32Array, pairs: Uint32Array) {
    this.terms = terms
    this.ends = ends
    this.pairs = pairs
  }

  get size(): number {
    return this.pairs.length
  }

  /** The packed postings of a term, by document. */
  postings(term: number): Uint32Array {
    const before = countWhile(this.terms, (other) => other < term)
    if (this.terms[before] !== term) return NO_PAIRS
    return this.pairs.subarray(before === 0 ? 0 : this.ends[before - 1], this.ends[before])
  }
}

/** Builds a segment from postings in document order: `pairs` holds the packed posting for each entry of `terms`. */
export function* buildSegment(terms: Uint32List, pairs: Uint32List): Generator<void, Segment> {
  const { length } = terms
  if (length > INDEX_RANGE)
    throw new RangeError(`A segment is made of at most ${INDEX_RANGE} occurrences at once.`)
  const keys = new Float64Array(length)
  for (let i = 0; i < length; i++) keys[i] = terms.at(i) * INDEX_RANGE + i
  keys.sort()
  yield
  const builder = new SegmentBuilder(length, length)
  for (let i = 0; i < length; i++) {
    const key = keys[i] ?? 0
    const term = Math.floor(key / INDEX_RANGE)
    builder.startTerm(term)
    builder.add(pairs.at(key - term * INDEX_RANGE))
  }
  yield
  return builder.finish()
}

/** Merges two segments; all documents of `earlier` precede those of `later`. Yields after every `MERGE_STEP` postings. */
export function* mergeSegments(earlier: Segment, later: Segment): Generator<void, Segment> {
  const builder = new SegmentBuilder(earlier.terms.length + later.terms.length, earlier.size + later.size)
  const [first, second] = [new Cursor(earlier), new Cursor(later)]
  let steps = 0
  while (first.term !== undefined || second.term !== undefined) {
    const term = Math.min(first.term ?? Number.POSITIVE_INFINITY, second.term ?? Number.POSITIVE_INFINITY)
    builder.startTerm(term)
    for (const cursor of [first, second]) if (cursor.term === term) steps += cursor.moveTo(builder)
    if (++steps < MERGE_STEP) continue
    steps = 0
    yield
  }
  return builder.finish()
}

/** Writes a segment, its terms in ascending order. */
class SegmentBuilder {
  readonly #terms: Uint32Array
  readonly #ends: Uint32Array
  readonly #pairs: Uint32Array
  #termCount = 0
  #pairCount = 0

  constructor(maxTerms: number, pairs: number) {
    this.#terms = new Uint32Array(maxTerms)
    this.#ends = new Uint32Array(maxTerms)
    this.#pairs = new Uint32Array(pairs)
  }

  /** Postings added from now on belong to this term. */
  startTerm(term: number): void {
    if (this.#termCount > 0 && this.#terms[this.#termCount - 1] === term) return
    this.#terms[this.#termCount++] = term
  }

  add(pair: number): void {
    this.#pairs[this.#pairCount++] = pair
    this.#ends[this.#termCount - 1] = this.#pairCount
  }

  addAll(pairs: Uint32Array): void {
    this.#pairs.set(pairs, this.#pairCount)
    this.#pairCount += pairs.length
    this.#ends[this.#termCount - 1] = this.#pairCount
  }

  finish(): Segment {
    return new Segment(
      this.#terms.slice(0, this.#termCount),
      this.#ends.slice(0, this.#termCount),
      this.#pairs,
    )
  }
}

/** Up to this many postings, copying one by one is faster than creating a subarray. */
const MAX_COPIED_SINGLY = 16

/** Iterates over a segment term by term. */
class Cursor {
  readonly #segment: Segment
  #at = 0
  #start = 0

  constructor(segment: Segment) {
    this.#segment = segment
  }

  /** Undefined at the end. */
  get term(): number | undefined {
    return this.#segment.terms[this.#at]
  }

  /** Moves the postings of the current term, and returns their number. */
  moveTo(builder: SegmentBuilder): number {
    const { ends, pairs } = this.#segment
    const end = ends[this.#at++] ?? 0
    const count = end - this.#start
    if (count > MAX_COPIED_SINGLY) builder.addAll(pairs.subarray(this.#start, end))
    else for (let i = this.#start; i < end; i++) builder.add(pairs[i] ?? 0)
    this.#start = end
    return count
  }
}
