import { FEATURES, type Feature, type Features } from '../../src/domain/insight/3-rank/features.js'
import type { Example } from './example.js'

/** Where the search starts: set by hand, and what a weight is drawn back to where the examples say little. */
export const START: Features = {
  meaning: 1,
  bm25: 1,
  coverage: 0.5,
  bigrams: 0.3,
  embedding: 0.3,
  thesaurus: 0.2,
  answers: 0.1,
  expansion: 0.5,
  clause: 0.1,
  context_coverage: 0.2,
  subject: 0.1,
  linked_subject: 0.3,
  off_subject: -0.1,
  who: 0.2,
  when: 0.2,
  latest: 0.2,
  superseded: -0.3,
  same_context: 0.1,
  adjacent: 0.5,
  reinforces: 0.2,
  reinforced: 0.1,
  extends: 0.1,
  extended: 0.1,
  contradicts: 0.7,
  contradicted: -0.2,
  replaces_basis: 0.3,
}
/**
 * Our graphs hardly ever record two memories of one context in a row, so they cannot tell what that is worth; and
 * without one weight that stays, all of them would grow together.
 */
const FIXED: readonly Feature[] = ['adjacent', 'bm25']
const STEPS = [-0.4, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.4]
const ROUNDS = 3
const PULL = 0.02
/** How far above the cut a memory must be to count as safely in. */
const SOFTNESS = 0.3
const LEAD_SHARE = 0.15
const FITS = 12

/**
 * The mean of several fits, each on examples drawn anew: one fit on so few of them follows their chance words. The
 * draws come from a fixed seed, so that the same examples give the same weights.
 */
export function fitRanker(examples: readonly Example[]): Features {
  const answerable = examples.filter(({ wanted }) => wanted.includes(true)).map(toColumns)
  const random = randomFrom(1)
  const fits = Array.from({ length: FITS }, () => {
    const drawn = new Float64Array(answerable.length)
    for (let i = 0; i < drawn.length; i++) {
      const pick = Math.floor(random() * drawn.length)
      drawn[pick] = (drawn[pick] ?? 0) + 1
    }
    return fitOnce(answerable, drawn, shuffled(FEATURES, random))
  })
  const mean = (feature: Feature) => fits.reduce((sum, fit) => sum + fit[feature], 0) / FITS
  return Object.fromEntries(
    FEATURES.map((feature) => [feature, Math.round(100 * mean(feature)) / 100]),
  ) as Features
}

/** An example with its features by column, and room to score it in. */
interface Columns {
  readonly columns: Readonly<Record<Feature, Float64Array>>
  readonly wanted: readonly boolean[]
  readonly limit: number
  readonly tried: Float64Array
}

function toColumns({ features, wanted, limit }: Example): Columns {
  const columns = Object.fromEntries(
    FEATURES.map((feature) => [feature, Float64Array.from(features, (own) => own[feature])]),
  ) as Record<Feature, Float64Array>
  return { columns, wanted, limit, tried: new Float64Array(features.length) }
}

/** Coordinate ascent on how much of the labelled evidence is within the limit, softened so that near misses count. */
function fitOnce(examples: readonly Columns[], drawn: Float64Array, order: readonly Feature[]): Features {
  const weights: Record<Feature, number> = { ...START }
  const scores = examples.map(({ columns, wanted }) =>
    Float64Array.from(wanted, (_, i) =>
      FEATURES.reduce((sum, feature) => sum + weights[feature] * (columns[feature][i] ?? 0), 0),
    ),
  )
  const valueWith = (feature: Feature, step: number) => {
    let total = 0
    examples.forEach((example, e) => {
      const times = drawn[e] ?? 0
      const column = example.columns[feature]
      const before = scores[e]
      if (times === 0 || before === undefined) return
      for (let i = 0; i < column.length; i++) example.tried[i] = (before[i] ?? 0) + step * (column[i] ?? 0)
      total += times * foundIn(example)
    })
    const moved = Math.abs(weights[feature] + step - START[feature])
    const others = distance(weights) - Math.abs(weights[feature] - START[feature])
    return total / examples.length - PULL * (moved + others)
  }
  let best = valueWith('bm25', 0)
  for (let round = 0; round < ROUNDS; round++)
    for (const feature of order) {
      if (FIXED.includes(feature)) continue
      let kept = 0
      for (const step of STEPS) {
        const reached = valueWith(feature, step)
        if (reached > best + 1e-6) {
          best = reached
          kept = step
        }
      }
      if (kept === 0) continue
      weights[feature] += kept
      examples.forEach(({ columns }, e) => {
        const own = scores[e]
        columns[feature].forEach((value, i) => {
          if (own !== undefined) own[i] = (own[i] ?? 0) + kept * value
        })
      })
    }
  return weights
}

function foundIn({ tried, wanted, limit }: Columns): number {
  const inside: number[] = []
  const outside: number[] = []
  tried.forEach((score, i) => {
    if (wanted[i]) inside.push(score)
    else outside.push(score)
  })
  outside.sort((a, b) => b - a)
  const cut = outside[Math.max(0, limit - inside.length)] ?? Number.NEGATIVE_INFINITY
  const found = inside.reduce((sum, score) => sum + soft(score - cut), 0) / inside.length
  return found + LEAD_SHARE * soft(Math.max(...inside) - (outside[0] ?? Number.NEGATIVE_INFINITY))
}

function soft(difference: number): number {
  return 1 / (1 + Math.exp(-difference / SOFTNESS))
}

function distance(weights: Features): number {
  return FEATURES.reduce((sum, feature) => sum + Math.abs(weights[feature] - START[feature]), 0)
}

/** Numbers in 0..1, always the same ones for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
