import type { Word } from './analysis.js'

/** What is known about words beyond their spelling. */
export interface Lexicon {
  /** 0..1: how alike two words are in use; 0 when one of them is not known. */
  alike(a: string, b: string): number
  /** 0..1: how near a stem is to another in meaning: a synonym, a wider or a narrower word. */
  kin(stem: string, other: string): number
  /** Both at once, of many words beside the same few. */
  beside(asked: readonly Word[]): (other: Word) => Likeness
}

/** How another word is to each of those asked about, in their order. Good until the next one is asked for. */
export interface Likeness {
  readonly alike: Float64Array
  readonly kin: Float64Array
}

/** For those who know nothing: every word means only itself. */
export const NO_LEXICON: Lexicon = {
  alike: () => 0,
  kin: () => 0,
  beside: ({ length }) => {
    const nothing = new Float64Array(length)
    return () => ({ alike: nothing, kin: nothing })
  },
}

/** Below this cosine two vectors say nothing about their words. */
const LEAST_COSINE = 0.4
const ONE = 127 * 127
const MOST_PARSED = 1_000

export interface LexiconData {
  readonly words: readonly string[]
  /** Unit vectors in the order of the words, a signed byte a dimension, 127 standing for 1. */
  readonly vectors: Int8Array
  /** `stem other7 another5`, a line a stem: the digit is the nearness in tenths. */
  readonly kin: readonly string[]
}

export function createLexicon({ words, vectors, kin }: LexiconData): Lexicon {
  const rows = new Map(words.map((word, row) => [word, row]))
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
  const alike = (left: number | undefined, right: number | undefined) => {
    if (left === undefined || right === undefined) return 0
    const product = productOf(vectors, left * dimensions, right * dimensions, dimensions)
    return Math.max(0, product / ONE - LEAST_COSINE) / (1 - LEAST_COSINE)
  }
  return {
    alike: (a, b) => alike(rows.get(a), rows.get(b)),
    kin: (stem, other) => kinOf(stem).get(other) ?? 0,
    beside(asked) {
      const known = asked.map(({ word, stem }) => ({ row: rows.get(word), near: kinOf(stem) }))
      const likeness = { alike: new Float64Array(asked.length), kin: new Float64Array(asked.length) }
      return ({ word, stem }) => {
        const other = rows.get(word)
        for (let place = 0; place < known.length; place++) {
          const one = known[place]
          likeness.alike[place] = alike(one?.row, other)
          likeness.kin[place] = one?.near.get(stem) ?? 0
        }
        return likeness
      }
    },
  }
}

/** The sums are of whole numbers, and so the same in any order: four at a time are faster than one. */
function productOf(vectors: Int8Array, from: number, beside: number, dimensions: number): number {
  let [a, b, c, d] = [0, 0, 0, 0]
  let i = 0
  for (; i + 3 < dimensions; i += 4) {
    a += (vectors[from + i] ?? 0) * (vectors[beside + i] ?? 0)
    b += (vectors[from + i + 1] ?? 0) * (vectors[beside + i + 1] ?? 0)
    c += (vectors[from + i + 2] ?? 0) * (vectors[beside + i + 2] ?? 0)
    d += (vectors[from + i + 3] ?? 0) * (vectors[beside + i + 3] ?? 0)
  }
  for (; i < dimensions; i++) a += (vectors[from + i] ?? 0) * (vectors[beside + i] ?? 0)
  return a + b + c + d
}

function parseKin(line: string): ReadonlyMap<string, number> {
  const [, ...others] = line.split(' ')
  return new Map(others.map((other) => [other.slice(0, -1), Number(other.slice(-1)) / 10]))
}
