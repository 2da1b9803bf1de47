import type { Evidence } from './reconcile.js'

export type ConfidenceLevel = 'high' | 'medium' | 'low'

export interface Calibration {
  /** 0..1 */
  readonly score: number
  readonly level: ConfidenceLevel
  /** Why, in words. */
  readonly reasons: readonly string[]
}

const HIGH = 0.7
const MEDIUM = 0.4

/** How far the evidence can be relied on: how much of the question it covers, how trusted and how agreed it is. */
export function calibrate(evidence: readonly Evidence[]): Calibration {
  const lead = evidence.find(({ role }) => role !== 'superseded')
  if (lead === undefined)
    return { score: 0, level: 'low', reasons: ['Nothing that still stands bears on the task.'] }
  const { trust } = lead.memory
  const disputes = evidence.filter(({ role }) => role === 'contradicts').length
  const stale = trust.status === 'stale'
  const logit =
    -4.2 +
    5 * lead.coverage +
    3 * trust.confidence +
    0.3 * Math.min(trust.agreement, 4) -
    1.2 * Math.min(disputes, 2) -
    (stale ? 1.5 : 0)
  const score = round(1 / (1 + Math.exp(-logit)))
  const level = disputes > 0 || stale ? capped(levelOf(score)) : levelOf(score)
  return { score, level, reasons: reasonsFor(lead, disputes, stale, evidence) }
}

function reasonsFor(
  lead: Evidence,
  disputes: number,
  stale: boolean,
  evidence: readonly Evidence[],
): string[] {
  const { trust, source } = lead.memory
  const replaced = evidence.filter(({ role }) => role === 'superseded').length
  return [
    `The best memory covers ${Math.round(100 * lead.coverage)} % of what the task asks about, by the weight of its words.`,
    `It comes from ${source} and has a confidence of ${trust.confidence.toFixed(2)}.`,
    ...(trust.agreement > 0
      ? [`${count(trust.agreement, 'later record agrees', 'later records agree')} with it.`]
      : []),
    ...(replaced > 0
      ? [`${count(replaced, 'memory was', 'memories were')} replaced and not relied on.`]
      : []),
    ...(disputes > 0
      ? [
          `${count(disputes, 'memory disputes', 'memories dispute')} it, and nothing has settled which is right.`,
        ]
      : []),
    ...(stale ? ['It builds on something that has been replaced since.'] : []),
  ]
}

function capped(level: ConfidenceLevel): ConfidenceLevel {
  return level === 'high' ? 'medium' : level
}

function levelOf(score: number): ConfidenceLevel {
  return score >= HIGH ? 'high' : score >= MEDIUM ? 'medium' : 'low'
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}

function round(x: number): number {
  return Math.round(x * 10_000) / 10_000
}
