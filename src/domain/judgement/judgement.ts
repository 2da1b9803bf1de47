import { closeness } from '../meaning/nearness.js'
import { inAgreement, sameWords } from './agreement.js'
import { compareReadings, isSureBy, WEIGHTS } from './features.js'
import type { Reading } from './reading/reading.js'
import { SENTENCE_END, type Term } from './reading/terms.js'

export { type Reading, readPayload } from './reading/reading.js'

/**
 * Do two texts surely speak of the same thing? A wrong yes hides knowledge, a wrong no leaves two texts to read, so the bar
 * is high. Only the two texts matter, not their order. Meaning is not considered: on the labelled cases it makes no more
 * verdicts sure, and verdicts would depend on which memories have been embedded.
 */
export function sameThing(a: Reading, b: Reading): boolean {
  if (saysTheSame(a, b)) return true
  return isSureBy(compareReadings(a, b), WEIGHTS)
}

/** Do two texts surely agree? The same thing with another value, or denied, is no agreement. */
export function agrees(a: Reading, b: Reading): boolean {
  if (saysTheSame(a, b)) return true
  const comparison = compareReadings(a, b)
  const { overlap } = comparison
  return isSureBy(comparison, WEIGHTS) && overlap !== undefined && inAgreement(a, b, overlap)
}

/** How many more content words an earlier text may have of its own than the later text that replaces it. */
const MAX_LOST = 3
/** With more content words, a text must share one with the text that replaces it. */
const MAX_UNSHARED_WORDS = 3

/** Does an earlier text say much that a later one does not, so that not all of it can be replaced? */
export function saysMuchMore(earlier: Reading, later: Reading): boolean {
  const [theirs, mine] = [earlier.whole.content, later.whole.content]
  return lostIn(theirs, mine) > lostIn(mine, theirs) + MAX_LOST
}

function lostIn(words: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>): number {
  return [...words.keys()].filter((stem) => !others.has(stem)).length
}

/** May a text, which says so, replace the only text of its context? Both must be one sentence. */
export function mayReplace(later: Reading, earlier: Reading): boolean {
  if (saysTheSame(later, earlier) || saysMuchMore(earlier, later)) return false
  if ([later, earlier].some(({ text }) => MORE_SENTENCES.test(text))) return false
  const theirs = earlier.whole.content
  return theirs.size <= MAX_UNSHARED_WORDS || lostIn(theirs, later.whole.content) < theirs.size
}

const MORE_SENTENCES = new RegExp(`${SENTENCE_END}.*\\S|[;\\n。]\\s*\\S`, 'su')

/** Do two texts say the same, apart from function words? */
export function saysTheSame(a: Reading, b: Reading): boolean {
  if (a.text === b.text) return true
  const { size } = a.whole.content
  return size > 0 && size === b.whole.content.size && sameWords(a.whole, b.whole)
}

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

/** Values are in all kinds of texts, so they count only in a text without other content words. */
function comparable({ whole }: Reading): ReadonlyMap<string, Term> {
  const words = new Map([...whole.content].filter(([, { kind }]) => kind !== 'value'))
  return words.size > 0 ? words : whole.content
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
