import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { linksIn, type Results, withResults } from '../../scripts/reliability/page.js'
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
    { name: '/project/test/c.test.ts', status: 'failed', assertionResults: [] },
  ],
}

describe('E11: what the report of a run says', () => {
  test('the rows that a title names, its own or those around it', () => {
    expect([...rowsNamed(test1('D3, D20: cut anywhere'))]).toEqual(['D3', 'D20'])
    expect([...rowsNamed(test1('C1: none', 'passed', ['C2: table', 'other']))]).toEqual(['C2', 'C1'])
    for (const title of ['C1 line break', 'see B1: x', 'F1: x', '404: none', 'B1:x'])
      expect([...rowsNamed(test1(title))], title).toEqual([])
  })

  test('the tests of each row by file, with what they counted', () => {
    const rows = evidenceIn([REPORT], '/project/')
    expect([...rows.keys()]).toEqual(['B1', 'B2', 'D3', 'D20'])
    expect(rows.get('B1')).toEqual(
      new Map([
        ['test/http/a.test.ts', { passed: 1, skipped: 0, total: 2, figures: [] }],
        ['test/b.test.ts', { passed: 0, skipped: 1, total: 1, figures: [] }],
      ]),
    )
    const cuts = { passed: 1, skipped: 0, total: 1, figures: ['7 cuts | 2 files'] }
    expect(rows.get('D20')).toEqual(new Map([['test/http/a.test.ts', cuts]]))
  })

  test('every failure, also of a file that could not be loaded', () => {
    expect(failuresIn(REPORT, '/project/')).toEqual([
      'test/http/a.test.ts: B1: methods B2: HEAD',
      'test/c.test.ts could not be run',
    ])
  })
})

/** Both stores giving the same answers: there is one implementation of every answer now. */
const WITHDRAWN = ['M4']

describe('E11: the page', () => {
  const PAGE = `before
| \`npm run test:mutants\` | plants bugs | not run yet |
| A6 | Bugs are seen.<br>\`npm run test:mutants\` |  |  |  |
| B1 | Methods. |  |  |  |
| C14 | No model.<br>Not tested: there is none. |  |  |  |
| D3 | Cuts. |  |  |  |
after
| D3 | a bug that it found |`
  const tally = (passed: number, skipped = 0, figures: string[] = []) => ({
    passed,
    skipped,
    total: 3,
    figures,
  })
  const results: Results = {
    evidence: new Map([
      ['B1', new Map([['test/a.test.ts', tally(3)]])],
      ['D3', new Map([['test/faults/d.faults.ts', tally(2)]])],
    ]),
    full: new Map([['D3', new Map([['test/faults/d.faults.ts', tally(3, 0, ['7 cuts | 2 files'])]])]]),
    covers: () => true,
    summaryOf: () => '3 of 3 killed',
  }
  const nothing = { full: new Map(), summaryOf: () => undefined }
  const { page, rows } = withResults(PAGE, results)

  test('says of each promise where it is tested and what came of it, and leaves the rest alone', () => {
    expect(page).toBe(`before
| \`npm run test:mutants\` | plants bugs | 3 of 3 killed |
| A6 | Bugs are seen.<br>\`npm run test:mutants\` |  | 3 of 3 killed |  |
| B1 | Methods. | [a.test.ts](test/a.test.ts) 3 | 3 of 3 passed |  |
| C14 | No model.<br>Not tested: there is none. |  |  |  |
| D3 | Cuts. | [d.faults.ts](test/faults/d.faults.ts) 3 | 2 of 3 passed, short form | 3 of 3 passed<br>7 cuts \\| 2 files |
after
| D3 | a bug that it found |`)
    expect(rows.every(({ isCounted, isProven }) => isCounted && isProven)).toBe(true)
  })

  test('is the same when made again, and keeps what was not run this time', () => {
    expect(withResults(page, results).page).toBe(page)
    expect(withResults(page, { ...results, ...nothing }).page).toBe(page)
    const none = withResults(page, { ...nothing, evidence: new Map(), covers: () => false })
    expect(none.page).toBe(page)
    expect(none.rows.filter(({ isCounted }) => !isCounted).map(({ id }) => id)).toEqual(['B1', 'D3'])
  })

  test('a run of some tests changes nothing about those that it skipped', () => {
    const evidence = new Map([
      ['B1', new Map([['test/a.test.ts', tally(1)]])],
      ['D3', new Map([['test/faults/d.faults.ts', tally(0, 2)]])],
    ])
    const full = new Map([['D3', new Map([['test/faults/d.faults.ts', tally(0, 3)]])]])
    const after = withResults(page, { ...results, evidence, full })
    expect(after.page).toBe(page.replace('| 3 of 3 passed |  |', '| 1 of 3 passed |  |'))
    expect(after.rows.filter(({ isCounted }) => !isCounted).map(({ id }) => id)).toEqual(['D3'])
  })

  test('a row keeps what it says as long as one of its files was not run', () => {
    const two = page.replace('test.ts) 3 |', 'test.ts) 3<br>[b.load.ts](test/b.load.ts) 1 |')
    expect(withResults(two, { ...results, covers: (file) => file !== 'test/b.load.ts' }).page).toBe(two)
    expect(withResults(two, results).page).toBe(page)
  })

  test('misses a promise without a test, unless there is a reason or another run', () => {
    const unproven = withResults(PAGE, { ...results, evidence: new Map() }).rows
    expect(unproven.filter(({ isProven }) => !isProven).map(({ id }) => id)).toEqual(['B1', 'D3'])
  })

  test('has links to files, beside those to other places', () => {
    expect(linksIn('[a](b/c.ts) [d](https://x.example) [e](#f) [g](h.md#i) [j](b/c.ts)')).toEqual([
      'b/c.ts',
      'h.md',
    ])
  })

  test('has every row of the battery, each once and in order', async () => {
    const counts = { A: 11, B: 19, C: 19, D: 24, T: 10, M: 9, E: 15 }
    const ids = Object.entries(counts)
      .flatMap(([letter, count]) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`))
      .filter((id) => !WITHDRAWN.includes(id))
    const own = await readFile(new URL('../../RELIABILITY.md', import.meta.url), 'utf8')
    const kept = withResults(own, { ...results, ...nothing, evidence: new Map() })
    expect(kept.rows.map(({ id }) => id)).toEqual(ids)
    expect(kept.rows.filter(({ isProven }) => !isProven)).toEqual([])
    expect(kept.page).toBe(own)
  })
})
