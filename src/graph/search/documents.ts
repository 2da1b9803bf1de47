import { MOST_NUMBERED, pairOf } from './segment.js'
import { Uint32List } from './uint32-list.js'

/** How long the documents are, and in how many of them each term occurs. */
export class Documents {
  readonly #lengths = new Uint32List()
  /** In how many documents each term occurs. */
  #frequencies = new Uint32Array(1024)
  /** For counting the terms of one document; all 0 in between. */
  #counts = new Uint32Array(1024)
  /** The distinct terms of the document that is being added. */
  readonly #distinct: number[] = []
  #length = 0
  #totalLength = 0
  #before = { count: 0, total: 0 }

  get count(): number {
    return this.#lengths.length
  }

  /** The mean length of the first `count` documents. */
  averageLength(count: number): number {
    return (count < this.count ? this.#totalOf(count) : this.#totalLength) / Math.max(1, count)
  }

  /** Worked out once for a number: questions about one moment come together. */
  #totalOf(count: number): number {
    if (this.#before.count === count) return this.#before.total
    let total = 0
    for (let document = 0; document < count; document++) total += this.lengthOf(document)
    this.#before = { count, total }
    return total
  }

  /** By document. */
  get lengths(): Uint32List {
    return this.#lengths
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
    this.#makeRoom(term)
    const count = this.#counts[term] ?? 0
    if (count === 0) this.#distinct.push(term)
    this.#counts[term] = count + 1
    this.#length++
  }

  /**
   * The document is complete; documents are numbered from 0 as they are completed. Gives its distinct terms to `visit`, in
   * the order of their first occurrence, each with the document and its count.
   */
  complete(visit: (term: number, pair: number) => void): void {
    const document = this.count
    if (document >= MOST_NUMBERED) throw new RangeError(`A graph holds at most ${MOST_NUMBERED} memories.`)
    for (const term of this.#distinct) {
      visit(term, pairOf(document, this.#counts[term] ?? 0))
      this.#frequencies[term] = (this.#frequencies[term] ?? 0) + 1
      this.#counts[term] = 0
    }
    this.#addLength(this.#length)
    this.#distinct.length = 0
    this.#length = 0
  }

  /** Takes the lengths of documents that were kept; none is in yet. */
  restoreLengths(lengths: Uint32Array): void {
    for (const length of lengths) this.#addLength(length)
  }

  restoreFrequency(term: number, documents: number): void {
    this.#makeRoom(term)
    this.#frequencies[term] = (this.#frequencies[term] ?? 0) + documents
  }

  #addLength(length: number): void {
    this.#lengths.push(length)
    this.#totalLength += length
  }

  #makeRoom(term: number): void {
    if (term < this.#counts.length) return
    const size = 2 ** Math.ceil(Math.log2(term + 1))
    const counts = new Uint32Array(size)
    counts.set(this.#counts)
    this.#counts = counts
    const frequencies = new Uint32Array(size)
    frequencies.set(this.#frequencies)
    this.#frequencies = frequencies
  }
}
