/** What vitest writes with `--reporter=json`, as far as it is read here. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly Assertion[]
  }[]
}

interface Assertion {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly fullName: string
  readonly status: string
  readonly meta?: { readonly figures?: readonly string[] }
}

/** The tests of one file that name one row of the page. */
export interface Tally {
  readonly passed: number
  readonly skipped: number
  readonly total: number
  /** What the tests counted, in their words. */
  readonly figures: readonly string[]
}

/** By row, then by file. */
export type Evidence = ReadonlyMap<string, ReadonlyMap<string, Tally>>

/** The evidence for each row that a test names; files are relative to the root. */
export function evidenceIn(reports: readonly TestReport[], root: string): Evidence {
  const rows = new Map<string, Map<string, Tally>>()
  for (const { name, assertionResults } of reports.flatMap(({ testResults }) => testResults))
    for (const test of assertionResults)
      for (const id of rowsNamed(test)) {
        const files = rows.get(id) ?? new Map<string, Tally>()
        const file = relative(name, root)
        rows.set(id, files.set(file, withTest(files.get(file), test)))
      }
  return rows
}

export const NOT_RUN = 'could not be run'

/** The tests that failed, and the files that could not be loaded. */
export function failuresIn(report: TestReport, root: string): readonly string[] {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${relative(name, root)} ${NOT_RUN}`]
    return failed.map(({ fullName }) => `${relative(name, root)}: ${fullName}`)
  })
}

/** `D3, D20: cut anywhere` names two rows. A title may stand in a `describe` that names others. */
const NAMED = /^((?:[A-EMT]\d{1,2}(?:, )?)+): /

export function rowsNamed({
  ancestorTitles,
  title,
}: Pick<Assertion, 'ancestorTitles' | 'title'>): ReadonlySet<string> {
  return new Set([...ancestorTitles, title].flatMap((text) => NAMED.exec(text)?.[1]?.split(', ') ?? []))
}

function withTest(before: Tally | undefined, { status, meta }: Assertion): Tally {
  return {
    passed: (before?.passed ?? 0) + (status === 'passed' ? 1 : 0),
    skipped: (before?.skipped ?? 0) + (status === 'passed' || status === 'failed' ? 0 : 1),
    total: (before?.total ?? 0) + 1,
    figures: [...(before?.figures ?? []), ...(meta?.figures ?? [])],
  }
}

export function relative(file: string, root: string): string {
  return file.startsWith(root) ? file.slice(root.length).replace(/^\//, '') : file
}
