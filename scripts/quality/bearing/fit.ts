import { FEATURES, type Feature } from '../../../src/domain/judgement/features.js'
import { score } from '../../../src/domain/judgement/judgement.js'
import type { Weights } from '../../../src/domain/judgement/weights.js'
import type { Case, Pair } from './data.js'

const STEPS = 3000
const RATE = 1
const RIDGE = 0.004
/** The threshold is the lowest one with this precision on the fitted cases, and a margin: others are less clear. */
const PRECISION = 0.95
const MARGIN = 0.15

/** Logistic regression on the pairs that nothing rules out; the threshold is taken off the bias. */
export function fitWeights(cases: readonly Case[]): Weights {
  const pairs = cases.flatMap(({ pairs }) => pairs).filter(({ comparison }) => !comparison.differ)
  const weights = { bias: 0, ...zeros() }
  for (let step = 0; step < STEPS; step++) {
    const slope = { bias: 0, ...zeros() }
    for (const { comparison, wanted } of pairs) {
      const error = 1 / (1 + Math.exp(-score(comparison.features, weights))) - Number(wanted)
      slope.bias += error
      for (const feature of FEATURES) slope[feature] += error * comparison.features[feature]
    }
    weights.bias -= (RATE * slope.bias) / pairs.length
    for (const feature of FEATURES)
      weights[feature] -= RATE * (slope[feature] / pairs.length + RIDGE * weights[feature])
  }
  weights.bias -= thresholdOf(pairs, weights) + MARGIN
  return rounded(weights)
}

function thresholdOf(pairs: readonly Pair[], weights: Weights): number {
  const scored = pairs.map(({ comparison, wanted }) => ({ at: score(comparison.features, weights), wanted }))
  scored.sort((x, y) => y.at - x.at)
  let right = 0
  let threshold = Number.POSITIVE_INFINITY
  for (const [i, { at, wanted }] of scored.entries()) {
    if (wanted) right++
    if (right / (i + 1) >= PRECISION) threshold = at
  }
  return threshold
}

function zeros(): Record<Feature, number> {
  return { shareOfOne: 0, shareOfBoth: 0, values: 0, slot: 0, fields: 0 }
}

function rounded(weights: Weights): Weights {
  const round = (value: number) => Math.round(value * 100) / 100
  return {
    bias: round(weights.bias),
    shareOfOne: round(weights.shareOfOne),
    shareOfBoth: round(weights.shareOfBoth),
    values: round(weights.values),
    slot: round(weights.slot),
    fields: round(weights.fields),
  }
}
