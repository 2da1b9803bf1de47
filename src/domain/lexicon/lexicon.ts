import { stemOf, type Word } from '../search/text-analysis.js'
import { Vectors } from './vectors.js'

/** What is known about words beyond their spelling. */
export interface Lexicon {
  /** Compares many words with the same few. */
  compare(asked: readonly Word[]): (other: Word) => Likeness
  /** 0.5..1: how rare a stem is in the language, whatever the graph; everyday words weigh least. */
  rarity(stem: string): number
}

/** The similarity of a word to each of those asked about, in their order. Valid until the next word is compared. */
export interface Likeness {
  /** 0..1: by their vectors; 0 when one of them has none. */
  readonly embedding: ArrayLike<number>
  /** 0..1: how near its stem is to each in meaning: a synonym, a wider or a narrower word. */
  readonly thesaurus: ArrayLike<number>
}

/** A lexicon without words: every word means only itself. */
export const NO_LEXICON: Lexicon = {
  compare: ({ length }) => {
    const nothing = new Float64Array(length)
    return () => ({ embedding: nothing, thesaurus: nothing })
  },
  rarity: () => 1,
}

/** Words up to the place `EVERYDAY` have the least rarity, words from `UNCOMMON` on the most. */
const EVERYDAY = 300
const UNCOMMON = 10_000
const LEAST_RARITY = 0.5
const MOST_PARSED = 1_000

export interface LexiconData {
  /** The commonest first. */
  readonly words: readonly string[]
  /** Unit vectors in the order of the words, a signed byte a dimension, 127 standing for 1. */
  readonly vectors: Int8Array
  /** `stem other7 another5`, a line a stem: the digit is the nearness in tenths. */
  readonly thesaurus: readonly string[]
}

export function createLexicon({ words, vectors, thesaurus }: LexiconData): Lexicon {
  const known = new Vectors(words, vectors)
  const told = new Map<string, number>()
  words.slice(0, UNCOMMON).forEach((word, row) => {
    const stem = stemOf(word)
    if (!told.has(stem)) told.set(stem, rarityAt(row + 1))
  })
  const lines = new Map(thesaurus.map((line) => [line.slice(0, line.indexOf(' ')), line]))
  const parsed = new Map<string, ReadonlyMap<string, number>>()
  /** Read when first asked for: most stems never are, and a hundred thousand small objects would slow every collection. */
  const synonymsOf = (stem: string) => {
    const before = parsed.get(stem)
    if (before !== undefined) return before
    const near = parseSynonyms(lines.get(stem) ?? stem)
    if (parsed.size >= MOST_PARSED) parsed.clear()
    parsed.set(stem, near)
    return near
  }
  return {
    compare(asked) {
      const compareWith = known.compare(asked.map(({ word }) => word))
      const thesaurus = thesaurusByStem(asked.map(({ stem }) => synonymsOf(stem)))
      const nothing = new Float64Array(asked.length)
      const embedding = new Float64Array(asked.length)
      return ({ word, stem }) => {
        const other = known.rowOf(word)
        if (other !== undefined) compareWith(other, embedding)
        return {
          embedding: other === undefined ? nothing : embedding,
          thesaurus: thesaurus.get(stem) ?? nothing,
        }
      }
    },
    rarity: (stem) => told.get(stem) ?? 1,
  }
}

/** The rarity of the word at that place, the commonest being the first. */
function rarityAt(place: number): number {
  const rarity = Math.log(place / EVERYDAY) / Math.log(UNCOMMON / EVERYDAY)
  return LEAST_RARITY + (1 - LEAST_RARITY) * Math.min(1, Math.max(0, rarity))
}

/** For each stem that is a synonym of one of several, its nearness to each of them. */
function thesaurusByStem(
  several: readonly ReadonlyMap<string, number>[],
): ReadonlyMap<string, readonly number[]> {
  const byStem = new Map<string, number[]>()
  several.forEach((near, place) => {
    for (const [stem, nearness] of near) {
      const known = byStem.get(stem)
      const nearnesses = known ?? new Array<number>(several.length).fill(0)
      nearnesses[place] = nearness
      if (known === undefined) byStem.set(stem, nearnesses)
    }
  })
  return byStem
}

function parseSynonyms(line: string): ReadonlyMap<string, number> {
  const [, ...others] = line.split(' ')
  return new Map(others.map((other) => [other.slice(0, -1), Number(other.slice(-1)) / 10]))
}
