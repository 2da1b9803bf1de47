import { inverseDocumentFrequency } from '../../domain/search/bm25.js'
import { stemsOf } from '../../domain/search/text-analysis.js'
import type { TextCache } from '../../domain/text-cache.js'
import type { Hit } from '../records.js'
import { Scores } from './bm25.js'
import { Documents } from './documents.js'
import { holds, Postings } from './postings.js'
import type { Segment } from './segment.js'
import { TermNumbers, WordTable } from './word-table.js'

const SOME = 16_384

/** An index as it is kept: enough to go on from. */
export interface KeptTerms {
  /** Those of the documents, in order. */
  readonly lengths: Uint32Array
  readonly segments: readonly Segment[]
  /** The terms by number, some at a time. */
  readonly terms: Iterable<readonly string[]>
}

function* keptOf(
  lengths: Uint32Array,
  segments: Generator<void, readonly Segment[]>,
  terms: Generator<void, readonly string[]>,
): Generator<void, KeptTerms> {
  return { lengths, segments: yield* segments, terms: [yield* terms] }
}

const PART = 4096

/** A long text in parts that can be read by themselves: cut where a space ends one word and another begins. */
function* partsOf(text: string): Generator<string> {
  const space = / (?=[A-Za-z0-9])/g
  let start = 0
  while (text.length - start > 2 * PART) {
    space.lastIndex = start + PART
    const cut = space.exec(text)
    if (cut === null) break
    yield text.slice(start, cut.index)
    start = cut.index + 1
  }
  yield start === 0 ? text : text.slice(start)
}

/** The words of all memories of a graph: an inverted index with BM25. */
export class TermIndex {
  readonly #texts: TextCache | undefined
  readonly #numbers: TermNumbers
  readonly #tokens: WordTable
  readonly #documents = new Documents()
  readonly #postings = new Postings()
  readonly #scores = new Scores(this.#documents)

  /** `seed` is any number that no caller knows. */
  constructor(seed: number, texts?: TextCache) {
    this.#texts = texts
    this.#numbers = new TermNumbers(seed)
    this.#tokens = new WordTable((word) => this.#numbersOf(word), seed)
  }

  /** How many documents are in. */
  get count(): number {
    return this.#documents.count
  }

  /** The terms of texts, for `add`, read a little at a time. */
  *read(texts: readonly string[]): Generator<void, readonly number[]> {
    const terms: number[] = []
    const put = (term: number) => terms.push(term)
    for (const text of texts)
      for (const part of partsOf(text)) {
        if (!this.#tokens.read(part, put)) this.#numbersOf(part).forEach(put)
        yield
      }
    return terms
  }

  /** Adds the next document, which holds these terms; documents are numbered from 0 as they are added. */
  add(terms: readonly number[]): void {
    for (const term of terms) this.#documents.put(term)
    this.#documents.complete((term, pair) => this.#postings.add(term, pair))
  }

  /** What keeps searches quick when many documents were added, a little at a time. */
  settle(): Generator<void> {
    return this.#postings.settle()
  }

  /** All that is in now, to be kept, worked out a little at a time. */
  kept(): Generator<void, KeptTerms> {
    return keptOf(
      this.#documents.lengths.first(this.count),
      this.#postings.whole(),
      this.#numbers.first(this.#numbers.size),
    )
  }

  /** Goes on from what was kept, a little at a time; nothing is in yet. */
  *restore({ lengths, segments, terms }: KeptTerms): Generator<void> {
    for (const some of terms) {
      for (const term of some) this.#numbers.of(term)
      yield
    }
    for (const { terms, ends } of segments) {
      for (let i = 0; i < terms.length; i++) {
        const start = i === 0 ? 0 : (ends[i - 1] ?? 0)
        this.#documents.restoreFrequency(terms[i] ?? 0, (ends[i] ?? 0) - start)
        if (i % SOME === SOME - 1) yield
      }
    }
    this.#postings.restore(segments)
    this.#documents.restoreLengths(lengths)
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
    return this.#runs(term, count).reduce((sum, { length }) => sum + length, 0)
  }

  #runs(term: number, count: number): readonly Uint32Array[] {
    return count === this.#documents.count
      ? this.#postings.runs(term)
      : this.#postings.runsBefore(term, count)
  }

  #numbersOf(text: string): number[] {
    return stemsOf(text, this.#texts).map((stem) => this.#numbers.of(stem))
  }
}
