import type { Lexicon, Likeness } from '../../lexicon/lexicon.js'
import type { Word } from '../../search/text-analysis.js'
import type { Entry } from '../1-analyse/entry.js'
import { EPSILON, sum } from '../1-analyse/entry.js'
import type { Query } from '../1-analyse/query.js'

/** How an entry says in other words what a query asks. */
export interface Meaning {
  /** 0..1: how much of what the query says, and the entry does not, it says in words of similar vectors. */
  readonly embedding: number
  /** The same by synonyms. */
  readonly thesaurus: number
}

/** The words of the query that one word is similar to, and the greatest similarity. */
interface Relations {
  /** For each of them three numbers: its place in the query, embedding similarity, thesaurus similarity. */
  readonly near: readonly number[]
  readonly nearest: number
}

/** How much of a word of the query another word covers at most, where the very word covers 1. */
const EMBEDDING_COVERS = 0.6
const THESAURUS_COVERS = 0.8

/** About what all words of a memory weigh together: longer ones are not to win by length alone. */
const USUAL_WEIGHT = 30

const NONE: Relations = { near: [], nearest: 0 }

/** Similarity of the words of entries to the words of one query; looked up once for each word. */
export class Meanings {
  readonly #asked: readonly Word[]
  readonly #compare: (other: Word) => Likeness
  readonly #known = new Map<string, Relations>()
  /** Sums of one entry; made once, because making them takes longer than filling them. */
  readonly #embedding: Float64Array
  readonly #thesaurus: Float64Array

  constructor({ words }: Query, lexicon: Lexicon) {
    this.#asked = words
    this.#compare = lexicon.compare(words)
    this.#embedding = new Float64Array(words.length)
    this.#thesaurus = new Float64Array(words.length)
  }

  of({ counts, words }: Entry, weight: (stem: string) => number): Meaning {
    const embedding = this.#embedding.fill(0)
    const thesaurus = this.#thesaurus.fill(0)
    for (const word of words) {
      const { near } = this.#relations(word)
      for (let i = 0; i < near.length; i += 3) {
        const place = near[i] ?? 0
        embedding[place] = Math.max(embedding[place] ?? 0, near[i + 1] ?? 0)
        thesaurus[place] = Math.max(thesaurus[place] ?? 0, near[i + 2] ?? 0)
      }
    }
    let whole = EPSILON
    let embeddingSum = 0
    let thesaurusSum = 0
    let place = 0
    for (const { stem } of this.#asked) {
      const value = weight(stem)
      whole += value
      if (!counts.has(stem)) {
        embeddingSum += value * (embedding[place] ?? 0)
        thesaurusSum += value * (thesaurus[place] ?? 0)
      }
      place++
    }
    return { embedding: embeddingSum / whole, thesaurus: thesaurusSum / whole }
  }

  /** 0..1: how much of what the query says some entries say between them, in the same words or in others. */
  cover(entries: readonly Entry[], weight: (stem: string) => number): number {
    const best = new Float64Array(this.#asked.length)
    for (const { words, counts } of entries) {
      for (const word of words) {
        const { near } = this.#relations(word)
        for (let i = 0; i < near.length; i += 3) {
          const place = near[i] ?? 0
          const nearness = Math.max(
            EMBEDDING_COVERS * (near[i + 1] ?? 0),
            THESAURUS_COVERS * (near[i + 2] ?? 0),
          )
          best[place] = Math.max(best[place] ?? 0, nearness)
        }
      }
      this.#asked.forEach(({ stem }, place) => {
        if (counts.has(stem)) best[place] = 1
      })
    }
    const weights = this.#asked.map(({ stem }) => weight(stem))
    const whole = Math.max(EPSILON, sum(weights))
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
    return whole === 0 ? 0 : asked / Math.sqrt(USUAL_WEIGHT * whole)
  }

  #relations(word: Word): Relations {
    const known = this.#known.get(word.word)
    if (known !== undefined) return known
    const relations = this.#relate(word)
    this.#known.set(word.word, relations)
    return relations
  }

  #relate(word: Word): Relations {
    const likeness = this.#compare(word)
    let near: number[] | undefined
    let nearest = 0
    for (let place = 0; place < this.#asked.length; place++) {
      const same = this.#asked[place]?.stem === word.stem
      const embedding = same ? 1 : (likeness.embedding[place] ?? 0)
      const thesaurus = same ? 1 : (likeness.thesaurus[place] ?? 0)
      if (embedding === 0 && thesaurus === 0) continue
      near ??= []
      near.push(place, embedding, thesaurus)
      nearest = Math.max(nearest, embedding, THESAURUS_COVERS * thesaurus)
    }
    return near === undefined ? NONE : { near, nearest }
  }
}
