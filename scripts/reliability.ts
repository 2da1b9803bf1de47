/**
 * `npm run reliability` writes what the last runs gave into RELIABILITY.md: `npm test`, `npm run test:e2e`, `test:load`,
 * `test:faults` and the runs of their own. Rows that were not run keep what the page says. `--check` fails when a
 * promise was not run, when a test failed, or when a link leads nowhere, and says so when the page says something else.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './proof/paths.js'
import { REPORTS, type Summary } from './proof/report.js'
import { linksIn, withResults } from './reliability/page.js'
import { evidenceIn, failuresIn, relative, type TestReport } from './reliability/reports.js'

const PAGE = join(ROOT, 'RELIABILITY.md')
const isCheck = process.argv.includes('--check')
const mistakes: string[] = []

const reports = ['tests', 'e2e', 'load', 'faults-short'].flatMap(reportOf)
const full = reportOf('faults-full')
const evidence = evidenceIn(reports, ROOT)
const reported = new Set(
  reports.flatMap(({ testResults }) => testResults.map(({ name }) => relative(name, ROOT))),
)
const before = readFileSync(PAGE, 'utf8')
const { page, rows } = withResults(before, {
  evidence,
  full: evidenceIn(full, ROOT),
  covers: (file) => reported.has(file) || !existsSync(join(ROOT, file)),
  summaryOf,
})

for (const failure of [...reports, ...full].flatMap((report) => failuresIn(report, ROOT)))
  mistakes.push(`Failed: ${failure}`)
for (const { id, isProven } of rows) if (!isProven) mistakes.push(`No test proves ${id}.`)
for (const link of linksIn(page))
  if (!existsSync(join(ROOT, link))) mistakes.push(`The link to ${link} leads nowhere.`)
for (const id of evidence.keys())
  if (!rows.some((row) => row.id === id))
    mistakes.push(`A test names ${id}, which nothing is promised under.`)
const notRun = rows.filter(({ isCounted }) => !isCounted).map(({ id }) => id)
if (notRun.length > 0) {
  const sentence = `Not run, or not all of it: ${notRun.join(', ')}.`
  if (isCheck) mistakes.push(sentence)
  else console.warn(`${sentence} The page keeps what it says of them.`)
}

if (!isCheck) writeFileSync(PAGE, page)
else if (page !== before)
  console.warn(
    'RELIABILITY.md does not say what these runs gave. Run `npm run reliability` and look at the difference.',
  )
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exitCode = 1
else console.log(`RELIABILITY.md says what the runs gave, for ${rows.length - notRun.length} promises.`)

function reportOf(name: string): TestReport[] {
  return has(name) ? [read(name)] : []
}

/** `npm run test:clients` leaves `clients.json`. */
function summaryOf(command: string): string | undefined {
  const name = /:([\w:]+)`$/.exec(command)?.[1]?.replaceAll(':', '-') ?? command
  if (!has(name)) return undefined
  const { passed, line }: Summary = read(name)
  if (!passed) mistakes.push(`Failed: ${name}: ${line}`)
  return line
}

function has(name: string): boolean {
  return existsSync(join(REPORTS, `${name}.json`))
}

function read(name: string) {
  return JSON.parse(readFileSync(join(REPORTS, `${name}.json`), 'utf8'))
}
