export interface Timing {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** One line of the result: what was measured, on what, and how it came out. */
export interface Row {
  readonly what: string
  readonly subject: string
  readonly value: number
  readonly unit: string
  /** The limit that was promised, if one was, and whether the value keeps to it. */
  readonly promise?: string
  readonly kept?: boolean
}

export function timingOf(samples: readonly number[]): Timing {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/**
 * Runs every subject in turn, round after round, so that whatever else the machine does falls on all of them alike.
 * Resolves to the times in milliseconds of each.
 */
export async function interleave(
  subjects: Readonly<Record<string, () => Promise<unknown>>>,
  rounds: number,
  perRound: number,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(Object.keys(subjects).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(subjects))
      for (let i = 0; i < perRound; i++) {
        const start = performance.now()
        await run()
        times.get(name)?.push(performance.now() - start)
      }
  return times
}

/** Two rows for one kind of work: what it usually takes, and what it takes at worst. */
export function timingRows(what: string, times: ReadonlyMap<string, readonly number[]>): Row[] {
  return [...times].flatMap(([subject, samples]) => {
    const { p50, p99 } = timingOf(samples)
    return [
      { what: `${what}, p50`, subject, value: p50, unit: 'ms' },
      { what: `${what}, p99`, subject, value: p99, unit: 'ms' },
    ]
  })
}

export function median(samples: readonly number[]): number {
  return timingOf(samples).p50
}

export function promised(row: Row, promise: string, kept: boolean): Row {
  return { ...row, promise, kept }
}

/** The row, with its limit where one is promised. */
export function atMost(row: Row, limit: number | undefined): Row {
  return limit === undefined ? row : promised(row, `≤ ${limit}`, row.value <= limit)
}

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ what, subject, value, unit, promise = '', kept }) => [
    what,
    subject,
    `${value < 10 ? value.toFixed(3) : value < 1000 ? value.toFixed(1) : Math.round(value)} ${unit}`,
    promise === '' ? '' : `${promise} ${kept === true ? 'yes' : 'NO'}`,
  ])
  const header = ['what', 'subject', 'measured', 'promised']
  const widths = header.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n')
}
