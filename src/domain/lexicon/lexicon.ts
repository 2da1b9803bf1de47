import { stemOf, type Word } from '../search/text-analysis.js'
import { Vectors } from './vectors.js'

/** What is known about words beyond their spelling. */
export interface Lexicon {
  /** What many words are beside the same few. */
  beside(asked: readonly Word[]): (other: Word) => Likeness
  /** 0.5..1: how much a stem tells beside a rare one, whatever the graph: everyday words tell less. */
  tells(stem: string): number
}

/** How another word is to each of those asked about, in their order. Good until the next one is asked for. */
export interface Likeness {
  /** 0..1: how alike they are in use; 0 when one of them is not known. */
  readonly alike: ArrayLike<number>
  /** 0..1: how near its stem is to each in meaning: a synonym, a wider or a narrower word. */
  readonly kin: ArrayLike<number>
}

/** For those who know nothing: every word means only itself. */
export const NO_LEXICON: Lexicon = {
  beside: ({ length }) => {
    const nothing = new Float64Array(length)
    return () => ({ alike: nothing, kin: nothing })
  },
  tells: () => 1,
}

/** The commonest words, up to this place, tell least; those from the other on tell all that they can. */
const EVERYDAY = 300
const UNCOMMON = 10_000
const LEAST_TOLD = 0.5
const MOST_PARSED = 1_000

export interface LexiconData {
  /** The commonest first. */
  readonly words: readonly string[]
  /** Unit vectors in the order of the words, a signed byte a dimension, 127 standing for 1. */
  readonly vectors: Int8Array
  /** `stem other7 another5`, a line a stem: the digit is the nearness in tenths. */
  readonly kin: readonly string[]
}

export function createLexicon({ words, vectors, kin }: LexiconData): Lexicon {
  const known = new Vectors(words, vectors)
  const told = new Map<string, number>()
  words.slice(0, UNCOMMON).forEach((word, row) => {
    const stem = stemOf(word)
    if (!told.has(stem)) told.set(stem, tellsAt(row + 1))
  })
  const lines = new Map(kin.map((line) => [line.slice(0, line.indexOf(' ')), line]))
  const parsed = new Map<string, ReadonlyMap<string, number>>()
  /** Read when first asked for: most stems never are, and a hundred thousand small objects would slow every collection. */
  const kinOf = (stem: string) => {
    const before = parsed.get(stem)
    if (before !== undefined) return before
    const near = parseKin(lines.get(stem) ?? stem)
    if (parsed.size >= MOST_PARSED) parsed.clear()
    parsed.set(stem, near)
    return near
  }
  return {
    beside(asked) {
      const likenTo = known.beside(asked.map(({ word }) => word))
      const kin = kinByStem(asked.map(({ stem }) => kinOf(stem)))
      const nothing = new Float64Array(asked.length)
      const alike = new Float64Array(asked.length)
      return ({ word, stem }) => {
        const other = known.rowOf(word)
        if (other !== undefined) likenTo(other, alike)
        return { alike: other === undefined ? nothing : alike, kin: kin.get(stem) ?? nothing }
      }
    },
    tells: (stem) => told.get(stem) ?? 1,
  }
}

/** What the word at that place tells, the commonest being the first. */
function tellsAt(place: number): number {
  const rarity = Math.log(place / EVERYDAY) / Math.log(UNCOMMON / EVERYDAY)
  return LEAST_TOLD + (1 - LEAST_TOLD) * Math.min(1, Math.max(0, rarity))
}

/** For each stem that is kin to one of several, how much it is to each of them. */
function kinByStem(several: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, readonly number[]> {
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

function parseKin(line: string): ReadonlyMap<string, number> {
  const [, ...others] = line.split(' ')
  return new Map(others.map((other) => [other.slice(0, -1), Number(other.slice(-1)) / 10]))
}
