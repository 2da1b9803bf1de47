import type { Lexicon } from '../lexicon.js'
import type { Entry } from './entry.js'
import type { Query } from './query.js'

/** How an entry says in other words what a query asks. */
export interface Meaning {
  /** 0..1: how much of what the query says, and the entry does not, it says in words that are used alike. */
  readonly alike: number
  /** The same by words that are kin. */
  readonly kin: number
}

/** What one word is to those words of the query that it is near to at all, and the nearest of all. */
interface Relations {
  readonly near: readonly { readonly place: number; readonly alike: number; readonly kin: number }[]
  readonly nearest: number
}

/** What words of entries are to the words of one query; looked up once for each word. */
export class Meanings {
  readonly #query: Query
  readonly #lexicon: Lexicon
  readonly #known = new Map<string, Relations>()

  constructor(query: Query, lexicon: Lexicon) {
    this.#query = query
    this.#lexicon = lexicon
  }

  of({ counts, words }: Entry, weight: (stem: string) => number): Meaning {
    const asked = this.#query.words
    const alike = new Float64Array(asked.length)
    const kin = new Float64Array(asked.length)
    for (const { word, stem } of words)
      for (const near of this.#relations(word, stem).near) {
        if (near.alike > (alike[near.place] ?? 0)) alike[near.place] = near.alike
        if (near.kin > (kin[near.place] ?? 0)) kin[near.place] = near.kin
      }
    let whole = 1e-9
    let sumAlike = 0
    let sumKin = 0
    asked.forEach(({ stem }, i) => {
      const value = weight(stem)
      whole += value
      if (counts.has(stem)) return
      sumAlike += value * (alike[i] ?? 0)
      sumKin += value * (kin[i] ?? 0)
    })
    return { alike: sumAlike / whole, kin: sumKin / whole }
  }

  /** How much of what the entry says the query asks about, in the same words or in others. */
  answers({ words }: Entry, weight: (stem: string) => number): number {
    let asked = 0
    let whole = 0
    for (const { word, stem } of words) {
      const value = weight(stem)
      asked += value * this.#relations(word, stem).nearest
      whole += value
    }
    return whole === 0 ? 0 : asked / Math.sqrt(30 * whole)
  }

  #relations(word: string, stem: string): Relations {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const near: { place: number; alike: number; kin: number }[] = []
    let nearest = 0
    this.#query.words.forEach((asked, place) => {
      const same = asked.stem === stem
      const alike = same ? 1 : this.#lexicon.alike(asked.word, word)
      const kin = same ? 1 : this.#lexicon.kin(asked.stem, stem)
      if (alike === 0 && kin === 0) return
      near.push({ place, alike, kin })
      nearest = Math.max(nearest, alike, 0.8 * kin)
    })
    const relations = { near, nearest }
    this.#known.set(word, relations)
    return relations
  }
}
