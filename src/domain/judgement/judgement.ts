import { inAgreement, sameWords } from './agreement.js'
import { type Comparison, compareReadings, type Features } from './features.js'
import { saidOfAnother } from './frame.js'
import { haveOtherValues } from './reading/fields.js'
import type { Reading } from './reading/reading.js'
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
  const { overlap, answered, changed } = comparison
  if (answered) return true
  if (changed || saidOfAnother(a, b)) return false
  return isSureBy(comparison, WEIGHTS) && overlap !== undefined && inAgreement(a, b, overlap)
}

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
