/**
 * `npx tsx scripts/quality/bearing.ts`: how well the judgement finds what speaks of the same thing, and the weights that all
 * cases together would give. Each half is also judged by weights that were fitted on the other half.
 */
import { readFileSync } from 'node:fs'
import { inAgreement } from '../../src/domain/judgement/agreement.js'
import {
  type Comparison,
  compareReadings,
  FEATURES,
  type Feature,
} from '../../src/domain/judgement/features.js'
import { isSureBy, saysTheSame, score } from '../../src/domain/judgement/judgement.js'
import { type Reading, readPayload } from '../../src/domain/judgement/reading/reading.js'
import { WEIGHTS, type Weights } from '../../src/domain/judgement/weights.js'
import type { JsonObject } from '../../src/domain/model.js'

const STEPS = 3000
const RATE = 1
const RIDGE = 0.004
/** The threshold is the lowest one with this precision on the fitted cases, and a margin: others are less clear. */
const PRECISION = 0.95
const MARGIN = 0.15

/** One memory of a case beside the new event. */
interface Pair {
  readonly link: LabelledCase['link']
  readonly event: Reading
  readonly memory: Reading
  readonly comparison: Comparison
  readonly wanted: boolean
}

interface LabelledCase {
  readonly link: 'contradicts' | 'reinforces' | 'extends'
  readonly memories: readonly { readonly key: string; readonly payload: JsonObject }[]
  readonly new: { readonly payload: JsonObject }
  readonly bears_on: readonly string[]
}

const cases = readCases()
const [even, odd] = [0, 1].map((half) => cases.filter((_, i) => i % 2 === half).flat()) as [Pair[], Pair[]]
console.log(`${''.padEnd(36)}precision  recall`)
report('fitted on the even cases: those', even, fitWeights(even))
report('  the others', odd, fitWeights(even))
report('fitted on the odd cases: those', odd, fitWeights(odd))
report('  the others', even, fitWeights(odd))
report('the weights in use: all cases', cases.flat(), WEIGHTS)
console.log('fitted on all:', JSON.stringify(fitWeights(cases.flat())))

function readCases(): Pair[][] {
  const file = new URL('bearing/cases.json', import.meta.url)
  const labelled: { readonly cases: readonly LabelledCase[] } = JSON.parse(readFileSync(file, 'utf8'))
  return labelled.cases.map(({ link, memories, bears_on, new: added }) => {
    const event = readPayload(added.payload)
    return memories.map(({ key, payload }) => {
      const memory = readPayload(payload)
      const comparison = compareReadings(event, memory)
      return { link, event, memory, comparison, wanted: bears_on.includes(key) }
    })
  })
}

function report(name: string, pairs: readonly Pair[], weights: Weights): void {
  const found = pairs.filter((pair) => bearsOn(pair, weights))
  const right = found.filter(({ wanted }) => wanted).length
  const figures = [right / found.length, right / pairs.filter(({ wanted }) => wanted).length]
  console.log(name.padEnd(36) + figures.map((share) => share.toFixed(3).padStart(9)).join(' '))
}

function bearsOn({ link, event, memory, comparison }: Pair, weights: Weights): boolean {
  if (saysTheSame(event, memory)) return true
  if (!isSureBy(comparison, weights)) return false
  if (link !== 'reinforces') return true
  return comparison.overlap !== undefined && inAgreement(event, memory, comparison.overlap)
}

/** Logistic regression on the pairs that nothing rules out; the threshold is taken off the bias. */
function fitWeights(all: readonly Pair[]): Weights {
  const pairs = all.filter(({ comparison }) => !comparison.differ)
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
  for (const name of ['bias', ...FEATURES] as const) weights[name] = Math.round(100 * weights[name]) / 100
  return weights
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
