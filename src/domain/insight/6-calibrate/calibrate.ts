import { type Entry, sum } from '../1-analyse/entry.js'
import type { Found } from '../3-rank/find.js'
import { doubtsAbout } from '../4-reconcile/doubts.js'
import type { Evidence } from '../4-reconcile/reconcile.js'
import type { Said } from '../5-say/say.js'
import { worthTelling } from '../5-say/worth-telling.js'
import { mayLackWhatIsAsked, saysWhether } from './asked-for.js'
import type { CalibrationModel } from './confidence-features.js'
import { CONFIDENCE_FEATURES, type ConfidenceFeatures, confidenceFeaturesOf } from './confidence-features.js'
import { CALIBRATION, CALIBRATION_BY_WORDS } from './model.js'
import { reasonsFor } from './reasons.js'

export type ConfidenceLevel = 'high' | 'medium' | 'low'

export interface Calibration {
  /** 0..1 */
  readonly score: number
  readonly level: ConfidenceLevel
  /** Why, in words; worked out when it is called. */
  readonly reasons: () => readonly string[]
}

/**
 * How far the evidence can be relied on: a fitted score, and what it rests on in words. What was told only in part, beside
 * a record that may contradict it, or without a word of what is asked about, is not high; what only asks is low.
 */
export function calibrate(
  found: Found,
  evidence: readonly Evidence[],
  { cut, contested }: Pick<Said, 'cut' | 'contested'>,
  model = found.pool.isRead ? CALIBRATION : CALIBRATION_BY_WORDS,
): Calibration {
  const lead = evidence.find(({ stands }) => stands)
  if (lead === undefined)
    return { score: 0, level: 'low', reasons: () => ['Nothing that still stands bears on the task.'] }
  const doubts = doubtsAbout(found, evidence, lead)
  const signs = confidenceFeaturesOf(found, evidence, lead, doubts)
  const score = round(scoreOf(signs, model))
  const level = score >= model.high ? 'high' : score >= model.medium ? 'medium' : 'low'
  const told = toldOf(found, evidence)
  const isTold = saysWhether(found.pool.query, told)
  const text = told.map(({ memory }) => memory.text).join('\n')
  const isWhole = !mayLackWhatIsAsked(found.pool.query, text, lead.memory.text)
  const onlyAsks = lead.features.asks === 1
  const isSure = isSettled(found, signs) && isTold && isWhole && !cut && !contested
  return {
    score,
    level: onlyAsks ? 'low' : level === 'high' && !isSure ? 'medium' : level,
    reasons: () => [
      ...reasonsFor(found, evidence, lead, doubts),
      ...(onlyAsks ? ['What fits best is itself a question.'] : []),
      ...(contested ? ['A later record contradicts something in a context that this rests on.'] : []),
      ...(cut ? ['A memory was too long to be told whole.'] : []),
      ...(isTold ? [] : ['The last word of the question is in nothing that is told.']),
      ...(isWhole
        ? []
        : ['A place, a reason or a measure is asked for, and what is told seems to have none.']),
    ],
  }
}

/**
 * Only what is neither in doubt nor stale, tells of all that was asked for by name and was not found by meaning alone, nor
 * by a single word, may be called high, however well it fits.
 */
export function isSettled({ pool }: Found, signs: ConfidenceFeatures): boolean {
  const { doubt, stale, lacking, unsaid, unnamed } = signs
  const isClear = pool.inOtherWords < 0.5 && !pool.query.isOneWord
  return doubt + stale + lacking + unsaid + unnamed === 0 && isClear
}

/** What is told of, and what that replaced. */
function toldOf({ pool }: Found, evidence: readonly Evidence[]): Entry[] {
  const replaced = evidence.filter(({ stands }) => !stands)
  const told = new Set([...worthTelling(evidence), ...replaced].map(({ memory }) => memory))
  return pool.entries.filter(({ memory }) => told.has(memory))
}

export function scoreOf(signs: ConfidenceFeatures, { bias, weights }: CalibrationModel): number {
  return 1 / (1 + Math.exp(-bias - sum(CONFIDENCE_FEATURES.map((sign) => signs[sign] * weights[sign]))))
}

function round(x: number): number {
  return Math.round(x * 10_000) / 10_000
}
