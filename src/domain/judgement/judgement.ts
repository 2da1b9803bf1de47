import { inAgreement, sameWords } from './agreement.js'
import { type Comparison, compareReadings, type Features } from './features.js'
import { saidOfAnother } from './frame.js'
import { haveOtherValues } from './reading/fields.js'
import type { Reading } from './reading/reading.js'
import { SENTENCE_END } from './reading/terms.js'
import { SURE, WEIGHTS, type Weights } from './weights.js'

export { likenessTo, MAY_SPEAK_OF_THE_SAME } from './likeness.js'
export { type Reading, readPayload } from './reading/reading.js'

/**
 * Do two texts surely speak of the same thing? A wrong yes hides knowledge, a wrong no leaves two things to read: so
 * this asks for much. It looks at the two texts alone, and the order of the two does not matter. Meaning is not asked: on
 * the labelled cases it makes no more verdicts sure, and a verdict would depend on what has been read.
 */
export function sameThing(a: Reading, b: Reading): boolean {
  if (saysTheSame(a, b)) return true
  return isSureBy(compareReadings(a, b), WEIGHTS)
}

/** Do they surely agree? The same thing with another value, or denied, is no agreement. */
export function agrees(a: Reading, b: Reading): boolean {
  if (saysTheSame(a, b)) return true
  if (haveOtherValues(a.fields, b.fields)) return false
  const comparison = compareReadings(a, b)
  const { overlap, answered } = comparison
  if (answered) return true
  if (saidOfAnother(a, b)) return false
  return isSureBy(comparison, WEIGHTS) && overlap !== undefined && inAgreement(a, b, overlap)
}

/** How many telling words more than a later text an earlier one may have that would be lost with it. */
const MOST_LOST = 3
/** Of a text with more telling words than this one the other must have one. */
const FEW_WORDS = 3

/** Does an earlier text say much that a later one does not, so that not all of it can be replaced? */
export function saysMuchMore(earlier: Reading, later: Reading): boolean {
  const [theirs, mine] = [earlier.whole.telling, later.whole.telling]
  return lostIn(theirs, mine) > lostIn(mine, theirs) + MOST_LOST
}

function lostIn(words: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>): number {
  return [...words.keys()].filter((stem) => !others.has(stem)).length
}

/** May a text take the place of the only one of its context, if it says so? Both are one sentence. */
export function mayReplace(later: Reading, earlier: Reading): boolean {
  if (saysTheSame(later, earlier) || saysMuchMore(earlier, later)) return false
  if ([later, earlier].some(({ text }) => MORE_SENTENCES.test(text))) return false
  const theirs = earlier.whole.telling
  return theirs.size <= FEW_WORDS || lostIn(theirs, later.whole.telling) < theirs.size
}

const MORE_SENTENCES = new RegExp(`${SENTENCE_END}.*\\S|[;\\n。]\\s*\\S`, 'su')

/** Do they say the same, but for words that tell nothing? */
export function saysTheSame(a: Reading, b: Reading): boolean {
  if (a.text === b.text) return true
  const { size } = a.whole.telling
  return size > 0 && size === b.whole.telling.size && sameWords(a.whole, b.whole)
}

export function isSureBy({ differ, sure, features }: Comparison, weights: Weights): boolean {
  return !differ && (sure || score(features, weights) >= SURE)
}

/** The weighted sum, from which nothing is sure below `SURE`. */
export function score(features: Features, weights: Weights): number {
  let sum = weights.bias
  for (const [feature, value] of Object.entries(features)) sum += value * weights[feature as keyof Features]
  return sum
}
