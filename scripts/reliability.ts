/**
 * `npm run reliability` writes what the last runs gave into RELIABILITY.md: `npm test` and `npm run test:faults`, and
 * whichever of the others were run. `--check` fails when a promise has no test, when a test failed, or when a link leads
 * nowhere, and says so when the page says something else.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './proof/paths.js'
import { REPORTS, type Summary } from './proof/report.js'
import { linksIn, type Results, unproven, withTables } from './reliability/page.js'
import { PROMISES, RUN_NAMES, type RunName } from './reliability/promises.js'
import { evidenceIn, failuresIn, type TestReport, together } from './reliability/reports.js'

const PAGE = join(ROOT, 'RELIABILITY.md')
const mistakes: string[] = []

const results: Results = {
  tests: together([
    evidenceOf('tests', 'npm test'),
    evidenceOf('e2e', 'npm run test:e2e'),
    evidenceOf('load', 'npm run test:load'),
  ]),
  faults: evidenceOf('faults-short', 'npm run test:faults'),
  faultsFull: has('faults-full') ? evidenceOf('faults-full', '') : undefined,
  runs: summaries(),
}
const before = readFileSync(PAGE, 'utf8')
const after = withTables(before, PROMISES, results)
const missing = unproven(PROMISES, results)
for (const id of missing) mistakes.push(`No test of the last run proves ${id}.`)
for (const link of linksIn(after))
  if (!existsSync(join(ROOT, link))) mistakes.push(`The link to ${link} leads nowhere.`)
const known = new Set(PROMISES.map(({ id }) => id))
for (const id of [...results.tests.keys(), ...results.faults.keys()])
  if (!known.has(id)) mistakes.push(`A test names ${id}, which nothing is promised under.`)
// A run of some of the tests says nothing about the others.
if (!process.argv.includes('--check')) {
  if (missing.length === 0) writeFileSync(PAGE, after)
} else if (after !== before)
  console.warn(
    'RELIABILITY.md does not say what these runs gave. Run `npm run reliability` and look at the difference.',
  )
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exitCode = 1
else console.log(`RELIABILITY.md says what the runs gave, for ${PROMISES.length} promises.`)

function evidenceOf(name: string, command: string) {
  if (!has(name)) throw new Error(`There is no report of a run. Run \`${command}\` first.`)
  const report: TestReport = read(name)
  mistakes.push(...failuresIn(report, ROOT).map((failure) => `Failed: ${failure}`))
  return evidenceIn(report, ROOT)
}

function summaries(): ReadonlyMap<RunName, string> {
  const found = RUN_NAMES.filter(has).map((name): [RunName, Summary] => [name, read(name)])
  for (const [name, { passed, line }] of found) if (!passed) mistakes.push(`Failed: ${name}: ${line}`)
  return new Map(found.map(([name, { line }]) => [name, line]))
}

function has(name: string): boolean {
  return existsSync(join(REPORTS, `${name}.json`))
}

function read(name: string) {
  return JSON.parse(readFileSync(join(REPORTS, `${name}.json`), 'utf8'))
}
