import { inverseDocumentFrequency } from '../../../domain/search/bm25.js'
import { stemsOf } from '../../../domain/search/text-analysis.js'
import type { TextCache } from '../../../domain/text-cache.js'
import type { Hit } from '../../records.js'
import { Scores } from './bm25.js'
import { Documents } from './documents.js'
import { countBefore, holds, Postings } from './postings.js'
import { TermNumbers } from './term-numbers.js'
import { WordTable } from './word-table.js'

/** The words of all memories of a graph: an inverted index with BM25. */
export class TermIndex {
  readonly #texts: TextCache | undefined
  readonly #numbers = new TermNumbers()
  readonly #tokens = new WordTable((word) => this.#numbersOf(word))
  readonly #documents = new Documents()
  readonly #postings = new Postings()
  readonly #scores = new Scores(this.#documents)

  constructor(texts?: TextCache) {
    this.#texts = texts
  }

  /** The terms of a text, for `add`. */
  read(text: string): readonly number[] {
    const terms: number[] = []
    return this.#tokens.read(text, (term) => terms.push(term)) ? terms : this.#numbersOf(text)
  }

  /** Adds the next document, which is all the texts and terms together; documents are numbered from 0 as they are added. */
  add(texts: readonly string[], terms: readonly number[] = []): void {
    for (const term of terms) this.#documents.put(term)
    for (const text of texts) for (const term of this.read(text)) this.#documents.put(term)
    this.#documents.complete()
  }

  /** What remains to be done before a search is quick, a little at a time. */
  catchUp(): Generator<void> {
    return this.#postings.catchUp(this.#documents, this.#numbers.size)
  }

  /** The mean length of the first `count` documents. */
  averageLength(count: number): number {
    return this.#documents.averageLength(count)
  }

  /** As if there were the first `count` documents and no others. */
  idf(term: string, count: number): number {
    return this.#idf(this.#numbers.find(term), count)
  }

  /**
   * The best of the first `count` documents that hold one of the terms and pass `accepts`, best first, ties by number; as
   * if there were no others.
   */
  search(
    terms: readonly string[],
    limit: number,
    accepts: ((document: number) => boolean) | undefined,
    count: number,
  ): Hit[] {
    for (const _ of this.catchUp());
    const known = terms.flatMap((term) => {
      const number = this.#numbers.find(term)
      return number === undefined
        ? []
        : [{ term, idf: this.#idf(number, count), runs: this.#runs(number, count) }]
    })
    this.#scores.begin(this.averageLength(count))
    for (const { idf, runs } of known) for (const run of runs) this.#scores.add(run, idf, accepts)
    return this.#scores.best(limit).map(({ document, score }) => ({
      document,
      score,
      matched: known.filter(({ runs }) => holds(runs, document)).map(({ term }) => term),
    }))
  }

  #idf(term: number | undefined, count: number): number {
    return inverseDocumentFrequency(count, term === undefined ? 0 : this.#frequency(term, count))
  }

  #frequency(term: number, count: number): number {
    if (count === this.#documents.count) return this.#documents.frequencyOf(term)
    for (const _ of this.catchUp());
    return this.#runs(term, count).reduce((sum, { length }) => sum + length, 0)
  }

  #runs(term: number, count: number): readonly Uint32Array[] {
    const runs = this.#postings.runs(term)
    return count === this.#documents.count
      ? runs
      : runs.map((run) => run.subarray(0, countBefore(run, count)))
  }

  #numbersOf(text: string): number[] {
    return stemsOf(text, this.#texts).map((stem) => this.#numbers.of(stem))
  }
}
