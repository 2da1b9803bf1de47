import { FEATURES, type Feature, type Features } from '../../src/domain/insight/features.js'
import { scoreOf } from '../../src/domain/insight/rank.js'
import type { Example } from './example.js'

/** Where the search starts: set by hand, and what a weight is drawn back to where the examples say little. */
export const START: Features = {
  bm25: 1,
  coverage: 0.5,
  bigrams: 0.3,
  alike: 0.2,
  kin: 0.2,
  answers: 0.1,
  company: 0.5,
  clause: 0.1,
  context_coverage: 0.2,
  subject: 0.1,
  linked_subject: 0.3,
  off_subject: -0.1,
  who: 0.2,
  when: 0.2,
  latest: 0.2,
  superseded: -0.3,
  length: 0,
  same_context: 0.1,
  adjacent: 0.35,
  reinforces: 0.2,
  reinforced: 0.1,
  extends: 0.1,
  extended: 0.1,
  contradicts: 0.4,
  contradicted: 0,
  replaces_basis: 0.3,
}
/** Our graphs hardly ever record two memories of one context in a row, so they cannot tell what that is worth. */
const FIXED: readonly Feature[] = ['adjacent']
const STEPS = [-0.4, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.4]
const ROUNDS = 3
const PULL = 0.003
/** How far above the cut a memory must be to count as safely in. */
const SOFTNESS = 0.3
const LEAD_SHARE = 0.15

/** Coordinate ascent on how much of the labelled evidence is within the limit, softened so that near misses count. */
export function fitRanker(examples: readonly Example[]): Features {
  const answerable = examples.filter(({ wanted }) => wanted.includes(true))
  const weights: Record<Feature, number> = { ...START }
  const value = () => objective(answerable, weights) - PULL * distance(weights)
  let best = value()
  for (let round = 0; round < ROUNDS; round++)
    for (const feature of FEATURES) {
      if (FIXED.includes(feature)) continue
      const before = weights[feature]
      let kept = before
      for (const step of STEPS) {
        weights[feature] = Math.round((before + step) * 100) / 100
        const reached = value()
        if (reached > best + 1e-6) {
          best = reached
          kept = weights[feature]
        }
      }
      weights[feature] = kept
    }
  return weights
}

function objective(examples: readonly Example[], weights: Features): number {
  let total = 0
  for (const { features, wanted, limit } of examples) {
    const scores = features.map((own) => scoreOf(own, weights))
    const inside = scores.filter((_, i) => wanted[i])
    const outside = scores.filter((_, i) => !wanted[i]).sort((a, b) => b - a)
    const cut = outside[Math.max(0, limit - inside.length)] ?? Number.NEGATIVE_INFINITY
    const found = inside.reduce((sum, score) => sum + soft(score - cut), 0) / inside.length
    total += found + LEAD_SHARE * soft(Math.max(...inside) - (outside[0] ?? Number.NEGATIVE_INFINITY))
  }
  return total / examples.length
}

function soft(difference: number): number {
  return 1 / (1 + Math.exp(-difference / SOFTNESS))
}

function distance(weights: Features): number {
  return FEATURES.reduce((sum, feature) => sum + Math.abs(weights[feature] - START[feature]), 0)
}
