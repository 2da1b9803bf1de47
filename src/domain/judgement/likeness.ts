import { type Lexicon, NO_LEXICON } from '../lexicon/lexicon.js'
import type { Reading } from './reading.js'
import type { Term } from './terms.js'

/**
 * From here on two texts may speak of the same thing. Low, because few are offered and a missed one is never seen.
 */
export const MAY_SPEAK_OF_THE_SAME = 0.03

/** Texts that have nothing to do with each other have about this cosine. */
const UNRELATED = 0.25

/** What is known of two texts beyond their own words. */
export interface Nearness {
  /** The cosine of the texts' sentence vectors. */
  readonly cosine?: number | undefined
}

/**
 * 0..1: how far other texts may speak of the same thing as this one. Each word counts by the nearest word of the other
 * text; of the two shares the larger one, so that a short text may be found in a long one. The same in both directions.
 */
export function likenessTo(
  reading: Reading,
  lexicon: Lexicon = NO_LEXICON,
): (other: Reading, nearness?: Nearness) => number {
  const mine = comparable(reading)
  // Without their stems only the vectors are asked for, which are the same in both directions.
  const compare = lexicon.compare(mine.map(({ word }) => ({ word, stem: '' })))
  return (other, { cosine } = {}) => {
    const theirs = comparable(other)
    const best = new Float64Array(mine.length)
    const words = Math.max(
      share(theirs, (term) => nearest(term, best)),
      share(mine, (_, i) => best[i] ?? 0),
    )
    return cosine === undefined ? words : (words + Math.max(0, cosine - UNRELATED) / (1 - UNRELATED)) / 2
  }

  function nearest(term: Term, best: Float64Array): number {
    const { embedding } = compare({ word: term.word, stem: '' })
    let top = 0
    for (const [i, { stem }] of mine.entries()) {
      const near = stem === term.stem ? 1 : (embedding[i] ?? 0)
      if (near > top) top = near
      if (near > (best[i] ?? 0)) best[i] = near
    }
    return top
  }
}

/** Values are in all kinds of texts, so they count only where there is nothing else. */
function comparable({ whole }: Reading): readonly Term[] {
  const terms = [...whole.telling.values()]
  const words = terms.filter(({ kind }) => kind !== 'value')
  return words.length > 0 ? words : terms
}

function share(terms: readonly Term[], near: (term: Term, i: number) => number): number {
  let sum = 0
  let weight = 0
  for (const [i, term] of terms.entries()) {
    sum += near(term, i) * term.weight
    weight += term.weight
  }
  return weight === 0 ? 0 : sum / weight
}
