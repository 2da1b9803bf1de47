/** What vitest writes with `--reporter=json`, as far as it is read here. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
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

/** The tests that name one row of the battery. */
export interface Evidence {
  /** How many tests of each file, which is relative to the root. */
  readonly files: ReadonlyMap<string, number>
  readonly passed: number
  readonly total: number
  /** What the tests counted, in their words. */
  readonly figures: readonly string[]
}

/** The evidence for each row that a test of the report names. */
export function evidenceIn(report: TestReport, root: string): ReadonlyMap<string, Evidence> {
  const rows = new Map<string, Evidence>()
  for (const { name, assertionResults } of report.testResults)
    for (const test of assertionResults)
      for (const id of rowsNamed(test)) rows.set(id, withTest(rows.get(id), relative(name, root), test))
  return rows
}

/** The evidence of several reports. */
export function together(reports: readonly ReadonlyMap<string, Evidence>[]): ReadonlyMap<string, Evidence> {
  const rows = new Map<string, Evidence>()
  for (const [id, { files, passed, total, figures }] of reports.flatMap((report) => [...report])) {
    const before = rows.get(id)
    rows.set(id, {
      files: new Map([...(before?.files ?? []), ...files]),
      passed: (before?.passed ?? 0) + passed,
      total: (before?.total ?? 0) + total,
      figures: [...(before?.figures ?? []), ...figures],
    })
  }
  return rows
}

/** The tests that failed, and the files that could not be loaded. */
export function failuresIn(report: TestReport, root: string): readonly string[] {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${relative(name, root)} could not be run`]
    return failed.map(({ fullName }) => `${relative(name, root)}: ${fullName}`)
  })
}

/** `D3, D20: cut anywhere` names two rows. A title may stand in a `describe` that names others. */
const NAMED = /^((?:[A-E]\d{1,2}(?:, )?)+): /

export function rowsNamed({
  ancestorTitles,
  title,
}: Pick<Assertion, 'ancestorTitles' | 'title'>): ReadonlySet<string> {
  return new Set([...ancestorTitles, title].flatMap((text) => NAMED.exec(text)?.[1]?.split(', ') ?? []))
}

function withTest(before: Evidence | undefined, file: string, test: Assertion): Evidence {
  const files = new Map(before?.files)
  return {
    files: files.set(file, (files.get(file) ?? 0) + 1),
    passed: (before?.passed ?? 0) + (test.status === 'passed' ? 1 : 0),
    total: (before?.total ?? 0) + 1,
    figures: [...(before?.figures ?? []), ...(test.meta?.figures ?? [])],
  }
}

function relative(file: string, root: string): string {
  return file.startsWith(root) ? file.slice(root.length).replace(/^\//, '') : file
}
