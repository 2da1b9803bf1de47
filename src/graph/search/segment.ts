import { countWhile } from '../../domain/in-order.js'
import type { Uint32List } from './uint32-list.js'

const COUNT_BITS = 8
const MOST_COUNTED = 2 ** COUNT_BITS - 1

/** The largest number that shares 32 bits with a count. */
export const MOST_NUMBERED = 2 ** (32 - COUNT_BITS) - 1

/** The number of a document and how often (255 at most), in 32 bits. */
export function pairOf(number: number, count: number): number {
  return number * 2 ** COUNT_BITS + Math.min(count, MOST_COUNTED)
}

export function numberIn(pair: number): number {
  return pair >>> COUNT_BITS
}

export function countIn(pair: number): number {
  return pair & MOST_COUNTED
}

/** How many occurrences are handled before others may have their turn. */
const SOME = 16_384
/** Room for the place of an occurrence beside its term, in a number that is sorted as one. */
const PLACES = 2 ** 21

const NOTHING = new Uint32Array(0)

/** Where terms occur in documents that follow each other, term by term. Once built it does not change. */
export class Segment {
  /** Rising. */
  readonly terms: Uint32Array
  /** Where the occurrences of each of them end. */
  readonly ends: Uint32Array
  /** The document of each occurrence and how often, by term and then by document. */
  readonly pairs: Uint32Array

  constructor(terms: Uint32Array, ends: Uint32Array, pairs: Uint32Array) {
    this.terms = terms
    this.ends = ends
    this.pairs = pairs
  }

  get size(): number {
    return this.pairs.length
  }

  /** The occurrences of a term, by document. */
  run(term: number): Uint32Array {
    const before = countWhile(this.terms, (other) => other < term)
    if (this.terms[before] !== term) return NOTHING
    return this.pairs.subarray(before === 0 ? 0 : this.ends[before - 1], this.ends[before])
  }
}

/** A segment of occurrences that are given document by document: the term of each, and its pair. */
export function* segmentOf(terms: Uint32List, pairs: Uint32List): Generator<void, Segment> {
  const { length } = terms
  if (length > PLACES) throw new RangeError(`A segment is made of at most ${PLACES} occurrences at once.`)
  const order = new Float64Array(length)
  for (let i = 0; i < length; i++) order[i] = terms.at(i) * PLACES + i
  order.sort()
  yield
  const growing = new Growing(length, length)
  for (let i = 0; i < length; i++) {
    const key = order[i] ?? 0
    const term = Math.floor(key / PLACES)
    growing.begin(term)
    growing.add(pairs.at(key - term * PLACES))
  }
  yield
  return growing.finish()
}

/** Both in one: `later` is of documents that come after those of `earlier`. Works in small steps. */
export function* merged(earlier: Segment, later: Segment): Generator<void, Segment> {
  const growing = new Growing(earlier.terms.length + later.terms.length, earlier.size + later.size)
  const [one, other] = [new Cursor(earlier), new Cursor(later)]
  let done = 0
  while (one.term !== undefined || other.term !== undefined) {
    const term = Math.min(one.term ?? Number.POSITIVE_INFINITY, other.term ?? Number.POSITIVE_INFINITY)
    growing.begin(term)
    for (const cursor of [one, other]) if (cursor.term === term) done += cursor.moveTo(growing)
    if (++done < SOME) continue
    done = 0
    yield
  }
  return growing.finish()
}

/** A segment that is being written, its terms in rising order. */
class Growing {
  readonly #terms: Uint32Array
  readonly #ends: Uint32Array
  readonly #pairs: Uint32Array
  #termCount = 0
  #pairCount = 0

  constructor(mostTerms: number, pairs: number) {
    this.#terms = new Uint32Array(mostTerms)
    this.#ends = new Uint32Array(mostTerms)
    this.#pairs = new Uint32Array(pairs)
  }

  /** What is added from now on is of this term. */
  begin(term: number): void {
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

/** Copying this few occurrences one by one is quicker than making a view of them. */
const FEW = 16

/** Goes through a segment term by term. */
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

  /** Moves the occurrences of the term, and says how many they are. */
  moveTo(growing: Growing): number {
    const { ends, pairs } = this.#segment
    const end = ends[this.#at++] ?? 0
    const count = end - this.#start
    if (count > FEW) growing.addAll(pairs.subarray(this.#start, end))
    else for (let i = this.#start; i < end; i++) growing.add(pairs[i] ?? 0)
    this.#start = end
    return count
  }
}
