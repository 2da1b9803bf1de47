import type { Evidence, Tally } from './reports.js'

/** All that the runs have left. */
export interface Results {
  /** Everything but the full form of the fault tests. */
  readonly evidence: Evidence
  readonly full: Evidence
  /** Whether the reports speak of a file, which they also do when it is gone. */
  readonly covers: (file: string) => boolean
  /** How a run of its own came out; undefined if it was not run. */
  readonly summaryOf: (command: string) => string | undefined
}

export interface Row {
  readonly id: string
  /** Whether tests of these runs were counted; without them a row keeps its cells. */
  readonly isCounted: boolean
  /** Whether the row names a test, a run of its own, or the reason for having none. */
  readonly isProven: boolean
}

const RUN = /^`npm run [\w:]+`$/
const ID = /^[A-EMT]\d{1,2}$/
const NO_TEST = 'Not tested:'

/**
 * The page with what the runs gave. Ids, promises and names of runs are written by hand and stay; the other cells of
 * the tables are written anew for each row all of whose tests were run.
 */
export function withResults(page: string, results: Results): { page: string; rows: readonly Row[] } {
  const runs = new Map<string, string>()
  const rows: Row[] = []
  const lines = page.split('\n').map((line) => {
    const cells = cellsOf(line)
    const [first = '', text = '', tests = '', result = '', full = ''] = cells
    if (cells.length === 3 && RUN.test(first)) {
      runs.set(first, results.summaryOf(first) ?? tests)
      return lineOf([first, text, runs.get(first) ?? ''])
    }
    if (cells.length !== 5 || !ID.test(first)) return line
    const own = Array.from(text.matchAll(/`npm run [\w:]+`/g), ([command]) => runs.get(command) ?? []).flat()
    const files = new Map([...(results.evidence.get(first) ?? [])].sort())
    const isExcused = own.length > 0 || text.includes(NO_TEST)
    const isRun =
      (files.size > 0 || tests === '') &&
      linksIn(tests).every(results.covers) &&
      [...files.values()].every(wasRun)
    const written = isRun ? [links(files), [...counts(files), ...own].join('<br>')] : [tests, result]
    const before = written[0]?.includes('.faults.ts') === true ? full : ''
    rows.push({
      id: first,
      isCounted: isRun && (files.size > 0 || isExcused),
      isProven: written[0] !== '' || isExcused,
    })
    return lineOf([first, text, ...written, fullOf(results.full.get(first)) ?? before])
  })
  return { page: lines.join('\n'), rows }
}

/** Links of a page to files beside it, without those to other sites and to places in the page itself. */
export function linksIn(page: string): readonly string[] {
  const targets = Array.from(
    page.matchAll(/\]\(([^)\s]+)\)/g),
    ([, target = '']) => target.split('#', 1)[0] ?? '',
  )
  return [...new Set(targets)].filter((target) => target !== '' && !/^[a-z]+:/i.test(target))
}

/** A test is skipped when a run is about other ones, or when a tool is missing: neither says anything about it. */
function wasRun({ skipped }: Tally): boolean {
  return skipped === 0
}

function links(files: ReadonlyMap<string, Tally>): string {
  return Array.from(
    files,
    ([file, { total }]) => `[${file.slice(file.lastIndexOf('/') + 1)}](${file}) ${total}`,
  ).join('<br>')
}

function counts(files: ReadonlyMap<string, Tally>): string[] {
  const isSlow = (file: string) => file.endsWith('.faults.ts')
  const quick = [...files].flatMap(([file, tally]) => (isSlow(file) ? [] : tally))
  const slow = [...files].flatMap(([file, tally]) => (isSlow(file) ? tally : []))
  return [
    ...(quick.length > 0 ? [counted(quick)] : []),
    ...(slow.length > 0 ? [`${counted(slow)}, short form`] : []),
  ]
}

/** What the full form of the fault tests gave; undefined if not all of them were run. */
function fullOf(files: ReadonlyMap<string, Tally> = new Map()): string | undefined {
  const tallies = [...files.values()]
  if (tallies.length === 0 || !tallies.every(wasRun)) return undefined
  const parts = [counted(tallies), ...tallies.flatMap(({ figures }) => figures)]
  return parts.join('<br>').replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function counted(tallies: readonly Tally[]): string {
  const sum = (pick: (tally: Tally) => number) => tallies.reduce((total, tally) => total + pick(tally), 0)
  return `${sum(({ passed }) => passed)} of ${sum(({ total }) => total)} passed`
}

function cellsOf(line: string): readonly string[] {
  if (!line.startsWith('| ')) return []
  const cells = line.slice(1, line.lastIndexOf('|')).split(/(?<!\\)\|/)
  return cells.map((cell) => cell.trim())
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
