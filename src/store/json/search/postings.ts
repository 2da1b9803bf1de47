import type { Documents } from './documents.js'
import { numberIn, pairOf } from './documents.js'
import { Uint32List } from './uint32-list.js'

/**
 * Where each term occurs. Built at once from many documents, in one block, and added to one document at a time: a
 * block is several times smaller and faster to build than a list for each term.
 */
export class Postings {
  /** The documents of the block, term by term. */
  #block = new Uint32Array(0)
  /** Where the documents of each term end in the block. */
  #ends = new Uint32Array(0)
  /** Documents that came after the block, by term. */
  readonly #later = new Map<number, Uint32List>()
  /** How many documents are in. */
  #count = 0;

  /** Brings in the documents that are not in yet: all in one block if there is none so far. */
  *catchUp(documents: Documents, terms: number): Generator<void> {
    if (this.#count === 0) yield* this.#build(documents, terms)
    for (; this.#count < documents.count; this.#count++) {
      const document = this.#count
      documents.eachTerm(document, (term, count) => {
        const list = this.#later.get(term)
        if (list === undefined) this.#later.set(term, new Uint32List(pairOf(document, count)))
        else list.push(pairOf(document, count))
      })
      yield
    }
  }

  /** Every document that holds the term, in order, each as a pair with the number of occurrences. */
  runs(term: number): readonly Uint32Array[] {
    const run = this.#block.subarray(this.#startOf(term), this.#ends[term] ?? 0)
    return [run, ...(this.#later.get(term)?.runs() ?? [])]
  }

  #startOf(term: number): number {
    return term === 0 || term >= this.#ends.length ? 0 : (this.#ends[term - 1] ?? 0)
  }

  *#build(documents: Documents, terms: number): Generator<void> {
    const ends = new Uint32Array(terms)
    let total = 0
    for (let term = 0; term < terms; term++) {
      ends[term] = total
      total += documents.frequencyOf(term)
    }
    const block = new Uint32Array(total)
    const count = documents.count
    for (let document = 0; document < count; document++) {
      documents.eachTerm(document, (term, occurrences) => {
        const at = ends[term] ?? 0
        block[at] = pairOf(document, occurrences)
        ends[term] = at + 1
      })
      yield
    }
    // A search that could not wait may have built it in between.
    if (this.#count > 0) return
    this.#block = block
    this.#ends = ends
    this.#count = count
  }
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
