import { resistance, saturated } from '../../domain/search/bm25.js'
import { type Scored, Top } from '../../domain/search/top-k.js'
import type { Documents } from './documents.js'
import { countOf, documentOf } from './segment.js'

/** Resistances are cached for documents shorter than this, in stems; most are. */
const CACHED_LENGTHS = 512

/** Accumulates the scores of documents during a search. Reused by all searches, since a large graph needs large arrays. */
export class Scores {
  readonly #documents: Documents
  /** All 0 between searches. */
  #scores = new Float64Array(0)
  /** The documents that have a score, in the order in which they got one. */
  #touched = new Uint32Array(0)
  #count = 0
  /** Resistance by document length, for the average length of the last search. */
  readonly #resistances = new Float64Array(CACHED_LENGTHS)
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
      this.#resistances[length] = resistance(length, averageLength)
  }

  /** Adds the score of a term to each document in `pairs` that has a score already or passes `accepts`. */
  add(pairs: Uint32Array, idf: number, accepts: ((document: number) => boolean) | undefined): void {
    const scores = this.#scores
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i] ?? 0
      const document = documentOf(pair)
      const before = scores[document] ?? 0
      if (before === 0) {
        if (accepts !== undefined && !accepts(document)) continue
        this.#touched[this.#count++] = document
      }
      scores[document] = before + saturated(idf, countOf(pair), this.#resistanceOf(document))
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

  #resistanceOf(document: number): number {
    const length = this.#documents.lengthOf(document)
    return this.#resistances[length] ?? resistance(length, this.#average)
  }
}
