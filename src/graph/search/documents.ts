import { MAX_DOCUMENT, packPosting } from './segment.js'
import { Uint32List } from './uint32-list.js'

/** The length of each document, and the document frequency of each term. */
export class Documents {
  readonly #lengths = new Uint32List()
  /** In how many documents each term occurs. */
  #frequencies = new Uint32Array(1024)
  /** Scratch space to count the terms of one document; all 0 between documents. */
  #counts = new Uint32Array(1024)
  /** The distinct terms of the document that is being added. */
  readonly #distinct: number[] = []
  #length = 0
  #totalLength = 0
  #pastTotal = { count: 0, total: 0 }

  get count(): number {
    return this.#lengths.length
  }

  /** The mean length of the first `count` documents. */
  averageLength(count: number): number {
    return (count < this.count ? this.#totalOf(count) : this.#totalLength) / Math.max(1, count)
  }

  /** Cached for the last `count`: questions about the same moment often follow each other. */
  #totalOf(count: number): number {
    if (this.#pastTotal.count === count) return this.#pastTotal.total
    let total = 0
    for (let document = 0; document < count; document++) total += this.lengthOf(document)
    this.#pastTotal = { count, total }
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

  /** Adds an occurrence of a term to the document that is being added. */
  addTerm(term: number): void {
    this.#makeRoom(term)
    const count = this.#counts[term] ?? 0
    if (count === 0) this.#distinct.push(term)
    this.#counts[term] = count + 1
    this.#length++
  }

  /**
   * Completes the document; documents are numbered from 0 as they are completed. Calls `visit` with each distinct term and
   * its packed posting, in the order of first occurrence.
   */
  complete(visit: (term: number, pair: number) => void): void {
    const document = this.count
    if (document >= MAX_DOCUMENT) throw new RangeError(`A graph holds at most ${MAX_DOCUMENT} memories.`)
    for (const term of this.#distinct) {
      visit(term, packPosting(document, this.#counts[term] ?? 0))
      this.#frequencies[term] = (this.#frequencies[term] ?? 0) + 1
      this.#counts[term] = 0
    }
    this.#addLength(this.#length)
    this.#distinct.length = 0
    this.#length = 0
  }

  /** Takes over saved document lengths. Must be called before any document is added. */
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
