import type { Lexicon, Likeness } from '../../lexicon/lexicon.js'
import type { Word } from '../../search/text-analysis.js'
import type { Entry } from '../1-analyse/entry.js'
import { sum } from '../1-analyse/entry.js'
import type { Query } from '../1-analyse/query.js'

/** How an entry says in other words what a query asks. */
export interface Meaning {
  /** 0..1: how much of what the query says, and the entry does not, it says in words that are used alike. */
  readonly alike: number
  /** The same by words that are kin. */
  readonly kin: number
}

/** What one word is to those words of the query that it is near to at all, and the nearest of all. */
interface Relations {
  /** For each of them three numbers: its place in the query, how alike, how much kin. */
  readonly near: readonly number[]
  readonly nearest: number
}

/** Beside the very word, how much one that is used alike, or is kin, covers of it at most. */
const ALIKE_COVERS = 0.6
const KIN_COVERS = 0.8

const NONE: Relations = { near: [], nearest: 0 }

/** What words of entries are to the words of one query; looked up once for each word. */
export class Meanings {
  readonly #asked: readonly Word[]
  readonly #beside: (other: Word) => Likeness
  readonly #known = new Map<string, Relations>()
  /** For adding up one entry; made once, because making them takes longer than filling them. */
  readonly #alike: Float64Array
  readonly #kin: Float64Array

  constructor({ words }: Query, lexicon: Lexicon) {
    this.#asked = words
    this.#beside = lexicon.beside(words)
    this.#alike = new Float64Array(words.length)
    this.#kin = new Float64Array(words.length)
  }

  of({ counts, words }: Entry, weight: (stem: string) => number): Meaning {
    const alike = this.#alike.fill(0)
    const kin = this.#kin.fill(0)
    for (const word of words) {
      const { near } = this.#relations(word)
      for (let i = 0; i < near.length; i += 3) {
        const place = near[i] ?? 0
        alike[place] = Math.max(alike[place] ?? 0, near[i + 1] ?? 0)
        kin[place] = Math.max(kin[place] ?? 0, near[i + 2] ?? 0)
      }
    }
    let whole = 1e-9
    let sumAlike = 0
    let sumKin = 0
    let place = 0
    for (const { stem } of this.#asked) {
      const value = weight(stem)
      whole += value
      if (!counts.has(stem)) {
        sumAlike += value * (alike[place] ?? 0)
        sumKin += value * (kin[place] ?? 0)
      }
      place++
    }
    return { alike: sumAlike / whole, kin: sumKin / whole }
  }

  /** 0..1: how much of what the query says some entries say between them, in the same words or in others. */
  cover(entries: readonly Entry[], weight: (stem: string) => number): number {
    const best = new Float64Array(this.#asked.length)
    for (const { words, counts } of entries) {
      for (const word of words) {
        const { near } = this.#relations(word)
        for (let i = 0; i < near.length; i += 3) {
          const place = near[i] ?? 0
          const nearness = Math.max(ALIKE_COVERS * (near[i + 1] ?? 0), KIN_COVERS * (near[i + 2] ?? 0))
          best[place] = Math.max(best[place] ?? 0, nearness)
        }
      }
      this.#asked.forEach(({ stem }, place) => {
        if (counts.has(stem)) best[place] = 1
      })
    }
    const weights = this.#asked.map(({ stem }) => weight(stem))
    const whole = Math.max(1e-9, sum(weights))
    return sum(weights.map((value, place) => value * (best[place] ?? 0))) / whole
  }

  /** How much of what the entry says the query asks about, in the same words or in others. */
  answers({ words }: Entry, weight: (stem: string) => number): number {
    let asked = 0
    let whole = 0
    for (const word of words) {
      const value = weight(word.stem)
      asked += value * this.#relations(word).nearest
      whole += value
    }
    return whole === 0 ? 0 : asked / Math.sqrt(30 * whole)
  }

  #relations(word: Word): Relations {
    const known = this.#known.get(word.word)
    if (known !== undefined) return known
    const relations = this.#relate(word)
    this.#known.set(word.word, relations)
    return relations
  }

  #relate(word: Word): Relations {
    const likeness = this.#beside(word)
    let near: number[] | undefined
    let nearest = 0
    for (let place = 0; place < this.#asked.length; place++) {
      const same = this.#asked[place]?.stem === word.stem
      const alike = same ? 1 : (likeness.alike[place] ?? 0)
      const kin = same ? 1 : (likeness.kin[place] ?? 0)
      if (alike === 0 && kin === 0) continue
      near ??= []
      near.push(place, alike, kin)
      nearest = Math.max(nearest, alike, 0.8 * kin)
    }
    return near === undefined ? NONE : { near, nearest }
  }
}
