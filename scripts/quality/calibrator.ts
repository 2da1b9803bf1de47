import { sum } from '../../src/domain/insight/1-analyse/entry.js'
import type { Features } from '../../src/domain/insight/3-rank/features.js'
import { rank } from '../../src/domain/insight/3-rank/rank.js'
import { doubtsAbout } from '../../src/domain/insight/4-reconcile/doubts.js'
import { reconcile } from '../../src/domain/insight/4-reconcile/reconcile.js'
import { isSettled, scoreOf } from '../../src/domain/insight/6-calibrate/calibrate.js'
import {
  type CalibrationModel,
  CONFIDENCE_FEATURES,
  type ConfidenceFeature,
  type ConfidenceFeatures,
  confidenceFeaturesOf,
  SPEAKS_AGAINST,
} from '../../src/domain/insight/6-calibrate/confidence-features.js'
import { isEveryday } from './everyday.js'
import type { Example } from './example.js'
import type { Task } from './graphs.js'
import { isPlain } from './small-graphs.js'
import { isKeptAside, isMade } from './unanswerable.js'

interface Case {
  readonly signs: ConfidenceFeatures
  readonly isSettled: boolean
  /** 0..1: how far it deserves to be relied on. */
  readonly worth: number
  /** Is there nothing in the graph that answers it? */
  readonly nothing: boolean
  readonly weight: number
  /** Is it one of the tasks that were labelled by hand, on which the levels rest? */
  readonly isLabelled: boolean
}

const STEPS = 6_000
const RATE = 0.5
const SHRINK = 0.0002
/** Short questions to small graphs, and everyday prompts: so many that they would decide alone. */
const PLAIN_COUNTS = 0.2
const EVERYDAY_COUNTS = 0.2
/** Few tasks have no answer, and mistaking one for answerable is worse than the other way round. */
const NOTHING_COUNTS = 3
/** Made questions are many and much alike. */
const MADE_COUNTS = 0.3
/** How many of all answers are called high: on graphs left out, so many are right in more than 95 of 100 cases. */
const CALLED_HIGH = 0.36
/** Medium begins this many standard deviations above the mean of the unanswerable tasks. */
const ABOVE_NOTHING = 1
/** So that a contradiction never raises confidence and an agreement never lowers it. */
const NEVER_RAISES: readonly ConfidenceFeature[] = SPEAKS_AGAINST

/** Logistic regression on whether an answer can be relied on; then the thresholds of the levels. */
export function fitCalibration(examples: readonly Example[], weights: Features): CalibrationModel {
  const cases = examples
    .filter((example) => !isKeptAside(example))
    .flatMap((example) => caseOf(example, weights) ?? [])
  const model = logistic(cases)
  return { ...model, ...thresholds(cases, model) }
}

function caseOf({ pool, features, limit, task, ids }: Example, weights: Features): Case | undefined {
  const found = { pool, ranked: rank(pool, features, weights) }
  const evidence = reconcile(found, limit)
  const lead = evidence.find(({ stands }) => stands)
  if (lead === undefined) return undefined
  const cited = new Set(evidence.map(({ memory }) => memory.memoryId))
  const signs = confidenceFeaturesOf(found, evidence, lead, doubtsAbout(found, evidence, lead))
  const share =
    task.evidence.filter((key) => cited.has(ids.get(key) ?? '')).length / Math.max(1, task.evidence.length)
  return {
    signs,
    isSettled: isSettled(found, signs),
    worth: task.confidence.includes('high') ? share : task.evidence.length > 0 ? 0.4 : 0,
    nothing: task.evidence.length === 0,
    ...weightOf(task),
  }
}

function weightOf(task: Task): Pick<Case, 'weight' | 'isLabelled'> {
  if (isMade({ task })) return { weight: MADE_COUNTS, isLabelled: false }
  if (isEveryday({ task })) return { weight: EVERYDAY_COUNTS, isLabelled: false }
  if (isPlain({ task })) return { weight: PLAIN_COUNTS, isLabelled: false }
  return { weight: task.evidence.length === 0 ? NOTHING_COUNTS : 1, isLabelled: true }
}

function logistic(cases: readonly Case[]): CalibrationModel {
  const weights: Record<ConfidenceFeature, number> = Object.fromEntries(
    CONFIDENCE_FEATURES.map((sign) => [sign, 0]),
  ) as never
  const model = { bias: 0, weights, high: 1, medium: 1 }
  for (let step = 0; step < STEPS; step++) {
    const slope = {
      bias: 0,
      weights: Object.fromEntries(CONFIDENCE_FEATURES.map((sign) => [sign, 0])) as typeof weights,
    }
    for (const { signs, worth, weight } of cases) {
      const error = ((scoreOf(signs, model) - worth) * weight) / cases.length
      slope.bias += error
      for (const sign of CONFIDENCE_FEATURES) slope.weights[sign] += error * signs[sign]
    }
    model.bias -= RATE * slope.bias
    for (const sign of CONFIDENCE_FEATURES) {
      const moved = weights[sign] - RATE * (slope.weights[sign] + SHRINK * weights[sign])
      weights[sign] = NEVER_RAISES.includes(sign) ? Math.min(0, moved) : Math.max(0, moved)
    }
  }
  return { ...model, bias: round(model.bias), weights: mapped(weights, round) }
}

/**
 * By rank among the labelled tasks, and by the spread of the unanswerable ones, rather than by the best count: with so few
 * of them, the best pair of thresholds follows chance, and was another one for every graph left out.
 */
function thresholds(all: readonly Case[], model: CalibrationModel): { high: number; medium: number } {
  const labelled = all.filter(({ isLabelled }) => isLabelled)
  const settled = labelled
    .filter(({ isSettled }) => isSettled)
    .map(({ signs }) => scoreOf(signs, model))
    .sort((a, b) => b - a)
  const high = settled[Math.min(settled.length - 1, Math.floor(CALLED_HIGH * labelled.length))] ?? 1
  const nothing = labelled.filter((one) => one.nothing).map(({ signs }) => logit(scoreOf(signs, model)))
  const mean = sum(nothing) / nothing.length
  const deviation = Math.sqrt(sum(nothing.map((value) => (value - mean) ** 2)) / nothing.length)
  const medium = 1 / (1 + Math.exp(-mean - ABOVE_NOTHING * deviation))
  return { high: round(high), medium: round(Math.min(high, medium)) }
}

function logit(share: number): number {
  return Math.log(share / (1 - share))
}

function mapped<K extends string>(
  record: Record<K, number>,
  change: (value: number) => number,
): Record<K, number> {
  return Object.fromEntries(
    Object.entries<number>(record).map(([key, value]) => [key, change(value)]),
  ) as Record<K, number>
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
