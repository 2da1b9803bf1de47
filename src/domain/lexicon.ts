import { stemOf } from './analysis.js'

/** What is known about words beyond their spelling. */
export interface Lexicon {
  /** 0..1: how alike two words are in use; 0 when one of them is not known. */
  alike(a: string, b: string): number
  /** 0..1: how near a stem is to another in meaning: a synonym, a wider or a narrower word. */
  kin(stem: string, other: string): number
  /** 0.5..1: how much a stem tells beside a rare one, whatever the graph: everyday words tell less. */
  tells(stem: string): number
}

/** For those who know nothing: every word means only itself. */
export const NO_LEXICON: Lexicon = { alike: () => 0, kin: () => 0, tells: () => 1 }

/** Below this cosine two vectors say nothing about their words. */
const LEAST_COSINE = 0.4
const ONE = 127 * 127
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
  const rows = new Map(words.map((word, row) => [word, row]))
  const places = new Map<string, number>()
  words.forEach((word, row) => {
    const stem = stemOf(word)
    if (!places.has(stem)) places.set(stem, row + 1)
  })
  const dimensions = vectors.length / words.length
  const lines = new Map(kin.map((line) => [line.slice(0, line.indexOf(' ')), line]))
  const parsed = new Map<string, ReadonlyMap<string, number>>()
  /** Read when first asked for: most stems never are, and a hundred thousand small objects would slow every collection. */
  const kinOf = (stem: string) => {
    const known = parsed.get(stem)
    if (known !== undefined) return known
    const near = parseKin(lines.get(stem) ?? stem)
    if (parsed.size >= MOST_PARSED) parsed.clear()
    parsed.set(stem, near)
    return near
  }
  return {
    alike(a, b) {
      const left = rows.get(a)
      const right = rows.get(b)
      if (left === undefined || right === undefined) return 0
      const from = left * dimensions
      const beside = right * dimensions
      let product = 0
      for (let i = 0; i < dimensions; i++) product += (vectors[from + i] ?? 0) * (vectors[beside + i] ?? 0)
      return Math.max(0, product / ONE - LEAST_COSINE) / (1 - LEAST_COSINE)
    },
    kin: (stem, other) => kinOf(stem).get(other) ?? 0,
    tells(stem) {
      const place = places.get(stem) ?? UNCOMMON
      const rarity = Math.log(place / EVERYDAY) / Math.log(UNCOMMON / EVERYDAY)
      return LEAST_TOLD + (1 - LEAST_TOLD) * Math.min(1, Math.max(0, rarity))
    },
  }
}

function parseKin(line: string): ReadonlyMap<string, number> {
  const [, ...others] = line.split(' ')
  return new Map(others.map((other) => [other.slice(0, -1), Number(other.slice(-1)) / 10]))
}
