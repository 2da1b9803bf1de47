/** A row of `score.mjs insights`; null where a figure does not apply. */
export interface GraphRow {
  readonly kind: string
  readonly band: string
  readonly evidence: number | null
  readonly answer: number | null
  readonly action: number | null
  readonly trust: number | null
  readonly confidence: number
  readonly highRight: number | null
  readonly focus: number | null
  readonly repeatable: number
}

/** A row of `score.mjs answers`. */
export interface AnswerRow {
  readonly kind: string
  readonly confidence: string
  readonly score: number
  readonly first: number
  readonly any: number
  readonly band: number
  readonly echo: number
  readonly falseNone: number
  readonly rightButLow: number
}

export function reportGraphs(rows: readonly GraphRow[]): string {
  const known = (of: readonly GraphRow[], figure: keyof GraphRow) =>
    of.flatMap((row) => (typeof row[figure] === 'number' ? [row[figure]] : []))
  const figures = [
    'evidence',
    'answer',
    'action',
    'trust',
    'confidence',
    'highRight',
    'focus',
    'repeatable',
  ] as const
  const kinds = [...new Set(rows.map(({ kind }) => kind)), 'all']
  const nothing = rows.filter(({ kind }) => kind === 'unanswerable')
  return [
    ['kind', 'n', ...figures].join('\t'),
    ...kinds.map((kind) => {
      const of = rows.filter((row) => kind === 'all' || row.kind === kind)
      return [kind, of.length, ...figures.map((figure) => mean(known(of, figure)))].join('\t')
    }),
    `high on ${share(rows, ({ band }) => band === 'high')}; of those right ${share(
      rows.filter(({ band }) => band === 'high'),
      ({ highRight }) => highRight === 1,
    )}`,
    `unanswerable: low ${share(nothing, ({ band }) => band === 'low')}, high ${share(nothing, ({ band }) => band === 'high')}`,
  ].join('\n')
}

export function reportAnswers(rows: readonly AnswerRow[]): string {
  const nothing = rows.filter(({ kind }) => kind === 'noanswer')
  const something = rows.filter(({ kind }) => kind !== 'noanswer')
  const high = rows.filter(({ confidence }) => confidence === 'high')
  const right = ({ first }: AnswerRow) => first === 1
  const mixtures = [
    ['as labelled', nothing.length / Math.max(1, rows.length)],
    ['half', 0.5],
    ['nine in ten without an answer', 0.9],
  ] as const
  return [
    `first line right ${share(rows, right)}; without the past ${share(
      rows.filter(({ kind }) => kind !== 'past'),
      right,
    )}; past ${share(
      rows.filter(({ kind }) => kind === 'past'),
      right,
    )}`,
    `anywhere ${share(rows, ({ any }) => any === 1)}; band ${share(rows, ({ band }) => band === 1)}`,
    `high on ${share(rows, ({ confidence }) => confidence === 'high')}, right ${share(high, right)}`,
    `right but low ${share(rows, ({ rightButLow }) => rightButLow === 1)}; echo ${share(rows, ({ echo }) => echo === 1)}`,
    `nothing recorded: where nothing is ${share(nothing, right)}, where something is ${share(something, ({ falseNone }) => falseNone === 1)}`,
    ...mixtures.map(([name, part]) => {
      const of = (band: string) => {
        const rate = (set: readonly AnswerRow[], test: (row: AnswerRow) => boolean) =>
          set.filter((row) => row.confidence === band && test(row)).length / Math.max(1, set.length)
        const good =
          (1 - part) * rate(something, right) + (band === 'low' ? part * rate(nothing, () => true) : 0)
        const all = (1 - part) * rate(something, () => true) + part * rate(nothing, () => true)
        return `${band} ${(100 * all).toFixed(0)} % (${((100 * good) / Math.max(1e-9, all)).toFixed(0)} % right)`
      }
      return `${name}: ${['high', 'medium', 'low'].map(of).join(', ')}`
    }),
  ].join('\n')
}

function mean(values: readonly number[]): string {
  if (values.length === 0) return '–'
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3)
}

/** A share with its 95 % interval (Wilson). */
function share<Row>(rows: readonly Row[], test: (row: Row) => boolean): string {
  const n = rows.length
  if (n === 0) return '–'
  const p = rows.filter(test).length / n
  const z = 1.96
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n)
  return `${p.toFixed(3)} (${Math.max(0, middle - half).toFixed(2)}–${Math.min(1, middle + half).toFixed(2)}, n=${n})`
}
