import { countWhile } from '../../domain/in-order.js'

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

/** Builds a segment from packed postings in document order; `terms` holds the term of each. */
export function buildSegment(terms: readonly number[], pairs: readonly number[]): Segment {
  const { length } = terms
  const order = new Float64Array(length)
  for (let i = 0; i < length; i++) order[i] = (terms[i] ?? 0) * length + i
  order.sort()
  const builder = new SegmentBuilder(length, length)
  for (let i = 0; i < length; i++) {
    const key = order[i] ?? 0
    const term = Math.floor(key / length)
    builder.add(term, pairs[key - term * length] ?? 0)
  }
  return builder.finish()
}

/** Merges two segments; all documents of `earlier` precede those of `later`. Yields after every `MERGE_STEP` postings. */
export function* mergeSegments(earlier: Segment, later: Segment): Generator<void, Segment> {
  const builder = new SegmentBuilder(earlier.terms.length + later.terms.length, earlier.size + later.size)
  let [first, second] = [0, 0]
  for (let yieldAt = MERGE_STEP; first < earlier.terms.length || second < later.terms.length; ) {
    const one = earlier.terms[first] ?? Number.POSITIVE_INFINITY
    const other = later.terms[second] ?? Number.POSITIVE_INFINITY
    if (one <= other) builder.addAll(earlier, first++)
    if (other <= one) builder.addAll(later, second++)
    if (builder.work < yieldAt) continue
    yieldAt = builder.work + MERGE_STEP
    yield
  }
  return builder.finish()
}

/** Writes a segment, its terms in ascending order. */
class SegmentBuilder {
  readonly #terms: Uint32Array
  readonly #ends: Uint32Array
  readonly #pairs: Uint32Array
  #count = 0
  #size = 0

  constructor(maxTerms: number, size: number) {
    this.#terms = new Uint32Array(maxTerms)
    this.#ends = new Uint32Array(maxTerms)
    this.#pairs = new Uint32Array(size)
  }

  /** How many terms and postings were written. */
  get work(): number {
    return this.#count + this.#size
  }

  add(term: number, pair: number): void {
    if (this.#count === 0 || this.#terms[this.#count - 1] !== term) this.#terms[this.#count++] = term
    this.#pairs[this.#size++] = pair
    this.#ends[this.#count - 1] = this.#size
  }

  /** Adds all postings of a term of another segment. */
  addAll({ terms, ends, pairs }: Segment, index: number): void {
    const term = terms[index] ?? 0
    const end = ends[index] ?? 0
    for (let i = index === 0 ? 0 : (ends[index - 1] ?? 0); i < end; i++) this.add(term, pairs[i] ?? 0)
  }

  finish(): Segment {
    return new Segment(this.#terms.slice(0, this.#count), this.#ends.slice(0, this.#count), this.#pairs)
  }
}
