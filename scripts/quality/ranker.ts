import { FEATURES, type Feature, type Features } from '../../src/domain/insight/3-rank/features.js'
import type { Example } from './example.js'

/**
 * Our graphs hardly ever record two memories of one context in a row, and none that asks, so they cannot tell what that
 * is worth.
 */
export const SET_BY_HAND: Partial<Features> = { adjacent: 1, answers: 2, asks: -4 }

const STEPS = 400
const RATE = 0.05
/** Draws the weights, of features that all spread alike, towards nothing: the fewer examples, the more. */
const SHRINK = 2
const MOMENTUM = 0.9
const SPREAD_MEMORY = 0.999

/**
 * Multinomial logistic regression: the weights that make each labelled memory the likeliest among those that are not
 * labelled. Convex, so that the same examples always give the same weights.
 */
export function fitRanker(examples: readonly Example[]): Features {
  const answerable = examples.filter(({ wanted }) => wanted.includes(true))
  const free = FEATURES.filter((feature) => SET_BY_HAND[feature] === undefined)
  const spread = free.map((feature) => deviation(answerable, feature))
  const tables = answerable.map((example) => tableOf(example, free, spread))
  const weights = new Float64Array(free.length)
  const speed = new Float64Array(free.length)
  const size = new Float64Array(free.length)
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeAt(tables, weights)
    for (let i = 0; i < weights.length; i++) {
      const own = slope[i] ?? 0
      speed[i] = MOMENTUM * (speed[i] ?? 0) + (1 - MOMENTUM) * own
      size[i] = SPREAD_MEMORY * (size[i] ?? 0) + (1 - SPREAD_MEMORY) * own * own
      const mean = (speed[i] ?? 0) / (1 - MOMENTUM ** step)
      const scale = Math.sqrt((size[i] ?? 0) / (1 - SPREAD_MEMORY ** step))
      weights[i] = (weights[i] ?? 0) - (RATE * mean) / (scale + 1e-9)
    }
  }
  const fitted = new Map(free.map((feature, i) => [feature, (weights[i] ?? 0) / (spread[i] ?? 1)]))
  return Object.fromEntries(
    FEATURES.map((feature) => [
      feature,
      SET_BY_HAND[feature] ?? Math.round(100 * (fitted.get(feature) ?? 0)) / 100,
    ]),
  ) as Features
}

/** The features of one example, row by row, and what the features that are set by hand add to each row. */
interface Table {
  readonly rows: readonly Float64Array[]
  readonly given: readonly number[]
  readonly wanted: readonly boolean[]
}

function tableOf({ features, wanted }: Example, free: readonly Feature[], spread: readonly number[]): Table {
  return {
    rows: features.map((own) => Float64Array.from(free, (feature, i) => own[feature] / (spread[i] ?? 1))),
    given: features.map((own) =>
      FEATURES.reduce((sum, feature) => sum + own[feature] * (SET_BY_HAND[feature] ?? 0), 0),
    ),
    wanted,
  }
}

function slopeAt(tables: readonly Table[], weights: Float64Array): Float64Array {
  const slope = Float64Array.from(weights, (weight) => (2 * SHRINK * weight) / tables.length)
  for (const { rows, given, wanted } of tables) {
    const odds = oddsOf(rows, given, weights)
    const others = odds.reduce((sum, one, i) => (wanted[i] ? sum : sum + one), 0)
    const labelled = wanted.filter(Boolean).length
    let shares = 0
    odds.forEach((one, i) => {
      if (wanted[i]) shares += 1 / (others + one)
    })
    rows.forEach((row, i) => {
      const one = odds[i] ?? 0
      const pull = (wanted[i] ? one / (others + one) - 1 : one * shares) / labelled / tables.length
      for (let f = 0; f < row.length; f++) slope[f] = (slope[f] ?? 0) + pull * (row[f] ?? 0)
    })
  }
  return slope
}

/** Beside the likeliest, so that no power overflows. */
function oddsOf(
  rows: readonly Float64Array[],
  given: readonly number[],
  weights: Float64Array,
): readonly number[] {
  const scores = rows.map((row, i) =>
    row.reduce((sum, value, f) => sum + value * (weights[f] ?? 0), given[i] ?? 0),
  )
  const best = Math.max(...scores)
  return scores.map((score) => Math.exp(score - best))
}

function deviation(examples: readonly Example[], feature: Feature): number {
  const values = examples.flatMap(({ features }) => features.map((own) => own[feature]))
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
}
