import type { Features } from '../../src/domain/insight/3-rank/features.js'
import { rank } from '../../src/domain/insight/3-rank/rank.js'
import { evidenceOf } from '../../src/domain/insight/4-reconcile/evidence.js'
import { say } from '../../src/domain/insight/5-say/say.js'
import { MOST_WORDS } from '../../src/domain/insight/5-say/sentences.js'
import { calibrate } from '../../src/domain/insight/6-calibrate/calibrate.js'
import type { CalibrationModel } from '../../src/domain/insight/6-calibrate/confidence-features.js'
import type { Example } from './example.js'

/** How good the answer to one task is; undefined where the task does not tell. */
export interface Row {
  readonly graphId: string
  readonly id: string
  readonly kind: string
  readonly evidence: number | undefined
  readonly answer: number | undefined
  readonly action: number | undefined
  readonly trust: number | undefined
  readonly confidence: number
  readonly high_right: number | undefined
  readonly focus: number | undefined
  readonly high: number
  readonly low: number | undefined
  readonly nothing_high: number | undefined
  readonly score: number
  readonly level: string
  readonly insight: string
  readonly recommendation: string
}

export const MEASURES = [
  'evidence',
  'answer',
  'action',
  'trust',
  'confidence',
  'high_right',
  'focus',
  'high',
  'low',
  'nothing_high',
] as const
export type Measure = (typeof MEASURES)[number]

export async function measure(example: Example, weights: Features, model: CalibrationModel): Promise<Row> {
  const { task, limit, pool, features, ids, graphId } = example
  const ranked = rank(pool, features, weights)
  const evidence = await evidenceOf(example.rest, { pool: example.pool, ranked }, limit)
  const said = say(task.task, evidence)
  const { score, level } = calibrate({ pool, ranked }, evidence, said, model)
  const roles = new Map(evidence.map(({ memory, role }) => [memory.memoryId, role]))
  const found = mean(task.evidence.map((key) => Number(roles.has(ids.get(key) ?? ''))))
  const misused = (task.superseded ?? []).some(
    (key) => (roles.get(ids.get(key) ?? '') ?? 'superseded') !== 'superseded',
  )
  return {
    graphId,
    id: task.id,
    kind: task.kind,
    evidence: found,
    answer: share(task.answer_terms, said.insight.split(/\s+/u).slice(0, MOST_WORDS).join(' ')),
    action: share(task.action_terms, said.recommendation),
    // In temporal tasks the older readings were true in their time: no rule retires them.
    trust: task.superseded?.length && task.kind !== 'temporal' ? Number(!misused) : undefined,
    confidence: Number(task.confidence.includes(level)),
    high_right: level === 'high' ? Number(found === 1 && task.confidence.includes('high')) : undefined,
    focus: focusOf(said.insight, example),
    high: Number(level === 'high'),
    low: task.evidence.length === 0 ? Number(level === 'low') : undefined,
    nothing_high: task.evidence.length === 0 ? Number(level === 'high') : undefined,
    score,
    level,
    ...said,
  }
}

/** Share of the word triples told that stand in the labelled memories: how little is beside the point. */
function focusOf(insight: string, { task, pool, ids }: Example): number | undefined {
  if (task.evidence.length === 0) return undefined
  const wanted = new Set([...task.evidence, ...(task.superseded ?? [])].map((key) => ids.get(key)))
  const labelled = new Set(
    pool.entries
      .filter(({ memory }) => wanted.has(memory.memoryId))
      .flatMap(({ memory }) => triplesOf(memory.text)),
  )
  return mean(triplesOf(insight).map((triple) => Number(labelled.has(triple))))
}

function triplesOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.slice(2).map((_, i) => words.slice(i, i + 3).join(' '))
}

/** The rows of labelled tasks. */
export function labelled(rows: readonly Row[]): Row[] {
  return rows.filter(({ kind }) => kind !== 'made' && kind !== 'everyday' && !kind.startsWith('plain'))
}

/** The mean of every measure, over the rows that tell. */
export function summary(rows: readonly Row[]): Record<Measure, number | undefined> {
  return Object.fromEntries(
    MEASURES.map((name) => [name, mean(rows.flatMap((row) => row[name] ?? []))]),
  ) as Record<Measure, number | undefined>
}

export function table(rows: readonly Row[]): string {
  const kinds = [...new Set(rows.map(({ kind }) => kind)), 'all']
  const cell = (value: number | undefined) =>
    (value === undefined ? '–' : (100 * value).toFixed(1)).padStart(10)
  const line = (kind: string) => {
    const of = kind === 'all' ? labelled(rows) : rows.filter((row) => row.kind === kind)
    const means = summary(of)
    return [
      kind.padEnd(14),
      String(of.length).padStart(4),
      ...MEASURES.map((name) => cell(means[name])),
    ].join(' ')
  }
  const head = ['kind'.padEnd(14), 'n'.padStart(4), ...MEASURES.map((name) => name.padStart(10))].join(' ')
  return [head, ...kinds.map(line)].join('\n')
}

/** What each level of confidence turned out to be worth. */
export function calibrationTable(rows: readonly Row[]): string {
  const percent = (value: number | undefined) =>
    (value === undefined ? '–' : `${Math.round(100 * value)} %`).padStart(12)
  const line = (level: string) => {
    const of = rows.filter((row) => row.level === level)
    const complete = mean(of.map(({ evidence }) => Number(evidence === 1)))
    const unanswerable = mean(of.map(({ low }) => Number(low !== undefined)))
    return [level.padEnd(10), String(of.length).padStart(8), percent(complete), percent(unanswerable)].join(
      ' ',
    )
  }
  const head = [
    'confidence'.padEnd(10),
    'answers'.padStart(8),
    'all evidence'.padStart(12),
    'unanswerable'.padStart(12),
  ].join(' ')
  return [head, ...['high', 'medium', 'low'].map(line)].join('\n')
}

/** The share of groups of which one alternative stands in the text. */
function share(groups: readonly (readonly string[])[] | undefined, text: string): number | undefined {
  const lower = text.toLowerCase()
  return mean((groups ?? []).map((any) => Number(any.some((term) => lower.includes(term.toLowerCase())))))
}

function mean(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((a, b) => a + b, 0) / numbers.length
}
