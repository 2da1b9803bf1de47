import { closeness } from '../meaning/nearness.js'
import type { Reading } from './reading/reading.js'
import type { Term } from './reading/terms.js'

/** The least likeness of texts that may speak of the same thing. Low, because few are offered and a missed one is never seen. */
export const MAY_SPEAK_OF_THE_SAME = 0.2

/**
 * 0..1: how far other texts may speak of the same thing as this one, by the share of words that they have in common. The
 * larger of the two texts' shares counts, so that a short text may be found in a long one. If the cosine of the texts' vectors
 * is known, meaning counts as much as words. The same in both directions.
 */
export function likenessTo(reading: Reading): (other: Reading, cosine?: number) => number {
  const mine = comparable(reading)
  return (other, cosine) => {
    const theirs = comparable(other)
    const words = Math.max(share(theirs, mine), share(mine, theirs))
    return cosine === undefined ? words : (words + closeness(cosine)) / 2
  }
}

/** Values are in all kinds of texts, so they count only in a text without other telling words. */
function comparable({ whole }: Reading): ReadonlyMap<string, Term> {
  const words = new Map([...whole.telling].filter(([, { kind }]) => kind !== 'value'))
  return words.size > 0 ? words : whole.telling
}

function share(terms: ReadonlyMap<string, Term>, others: ReadonlyMap<string, Term>): number {
  let shared = 0
  let whole = 0
  for (const [stem, { weight }] of terms) {
    whole += weight
    if (others.has(stem)) shared += weight
  }
  return whole === 0 ? 0 : shared / whole
}
