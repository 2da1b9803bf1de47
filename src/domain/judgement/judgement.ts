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
  if (haveOtherValues(a.fields, b.fields)) return false
  const comparison = compareReadings(a, b)
  const { overlap, answered } = comparison
  if (answered) return true
  if (saidOfAnother(a, b)) return false
  return isSureBy(comparison, WEIGHTS) && overlap !== undefined && inAgreement(a, b, overlap)
}

/** How many more telling words an earlier text may have of its own than the later text that replaces it. */
const MAX_LOST = 3
/** With more telling words, a text must share one with the text that replaces it. */
const MAX_UNSHARED_WORDS = 3

/** Does an earlier text say much that a later one does not, so that not all of it can be replaced? */
export function saysMuchMore(earlier: Reading, later: Reading): boolean {
  const [theirs, mine] = [earlier.whole.telling, later.whole.telling]
  return lostIn(theirs, mine) > lostIn(mine, theirs) + MAX_LOST
}

function lostIn(words: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>): number {
  return [...words.keys()].filter((stem) => !others.has(stem)).length
}

/** May a text, which says so, replace the only text of its context? Both must be one sentence. */
export function mayReplace(later: Reading, earlier: Reading): boolean {
  if (saysTheSame(later, earlier) || saysMuchMore(earlier, later)) return false
  if ([later, earlier].some(({ text }) => MORE_SENTENCES.test(text))) return false
  const theirs = earlier.whole.telling
  return theirs.size <= MAX_UNSHARED_WORDS || lostIn(theirs, later.whole.telling) < theirs.size
}

const MORE_SENTENCES = new RegExp(`${SENTENCE_END}.*\\S|[;\\n。]\\s*\\S`, 'su')

/** Do two texts say the same, apart from words that tell nothing? */
export function saysTheSame(a: Reading, b: Reading): boolean {
  if (a.text === b.text) return true
  const { size } = a.whole.telling
  return size > 0 && size === b.whole.telling.size && sameWords(a.whole, b.whole)
}

export function isSureBy({ differ, sure, features }: Comparison, weights: Weights): boolean {
  return !differ && (sure || score(features, weights) >= SURE)
}

/** The weighted sum; a verdict is sure from `SURE` on. */
export function score(features: Features, weights: Weights): number {
  let sum = weights.bias
  for (const [feature, value] of Object.entries(features)) sum += value * weights[feature as keyof Features]
  return sum
}
