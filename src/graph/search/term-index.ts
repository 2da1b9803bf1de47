import { inverseDocumentFrequency } from '../../domain/search/bm25.js'
import { stemsOf } from '../../domain/search/text-analysis.js'
import type { TextCache } from '../../domain/text-cache.js'
import type { Hit } from '../records.js'
import { Scores } from './bm25.js'
import { Documents } from './documents.js'
import { containsDocument, Postings } from './postings.js'
import type { Segment } from './segment.js'
import { TermNumbers, WordTable } from './word-table.js'

const RESTORE_STEP = 16_384

/** All that is needed to restore a `TermIndex`. */
export interface SavedTerms {
  /** Document lengths, by document number. */
  readonly lengths: Uint32Array
  readonly segments: readonly Segment[]
  /** Batches of terms, by term number. */
  readonly terms: Iterable<readonly string[]>
}

function* savedTerms(
  lengths: Uint32Array,
  segments: Generator<void, readonly Segment[]>,
  terms: Generator<void, readonly string[]>,
): Generator<void, SavedTerms> {
  return { lengths, segments: yield* segments, terms: [yield* terms] }
}

const PART_LENGTH = 4096

/** Cuts a long text between words, so that each part can be read on its own. */
function* partsOf(text: string): Generator<string> {
  const space = / (?=[A-Za-z0-9])/g
  let start = 0
  while (text.length - start > 2 * PART_LENGTH) {
    space.lastIndex = start + PART_LENGTH
    const cut = space.exec(text)
    if (cut === null) break
    yield text.slice(start, cut.index)
    start = cut.index + 1
  }
  yield start === 0 ? text : text.slice(start)
}

/** An inverted index of the words of all memories of a graph, ranked with BM25. */
export class TermIndex {
  readonly #texts: TextCache | undefined
  readonly #numbers: TermNumbers
  readonly #tokens: WordTable
  readonly #documents = new Documents()
  readonly #postings = new Postings()
  readonly #scores = new Scores(this.#documents)

  /** `seed` must be unknown to callers (see `WordTable`). */
  constructor(seed: number, texts?: TextCache) {
    this.#texts = texts
    this.#numbers = new TermNumbers(seed)
    this.#tokens = new WordTable((word) => this.#numbersOf(word), seed)
  }

  /** The number of documents. */
  get count(): number {
    return this.#documents.count
  }

  /** Reads the terms of texts, for `add`, in small steps. */
  *read(texts: readonly string[]): Generator<void, readonly number[]> {
    const terms: number[] = []
    const add = (term: number) => terms.push(term)
    for (const text of texts)
      for (const part of partsOf(text)) {
        if (!this.#tokens.read(part, add)) this.#numbersOf(part).forEach(add)
        yield
      }
    return terms
  }

  /** Adds the next document with its terms; documents are numbered from 0 as they are added. */
  add(terms: readonly number[]): void {
    for (const term of terms) this.#documents.addTerm(term)
    this.#documents.complete((term, pair) => this.#postings.add(term, pair))
  }

  /** Sorts recently added postings in small steps, which keeps searches fast. */
  settle(): Generator<void> {
    return this.#postings.settle()
  }

  /** The whole index in a form that `restore` takes, computed in small steps. */
  save(): Generator<void, SavedTerms> {
    return savedTerms(
      this.#documents.lengths.first(this.count),
      this.#postings.segments(),
      this.#numbers.first(this.#numbers.size),
    )
  }

  /** Restores a saved index in small steps. Must be called before any document is added. */
  *restore({ lengths, segments, terms }: SavedTerms): Generator<void> {
    for (const part of terms) {
      for (const term of part) this.#numbers.of(term)
      yield
    }
    for (const { terms, ends } of segments) {
      for (let i = 0; i < terms.length; i++) {
        const start = i === 0 ? 0 : (ends[i - 1] ?? 0)
        this.#documents.restoreFrequency(terms[i] ?? 0, (ends[i] ?? 0) - start)
        if (i % RESTORE_STEP === RESTORE_STEP - 1) yield
      }
    }
    this.#postings.restore(segments)
    this.#documents.restoreLengths(lengths)
  }

  /** The mean length of the first `count` documents. */
  averageLength(count: number): number {
    return this.#documents.averageLength(count)
  }

  /** The inverse document frequency of a term among the first `count` documents. */
  idf(term: string, count: number): number {
    return this.#idf(this.#numbers.find(term), count)
  }

  /**
   * The best of the first `count` documents that hold one of the terms and pass `accepts`, best first, ties by number.
   * Scores do not depend on later documents.
   */
  search(
    terms: readonly string[],
    limit: number,
    accepts: ((document: number) => boolean) | undefined,
    count: number,
  ): Hit[] {
    const found = terms.flatMap((term) => {
      const number = this.#numbers.find(term)
      return number === undefined
        ? []
        : [{ term, idf: this.#idf(number, count), postings: this.#postingsOf(number, count) }]
    })
    this.#scores.begin(this.averageLength(count))
    for (const { idf, postings } of found) for (const pairs of postings) this.#scores.add(pairs, idf, accepts)
    return this.#scores.best(limit).map(({ document, score }) => ({
      document,
      score,
      matched: found.filter(({ postings }) => containsDocument(postings, document)).map(({ term }) => term),
    }))
  }

  #idf(term: number | undefined, count: number): number {
    return inverseDocumentFrequency(count, term === undefined ? 0 : this.#frequency(term, count))
  }

  #frequency(term: number, count: number): number {
    if (count === this.#documents.count) return this.#documents.frequencyOf(term)
    return this.#postingsOf(term, count).reduce((sum, { length }) => sum + length, 0)
  }

  #postingsOf(term: number, count: number): readonly Uint32Array[] {
    return count === this.#documents.count ? this.#postings.of(term) : this.#postings.before(term, count)
  }

  #numbersOf(text: string): number[] {
    return stemsOf(text, this.#texts).map((stem) => this.#numbers.of(stem))
  }
}
