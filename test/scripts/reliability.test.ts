import { describe, expect, test } from 'vitest'
import { BEGIN, END, linksIn, type Results, unproven, withTables } from '../../scripts/reliability/page.js'
import { PROMISES, type PromiseRow } from '../../scripts/reliability/promises.js'
import { evidenceIn, failuresIn, rowsNamed, type TestReport } from '../../scripts/reliability/reports.js'

const test1 = (title: string, status = 'passed', ancestorTitles: string[] = [], figures?: string[]) => ({
  ancestorTitles,
  title,
  fullName: [...ancestorTitles, title].join(' '),
  status,
  ...(figures && { meta: { figures } }),
})

const REPORT: TestReport = {
  testResults: [
    {
      name: '/project/test/http/a.test.ts',
      status: 'failed',
      assertionResults: [
        test1('405 for TRACE', 'passed', ['B1: methods']),
        test1('B2: HEAD', 'failed', ['B1: methods']),
        test1('D3, D20: cut', 'passed', [], ['7 cuts | 2 files']),
        test1('nothing of the battery'),
      ],
    },
    {
      name: '/project/test/b.test.ts',
      status: 'passed',
      assertionResults: [test1('B1: more', 'skipped')],
    },
    { name: '/project/test/c.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
  ],
}

describe('E11: what the report of a run says', () => {
  test('the rows that a title names, its own or those around it', () => {
    expect([...rowsNamed(test1('D3, D20: cut anywhere'))]).toEqual(['D3', 'D20'])
    expect([...rowsNamed(test1('C1: none', 'passed', ['C2: table', 'other']))]).toEqual(['C2', 'C1'])
    for (const title of ['C1 line break', 'see B1: x', 'F1: x', '404: none', 'B1:x'])
      expect([...rowsNamed(test1(title))], title).toEqual([])
  })

  test('files, counts and figures of each row; what was not run has not passed', () => {
    const rows = evidenceIn(REPORT, '/project/')
    expect([...rows.keys()]).toEqual(['B1', 'B2', 'D3', 'D20'])
    expect(rows.get('B1')).toEqual({
      files: new Map([
        ['test/http/a.test.ts', 2],
        ['test/b.test.ts', 1],
      ]),
      passed: 1,
      total: 3,
      figures: [],
    })
    expect(rows.get('D20')).toMatchObject({ passed: 1, total: 1, figures: ['7 cuts | 2 files'] })
  })

  test('every failure, also of a file that could not be loaded', () => {
    expect(failuresIn(REPORT, '/project/')).toEqual([
      'test/http/a.test.ts: B1: methods B2: HEAD',
      'test/c.test.ts could not be run',
    ])
  })
})

describe('E11: the page', () => {
  const rows: readonly PromiseRow[] = [
    { id: 'A6', promise: 'Bugs are seen.', runs: ['mutants'] },
    { id: 'B1', promise: 'Methods.' },
    { id: 'C14', promise: 'No model.', without: 'there is none' },
    { id: 'D3', promise: 'Cuts.', how: 'Everywhere.' },
  ]
  const found = evidenceIn(REPORT, '/project/')
  const faults = new Map([...found].filter(([id]) => id === 'D3'))
  const results: Results = {
    tests: new Map([...found].filter(([id]) => id === 'B1')),
    faults,
    faultsFull: faults,
    runs: new Map([['mutants', '3 of 3 killed']]),
  }
  const empty = `before\n${BEGIN}\n${END}\nafter\n`
  const page = withTables(empty, rows, results)

  test('says of each promise where it is tested and what came of it', () => {
    expect(page).toContain('| A6 | Bugs are seen. | `npm run test:mutants` | 3 of 3 killed |  |')
    expect(page).toContain(
      '| B1 | Methods. | [a.test.ts](test/http/a.test.ts) 2<br>[b.test.ts](test/b.test.ts) 1 | 1 of 3 passed |',
    )
    expect(page).toContain('| C14 | No model. |  | there is none |  |')
    expect(page).toContain(
      '| D3 | Cuts.<br>Everywhere. | [a.test.ts](test/http/a.test.ts) 1 | 1 of 1 passed, short form | 1 of 1 passed<br>7 cuts \\| 2 files |',
    )
    expect(page.startsWith('before\n')).toBe(true)
    expect(page.endsWith('\nafter\n')).toBe(true)
  })

  test('is the same when made again, and keeps what was not run this time', () => {
    expect(withTables(page, rows, results)).toBe(page)
    expect(withTables(page, rows, { ...results, faultsFull: undefined, runs: new Map() })).toBe(page)
    expect(withTables(page, rows, { ...results, runs: new Map([['mutants', 'one lives']]) })).not.toBe(page)
  })

  test('is not made without its marks', () => {
    expect(() => withTables('nothing', rows, results)).toThrow(/marks/)
  })

  test('has links to files, beside those to other places', () => {
    expect(linksIn('[a](b/c.ts) [d](https://x.example) [e](#f) [g](h.md#i) [j](b/c.ts)')).toEqual([
      'b/c.ts',
      'h.md',
    ])
  })

  test('misses a promise without a test that passed, unless there is a reason or another run', () => {
    expect(unproven(rows, results)).toEqual([])
    expect(unproven(rows, { ...results, faults: new Map() })).toEqual(['D3'])
    const skipped = { files: new Map(), passed: 0, total: 3, figures: [] }
    expect(unproven(rows, { ...results, tests: new Map([['B1', skipped]]) })).toEqual(['B1'])
  })

  test('has every row of the battery, each once and in order', () => {
    const counts = { A: 11, B: 19, C: 19, D: 20, E: 11 }
    const ids = Object.entries(counts).flatMap(([letter, count]) =>
      Array.from({ length: count }, (_, i) => `${letter}${i + 1}`),
    )
    expect(PROMISES.map(({ id }) => id)).toEqual(ids)
  })
})
