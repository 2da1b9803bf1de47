import { leadOf } from '../../src/domain/insight/answer.js'
import type { AnswerReader } from '../../src/domain/insight/answer-reader.js'
import {
  CONFIDENCE_FEATURES,
  type ConfidenceFeature,
  type ConfidenceFeatures,
  type ConfidenceModel,
  confidenceFeaturesOf,
  type Thresholds,
} from '../../src/domain/insight/confidence.js'
import type { Gathered } from '../../src/domain/insight/evidence.js'
import { FEATURES, type Features } from '../../src/domain/insight/features.js'
import type { Models } from '../../src/domain/insight/models.js'
import {
  candidatesOf,
  ORDER_FEATURES,
  type OrderWeights,
  orderFeaturesOf,
} from '../../src/domain/insight/order.js'
import { type Example, gatheredOf, isAnswerable, isRight, isWanted, type Origin } from './examples.js'

/** Our graphs hardly ever record two memories of one context in a row, and none that asks, so they cannot tell what that is worth. */
const SET_BY_HAND: Partial<Features> = { adjacent: 1, answers: 2, asks: -4 }
/** How much one task counts: the small graphs are much alike, and the made tasks many. */
const COUNTS: Readonly<Record<Origin, number>> = { graphs: 1, answers: 1, small: 0.3, made: 0.3 }
/** Draws weights towards nothing: the fewer examples, the more. */
const SHRINK = { retrieval: 2, order: 5, confidence: 1 }
/** What the confidence goes by: the words of a question tell no more where it was read. */
const READ: readonly ConfidenceFeature[] = ['shown', 'share', 'meaning', 'margin', 'other_words', 'remarks']
const UNREAD: readonly ConfidenceFeature[] = ['share', 'meaning', 'coverage', 'unknown', 'margin']
const THRESHOLDS: Thresholds = { high: 0.86, medium: 0.3, nothing: 0.16 }

/** A choice among rows of numbers, of which the wanted ones should have the highest sums. */
interface Choice {
  readonly rows: readonly (readonly number[])[]
  readonly wanted: readonly boolean[]
  readonly weight: number
}

export interface Sets {
  /** Retrieved with embeddings, and by words alone. */
  readonly embedded: readonly Example[]
  readonly byWords: readonly Example[]
}

/** All models, each fitted on what the ones before it choose. Convex, so the same examples always give the same numbers. */
export async function fitModels({ embedded, byWords }: Sets, reader: AnswerReader): Promise<Models> {
  const retrieval = fitRetrieval(embedded.filter(({ origin }) => origin === 'graphs' || origin === 'small'))
  const order = await fitOrder(embedded, retrieval, reader)
  const read = fitConfidence(await casesOf(embedded, { retrieval, order }, reader), READ)
  const unread = fitConfidence(
    await casesOf([...embedded, ...byWords], { retrieval, order }, undefined),
    UNREAD,
  )
  return { retrieval, order, read, unread, thresholds: THRESHOLDS }
}

function fitRetrieval(examples: readonly Example[]): Features {
  const free = FEATURES.filter((feature) => SET_BY_HAND[feature] === undefined)
  const given = FEATURES.filter((feature) => SET_BY_HAND[feature] !== undefined)
  const choices = examples.map((example) => ({
    rows: example.features.map((own) => [
      ...free.map((feature) => own[feature]),
      given.reduce((sum, feature) => sum + own[feature] * (SET_BY_HAND[feature] ?? 0), 0),
    ]),
    wanted: example.pool.entries.map(({ memory }) => isWanted(example, memory)),
    weight: 1,
  }))
  const weights = fitChoices(choices, SHRINK.retrieval, free.length)
  return Object.fromEntries(
    FEATURES.map((name) => [name, SET_BY_HAND[name] ?? rounded(weights[free.indexOf(name)] ?? 0)]),
  ) as Features
}

async function fitOrder(
  examples: readonly Example[],
  retrieval: Features,
  reader: AnswerReader,
): Promise<OrderWeights> {
  const none = Object.fromEntries(ORDER_FEATURES.map((name) => [name, 0])) as OrderWeights
  const choices: Choice[] = []
  for (const example of examples) {
    const gathered = await gatheredOf(example, retrieval)
    const candidates = await candidatesOf(example.task.task, gathered, { reader, texts: example.texts }, none)
    const features = orderFeaturesOf(candidates)
    choices.push({
      rows: features.map((own) => ORDER_FEATURES.map((name) => own[name])),
      wanted: candidates.map((candidate) => isRight(example, candidate)),
      weight: COUNTS[example.origin],
    })
  }
  const weights = fitChoices(choices, SHRINK.order, ORDER_FEATURES.length)
  return Object.fromEntries(ORDER_FEATURES.map((name, i) => [name, rounded(weights[i] ?? 0)])) as OrderWeights
}

interface Case {
  readonly features: ConfidenceFeatures
  readonly right: boolean
  readonly weight: number
}

async function casesOf(
  examples: readonly Example[],
  { retrieval, order }: Pick<Models, 'retrieval' | 'order'>,
  reader: AnswerReader | undefined,
): Promise<Case[]> {
  const cases: Case[] = []
  for (const example of examples) {
    const gathered = await gatheredOf(example, retrieval)
    const models = { retrieval, order } as Models
    const { lead, candidates } = await leadOf(example.task.task, gathered, {
      reader,
      texts: example.texts,
      models,
    })
    if (lead === undefined) continue
    cases.push({
      features: confidenceFeaturesOf(gathered, candidates, lead),
      right: isAnswerable(example) && isRight(example, lead) && isWhole(example, gathered),
      weight: COUNTS[example.origin],
    })
  }
  return cases
}

/** Is all that the answer rests on among its evidence? */
function isWhole({ task, ids }: Example, { evidence }: Gathered): boolean {
  const cited = new Set(evidence.map(({ memory }) => memory.memoryId))
  return task.evidence.every((key) => cited.has(ids.get(key) ?? ''))
}

function fitConfidence(cases: readonly Case[], by: readonly ConfidenceFeature[]): ConfidenceModel {
  const spread = by.map((name) => deviation(cases.map(({ features }) => features[name])))
  const rows = cases.map(({ features }) => by.map((name, i) => features[name] / (spread[i] ?? 1)))
  const found = minimise(by.length + 1, (w) => {
    const slope = new Float64Array(w.length)
    cases.forEach(({ right, weight }, n) => {
      const row = rows[n] ?? []
      const z = row.reduce((sum, x, i) => sum + x * (w[i] ?? 0), w[row.length] ?? 0)
      const error = weight * (1 / (1 + Math.exp(-z)) - (right ? 1 : 0))
      row.forEach((x, i) => {
        slope[i] = (slope[i] ?? 0) + error * x
      })
      slope[row.length] = (slope[row.length] ?? 0) + error
    })
    return slope.map((s, i) => (s + (i < by.length ? SHRINK.confidence * (w[i] ?? 0) : 0)) / cases.length)
  })
  const weights = Object.fromEntries(
    CONFIDENCE_FEATURES.map((name) => {
      const i = by.indexOf(name)
      return [name, rounded((found[i] ?? 0) / (spread[i] ?? 1))]
    }),
  ) as ConfidenceFeatures
  return { bias: rounded(found[by.length] ?? 0), weights }
}

/**
 * Multinomial logistic regression: the weights that make each wanted row the likeliest among those that are not wanted.
 * Columns from `free` on count as they are.
 */
function fitChoices(all: readonly Choice[], shrink: number, free: number): readonly number[] {
  const choices = all.filter(({ wanted }) => wanted.includes(true) && wanted.includes(false))
  const spread = Array.from({ length: free }, (_, i) =>
    deviation(choices.flatMap(({ rows }) => rows.map((row) => row[i] ?? 0))),
  )
  const found = minimise(free, (w) => {
    const slope = new Float64Array(free)
    for (const { rows, wanted, weight } of choices) {
      const scores = rows.map((row) =>
        row.reduce((sum, x, i) => sum + (i < free ? (x / (spread[i] ?? 1)) * (w[i] ?? 0) : x), 0),
      )
      const best = Math.max(...scores)
      const odds = scores.map((score) => Math.exp(score - best))
      const others = odds.reduce((sum, one, i) => (wanted[i] ? sum : sum + one), 0)
      const labelled = wanted.filter(Boolean).length
      let shares = 0
      odds.forEach((one, i) => {
        if (wanted[i]) shares += 1 / (others + one)
      })
      rows.forEach((row, n) => {
        const one = odds[n] ?? 0
        const pull = (weight * (wanted[n] ? one / (others + one) - 1 : one * shares)) / labelled
        for (let i = 0; i < free; i++) slope[i] = (slope[i] ?? 0) + (pull * (row[i] ?? 0)) / (spread[i] ?? 1)
      })
    }
    return slope.map((s, i) => (s + 2 * shrink * (w[i] ?? 0)) / choices.length)
  })
  return Array.from(found, (w, i) => w / (spread[i] ?? 1))
}

const STEPS = 600
const RATE = 0.05

/** Adam, from nothing. */
function minimise(size: number, slopeAt: (at: Float64Array) => Float64Array): Float64Array {
  const at = new Float64Array(size)
  const speed = new Float64Array(size)
  const spread = new Float64Array(size)
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeAt(at)
    for (let i = 0; i < size; i++) {
      const own = slope[i] ?? 0
      speed[i] = 0.9 * (speed[i] ?? 0) + 0.1 * own
      spread[i] = 0.999 * (spread[i] ?? 0) + 0.001 * own * own
      const mean = (speed[i] ?? 0) / (1 - 0.9 ** step)
      const scale = Math.sqrt((spread[i] ?? 0) / (1 - 0.999 ** step))
      at[i] = (at[i] ?? 0) - (RATE * mean) / (scale + 1e-9)
    }
  }
  return at
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
}

function rounded(value: number): number {
  return Math.round(100 * value) / 100
}
