import { Uint32List } from './uint32-list.js'

/** Which terms each document holds, and how often: one list of numbers for all of them. */
export class Documents {
  readonly #pairs = new Uint32List()
  /** Where the terms of each document end. */
  readonly #ends = new Uint32List()
  readonly #lengths = new Uint32List()
  /** In how many documents each term occurs. */
  #frequencies = new Uint32Array(1024)
  /** For counting the terms of one document; all 0 in between. */
  #counts = new Uint32Array(1024)
  /** The distinct terms of the document that is being added. */
  readonly #distinct: number[] = []
  #length = 0
  #totalLength = 0

  get count(): number {
    return this.#ends.length
  }

  /** The mean length of the first `count` documents. */
  averageLength(count: number): number {
    let total = this.#totalLength
    if (count < this.count) {
      total = 0
      for (let document = 0; document < count; document++) total += this.lengthOf(document)
    }
    return total / Math.max(1, count)
  }

  lengthOf(document: number): number {
    return this.#lengths.at(document)
  }

  /** The number of documents that hold the term. */
  frequencyOf(term: number): number {
    return this.#frequencies[term] ?? 0
  }

  /** One more occurrence of a term in the document that is being added. */
  put(term: number): void {
    if (term >= this.#counts.length) this.#makeRoom(term)
    const count = this.#counts[term] ?? 0
    if (count === 0) this.#distinct.push(term)
    this.#counts[term] = count + 1
    this.#length++
  }

  /** The document is complete; documents are numbered from 0 as they are completed. */
  complete(): void {
    if (this.count >= MOST_NUMBERED) throw new RangeError(`A graph holds at most ${MOST_NUMBERED} memories.`)
    for (const term of this.#distinct) {
      this.#pairs.push(pairOf(term, this.#counts[term] ?? 0))
      this.#frequencies[term] = (this.#frequencies[term] ?? 0) + 1
      this.#counts[term] = 0
    }
    this.#ends.push(this.#pairs.length)
    this.#lengths.push(this.#length)
    this.#totalLength += this.#length
    this.#distinct.length = 0
    this.#length = 0
  }

  /** The distinct terms of a document in the order of their first occurrence. */
  eachTerm(document: number, visit: (term: number, count: number) => void): void {
    const start = document === 0 ? 0 : this.#ends.at(document - 1)
    const end = this.#ends.at(document)
    for (let i = start; i < end; i++) {
      const pair = this.#pairs.at(i)
      visit(numberIn(pair), countIn(pair))
    }
  }

  #makeRoom(term: number): void {
    const size = 2 ** Math.ceil(Math.log2(term + 1))
    const counts = new Uint32Array(size)
    counts.set(this.#counts)
    this.#counts = counts
    const frequencies = new Uint32Array(size)
    frequencies.set(this.#frequencies)
    this.#frequencies = frequencies
  }
}

const COUNT_BITS = 8
const MOST_COUNTED = 2 ** COUNT_BITS - 1

/** The largest number that shares 32 bits with a count. */
const MOST_NUMBERED = 2 ** (32 - COUNT_BITS) - 1

/** The number of a document or a term, and how often (255 at most), in 32 bits. */
export function pairOf(number: number, count: number): number {
  return number * 2 ** COUNT_BITS + Math.min(count, MOST_COUNTED)
}

export function numberIn(pair: number): number {
  return pair >>> COUNT_BITS
}

export function countIn(pair: number): number {
  return pair & MOST_COUNTED
}
