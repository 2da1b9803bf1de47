import { type PromiseRow, RUNS, type RunName } from './promises.js'
import type { Evidence } from './reports.js'

export const BEGIN = '<!-- Written by npm run reliability; what is changed by hand here is lost. -->'
export const END = '<!-- End of what npm run reliability writes. -->'

/** All that the runs have left. What was not run keeps what the page says of it. */
export interface Results {
  readonly tests: ReadonlyMap<string, Evidence>
  readonly faults: ReadonlyMap<string, Evidence>
  readonly faultsFull: ReadonlyMap<string, Evidence> | undefined
  readonly runs: ReadonlyMap<RunName, string>
}

const SECTIONS: Readonly<Record<string, string>> = {
  A: 'Contract',
  B: 'HTTP',
  C: 'Security',
  D: 'Durability',
  E: 'Operations',
}

/** The page with its tables made anew. */
export function withTables(page: string, rows: readonly PromiseRow[], results: Results): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from)
    throw new Error('RELIABILITY.md has lost the marks between which its tables stand.')
  const kept = cellsOf(page.slice(from, to))
  const line = (name: RunName) =>
    results.runs.get(name) ?? kept.get(`\`${RUNS[name].command}\``)?.at(-1) ?? 'not run yet'
  const runs = Object.values(RUNS).map(
    ({ name, command, what }) => `| \`${command}\` | ${what} | ${line(name)} |`,
  )
  const sections = Object.entries(SECTIONS).map(([letter, title]) => {
    const cells = rows
      .filter(({ id }) => id.startsWith(letter))
      .map((row) => rowOf(row, results, line, kept.get(row.id)))
    return `### ${title}\n\n| id | promise | tests | last result | last full run |\n|---|---|---|---|---|\n${cells.join('\n')}`
  })
  const table = `| run of its own | what it does | last result |\n|---|---|---|\n${runs.join('\n')}`
  return `${page.slice(0, from)}${BEGIN}\n\n${[table, ...sections].join('\n\n')}\n\n${page.slice(to)}`
}

function rowOf(
  row: PromiseRow,
  { tests, faults, faultsFull }: Results,
  line: (name: RunName) => string,
  kept: readonly string[] | undefined,
): string {
  const { id, promise, how, without, runs = [] } = row
  const quick = tests.get(id)
  const slow = faults.get(id)
  const promised = how === undefined ? promise : `${promise}<br>${how}`
  const links = [...(quick?.files ?? []), ...(slow?.files ?? [])].map(
    ([file, count]) => `[${file.slice(file.lastIndexOf('/') + 1)}](${file}) ${count}`,
  )
  const where = [...links, ...runs.map((name) => `\`${RUNS[name].command}\``)]
  const result = [
    ...(quick === undefined ? [] : [counted(quick)]),
    ...(slow === undefined ? [] : [`${counted(slow)}, short form`]),
    ...runs.map(line),
    ...(without === undefined ? [] : [without]),
  ]
  const full = faultsFull?.get(id)
  const atLength = full === undefined ? (slow === undefined ? '' : (kept?.at(-1) ?? '')) : fullOf(full)
  return `| ${[id, promised, where.join('<br>'), result.join('<br>'), atLength].join(' | ')} |`
}

function counted({ passed, total }: Evidence): string {
  return `${passed} of ${total} passed`
}

function fullOf(evidence: Evidence): string {
  return [counted(evidence), ...evidence.figures].join('<br>').replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** The cells of each line of a table, by what stands in the first. */
function cellsOf(tables: string): ReadonlyMap<string, readonly string[]> {
  const lines = tables.split('\n').filter((line) => line.startsWith('| '))
  return new Map(
    lines.map((line) => {
      const cells = line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
      return [cells[0] ?? '', cells]
    }),
  )
}

/** Links of a page to files beside it, without those to other sites and to places in the page itself. */
export function linksIn(page: string): readonly string[] {
  const targets = Array.from(
    page.matchAll(/\]\(([^)\s]+)\)/g),
    ([, target = '']) => target.split('#', 1)[0] ?? '',
  )
  return [...new Set(targets)].filter((target) => target !== '' && !/^[a-z]+:/i.test(target))
}

/** Rows whose promise nothing was run for. */
export function unproven(rows: readonly PromiseRow[], { tests, faults }: Results): readonly string[] {
  const isProven = (id: string) => [tests, faults].some((found) => (found.get(id)?.passed ?? 0) > 0)
  return rows
    .filter(({ id, without, runs = [] }) => without === undefined && runs.length === 0 && !isProven(id))
    .map(({ id }) => id)
}
