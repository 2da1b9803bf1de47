import { inverseDocumentFrequency, lengthNorm, normedScore } from '../../domain/search/bm25.js'
import { stemsOf } from '../../domain/search/text-analysis.js'
import { Top } from '../../domain/search/top-k.js'
import type { TextCache } from '../../domain/text-cache.js'
import { containsDocument, Postings } from './postings.js'
import { countOf, documentOf, MAX_DOCUMENT, packPosting, type Segment } from './segment.js'
import { TermNumbers, WordTable } from './word-table.js'

/** Length norms are computed in advance for documents shorter than this, in stems; most are. */
const CACHED_LENGTHS = 256

/** A search result: a memory, by its number in the index. */
interface Hit {
  readonly document: number
  readonly score: number
  /** The terms of the query that it holds. */
  readonly matched: readonly string[]
}

/** All that is needed to restore a `TermIndex`. */
export interface SavedTerms {
  /** Document lengths, by document number. */
  readonly lengths: Uint32Array
  readonly segments: readonly Segment[]
  /** Batches of terms, by term number. */
  readonly terms: Iterable<readonly string[]>
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
  readonly #postings = new Postings()
  /** The length in stems of all documents before each document, and of all. */
  readonly #totals = [0]
  /** Scratch space to count the terms of one document, by term; all 0 between documents. */
  readonly #counts: number[] = []
  /** Scratch space for the scores of a search, by document; all 0 between searches. */
  #scores = new Float64Array(0)

  /** `seed` must be unknown to callers (see `WordTable`). */
  constructor(seed: number, texts?: TextCache) {
    this.#texts = texts
    this.#numbers = new TermNumbers(seed)
    this.#tokens = new WordTable((word) => this.#numbersOf(word), seed)
  }

  /** The number of documents. */
  get count(): number {
    return this.#totals.length - 1
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
    const document = this.count
    if (document >= MAX_DOCUMENT) throw new RangeError(`A graph holds at most ${MAX_DOCUMENT} memories.`)
    while (this.#counts.length < this.#numbers.size) this.#counts.push(0)
    const distinct: number[] = []
    for (const term of terms) {
      const count = this.#counts[term] ?? 0
      if (count === 0) distinct.push(term)
      this.#counts[term] = count + 1
    }
    for (const term of distinct) {
      this.#postings.add(term, packPosting(document, this.#counts[term] ?? 0))
      this.#counts[term] = 0
    }
    this.#addLength(terms.length)
  }

  /** Merges recently added postings in small steps, which keeps searches fast. */
  settle(): Generator<void> {
    return this.#postings.settle()
  }

  /** The whole index in a form that `restore` takes, computed in small steps. */
  *save(): Generator<void, SavedTerms> {
    const lengths = new Uint32Array(this.count)
    for (let document = 0; document < lengths.length; document++) lengths[document] = this.#lengthOf(document)
    const segments = this.#postings.segments()
    return { lengths, segments, terms: [yield* this.#numbers.first(this.#numbers.size)] }
  }

  /** Restores a saved index in small steps. Must be called before any document is added. */
  *restore({ lengths, segments, terms }: SavedTerms): Generator<void> {
    for (const part of terms) {
      for (const term of part) this.#numbers.of(term)
      yield
    }
    this.#postings.restore(segments)
    for (const length of lengths) this.#addLength(length)
  }

  /** The mean length of the first `count` documents. */
  averageLength(count: number): number {
    return (this.#totals[count] ?? 0) / Math.max(1, count)
  }

  /** The inverse document frequency of a term among the first `count` documents. */
  idf(term: string, count: number): number {
    return idfOf(this.#postingsOf(term, count), count)
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
    if (this.#scores.length < count) this.#scores = new Float64Array(2 * count)
    const scores = this.#scores
    const averageLength = this.averageLength(count)
    const norms = new Float64Array(CACHED_LENGTHS)
    for (let length = 0; length < CACHED_LENGTHS; length++) norms[length] = lengthNorm(length, averageLength)
    const found = terms.map((term) => ({ term, postings: this.#postingsOf(term, count) }))
    const scored: number[] = []
    for (const { postings } of found) {
      const idf = idfOf(postings, count)
      for (const pairs of postings)
        for (let i = 0; i < pairs.length; i++) {
          const pair = pairs[i] ?? 0
          const document = documentOf(pair)
          const before = scores[document] ?? 0
          if (before === 0) {
            if (accepts !== undefined && !accepts(document)) continue
            scored.push(document)
          }
          const length = this.#lengthOf(document)
          const norm = norms[length] ?? lengthNorm(length, averageLength)
          scores[document] = before + normedScore(idf, countOf(pair), norm)
        }
    }
    const top = new Top(limit)
    for (const document of scored) {
      top.offer(document, scores[document] ?? 0)
      scores[document] = 0
    }
    return top.ranked().map(({ document, score }) => ({
      document,
      score,
      matched: found.filter(({ postings }) => containsDocument(postings, document)).map(({ term }) => term),
    }))
  }

  #postingsOf(term: string, count: number): readonly Uint32Array[] {
    const number = this.#numbers.find(term)
    return number === undefined ? [] : this.#postings.before(number, count)
  }

  #lengthOf(document: number): number {
    return (this.#totals[document + 1] ?? 0) - (this.#totals[document] ?? 0)
  }

  #addLength(length: number): void {
    this.#totals.push((this.#totals[this.count] ?? 0) + length)
  }

  #numbersOf(text: string): number[] {
    return stemsOf(text, this.#texts).map((stem) => this.#numbers.of(stem))
  }
}

/** The inverse document frequency of a term with these postings. */
function idfOf(postings: readonly Uint32Array[], count: number): number {
  return inverseDocumentFrequency(
    count,
    postings.reduce((sum, { length }) => sum + length, 0),
  )
}
