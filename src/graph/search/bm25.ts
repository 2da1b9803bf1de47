import { resistance, saturated } from '../../domain/search/bm25.js'
import { type Scored, Top } from '../../domain/search/top-k.js'
import type { Documents } from './documents.js'
import { countIn, numberIn } from './segment.js'

/** Most documents are shorter than this, in stems. */
const SHORT = 512

/** The scores of documents while a search adds them up. Used again and again: a large graph has many. */
export class Scores {
  readonly #documents: Documents
  /** All 0 between searches. */
  #scores = new Float64Array(0)
  /** The documents that have a score, in the order in which they came to it. */
  #touched = new Uint32Array(0)
  #count = 0
  /** By length, as it is on the average of the last search. */
  readonly #resistances = new Float64Array(SHORT)
  #average = Number.NaN

  constructor(documents: Documents) {
    this.#documents = documents
  }

  /** `averageLength` is that of the documents that there are for this search. */
  begin(averageLength: number): void {
    const { count } = this.#documents
    if (this.#scores.length < count) {
      this.#scores = new Float64Array(2 * count)
      this.#touched = new Uint32Array(2 * count)
    }
    if (averageLength === this.#average) return
    this.#average = averageLength
    for (let length = 0; length < SHORT; length++)
      this.#resistances[length] = resistance(length, averageLength)
  }

  /** Counts a term for all documents of a run of pairs that have a score already or pass `accepts`. */
  add(run: Uint32Array, idf: number, accepts: ((document: number) => boolean) | undefined): void {
    const scores = this.#scores
    for (let i = 0; i < run.length; i++) {
      const pair = run[i] ?? 0
      const document = numberIn(pair)
      const before = scores[document] ?? 0
      if (before === 0) {
        if (accepts !== undefined && !accepts(document)) continue
        this.#touched[this.#count++] = document
      }
      scores[document] = before + saturated(idf, countIn(pair), this.#resistanceOf(document))
    }
  }

  /** The best of all, best first, ties by number; forgets all scores. */
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
