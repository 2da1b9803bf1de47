import { lengthNorm, normedScore } from '../../domain/search/bm25.js'
import { type Scored, Top } from '../../domain/search/top-k.js'
import type { Documents } from './documents.js'
import { countOf, documentOf } from './segment.js'

/** Length norms are cached for documents shorter than this, in stems; most are. */
const CACHED_LENGTHS = 512

/** Accumulates the scores of documents during a search. Reused by all searches, since a large graph needs large arrays. */
export class Scores {
  readonly #documents: Documents
  /** All 0 between searches. */
  #scores = new Float64Array(0)
  /** The documents that have a score, in the order in which they got one. */
  #touched = new Uint32Array(0)
  #count = 0
  /** By document length, for the average length of the last search. */
  readonly #lengthNorms = new Float64Array(CACHED_LENGTHS)
  #average = Number.NaN

  constructor(documents: Documents) {
    this.#documents = documents
  }

  /** `averageLength` is the mean length of the documents that this search covers. */
  begin(averageLength: number): void {
    const { count } = this.#documents
    if (this.#scores.length < count) {
      this.#scores = new Float64Array(2 * count)
      this.#touched = new Uint32Array(2 * count)
    }
    if (averageLength === this.#average) return
    this.#average = averageLength
    for (let length = 0; length < CACHED_LENGTHS; length++)
      this.#lengthNorms[length] = lengthNorm(length, averageLength)
  }

  /** Adds the score of a term to each document in `postings` that has a score already or passes `filter`. */
  add(postings: Uint32Array, idf: number, filter: ((document: number) => boolean) | undefined): void {
    const scores = this.#scores
    for (let i = 0; i < postings.length; i++) {
      const posting = postings[i] ?? 0
      const document = documentOf(posting)
      const before = scores[document] ?? 0
      if (before === 0) {
        if (filter !== undefined && !filter(document)) continue
        this.#touched[this.#count++] = document
      }
      scores[document] = before + normedScore(idf, countOf(posting), this.#lengthNormOf(document))
    }
  }

  /** The best documents, best first, ties by number. Resets all scores. */
  best(limit: number): Scored[] {
    const top = new Top(limit)
    for (let i = 0; i < this.#count; i++) {
      const document = this.#touched[i] ?? 0
      top.offer(document, this.#scores[document] ?? 0)
      this.#scores[document] = 0
    }
    this.#count = 0
    return top.ranked()
  }

  #lengthNormOf(document: number): number {
    const length = this.#documents.lengthOf(document)
    return this.#lengthNorms[length] ?? lengthNorm(length, this.#average)
  }
}
