import type { Lexicon } from '../lexicon.js'
import type { Entry } from './entry.js'
import type { Query } from './query.js'
import { sum } from './sum.js'

/** How an entry says in other words what a query asks. */
export interface Meaning {
  /** 0..1: how much of what the query says, and the entry does not, it says in words that are used alike. */
  readonly alike: number
  /** The same by words that are kin. */
  readonly kin: number
}

/** What words of entries are to the words of one query; looked up once for each word. */
export class Meanings {
  readonly #query: Query
  readonly #lexicon: Lexicon
  readonly #known = new Map<string, readonly Meaning[]>()

  constructor(query: Query, lexicon: Lexicon) {
    this.#query = query
    this.#lexicon = lexicon
  }

  of({ counts, words }: Entry, weight: (stem: string) => number): Meaning {
    const asked = this.#query.words
    const alike = new Float64Array(asked.length)
    const kin = new Float64Array(asked.length)
    for (const { word, stem } of words)
      this.#relations(word, stem).forEach((relation, i) => {
        alike[i] = Math.max(alike[i] ?? 0, relation.alike)
        kin[i] = Math.max(kin[i] ?? 0, relation.kin)
      })
    const whole = Math.max(1e-9, sum(asked.map(({ stem }) => weight(stem))))
    const missing = (nearest: Float64Array) =>
      sum(asked.map(({ stem }, i) => (counts.has(stem) ? 0 : weight(stem) * (nearest[i] ?? 0)))) / whole
    return { alike: missing(alike), kin: missing(kin) }
  }

  /** How much of what the entry says the query asks about, in the same words or in others. */
  answers({ words }: Entry, weight: (stem: string) => number): number {
    let asked = 0
    let whole = 0
    for (const { word, stem } of words) {
      let nearest = 0
      for (const { alike, kin } of this.#relations(word, stem)) nearest = Math.max(nearest, alike, 0.8 * kin)
      asked += weight(stem) * nearest
      whole += weight(stem)
    }
    return whole === 0 ? 0 : asked / Math.sqrt(30 * whole)
  }

  #relations(word: string, stem: string): readonly Meaning[] {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const relations = this.#query.words.map((asked) =>
      asked.stem === stem
        ? { alike: 1, kin: 1 }
        : { alike: this.#lexicon.alike(asked.word, word), kin: this.#lexicon.kin(asked.stem, stem) },
    )
    this.#known.set(word, relations)
    return relations
  }
}
