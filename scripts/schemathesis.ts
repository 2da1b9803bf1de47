/**
 * Every operation of the contract against the built service, with Schemathesis: once with a fixed seed and once with
 * another that is printed. `npm run test:schemathesis [-- --seed 42] [-- --max-examples 500]`
 */
import { randomInt } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CACHE, CONTRACT, ROOT } from './proof/paths.js'
import { writeSummary } from './proof/report.js'
import { run } from './proof/run.js'
import {
  declaredLinks,
  ends,
  FEWEST_CASES,
  failures,
  followedLinks,
  shortcomings,
} from './proof/schemathesis-summary.js'
import { startService, UNLIMITED } from './proof/service.js'
import { pythonWith } from './proof/tools.js'

const VERSION = '4.32.5'
const FIXED_SEED = 20_260_302
const MORE_ROUNDS = 8
const FOLDER = join(ROOT, 'test/schemathesis')
const REPORTS = join(CACHE, 'schemathesis-reports')

const { values } = parseArgs({
  options: { seed: { type: 'string' }, 'max-examples': { type: 'string' } },
})
const seeds = [FIXED_SEED, values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)]
const schemathesis = join(await pythonWith([`schemathesis==${VERSION}`]), 'st')
await mkdir(REPORTS, { recursive: true })
const followed = new Set<string>()
// Each seed has a service of its own, so that both can use a processor each.
const mistakes = await Promise.all(seeds.map((seed) => runWith(seed, [])))
// Which links a run follows is left to chance; what both have missed gets runs of its own, without the rest.
const links = declaredLinks(await readFile(CONTRACT, 'utf8'))
const missed = () => links.filter((link) => !followed.has(link))
for (let round = 0; round < MORE_ROUNDS && missed().length > 0; round++) {
  const only = [...new Set(missed().flatMap(ends))].map((operation) => `--include-name=${operation}`)
  mistakes.push(await runWith(randomInt(2 ** 31), ['--phases=stateful', ...only]))
}
console.log(`${links.length - missed().length} of ${links.length} links were followed.`)
for (const link of missed()) console.log(`Not followed: ${link}`)
const isProof = mistakes.flat().length === 0 && missed().length === 0
if (!isProof) process.exitCode = 1
writeSummary('schemathesis', {
  passed: isProof,
  // Not the number of cases, which differs from seed to seed.
  line: isProof
    ? `${seeds.length} seeds, at least ${FEWEST_CASES} cases each: every phase passed, ${links.length} of ${links.length} links followed`
    : `failed: ${mistakes.flat().join('; ') || `${missed().length} of ${links.length} links not followed`}`,
})

async function runWith(seed: number, more: readonly string[]): Promise<readonly string[]> {
  const started = Date.now()
  const report = join(REPORTS, `events-${seed}.ndjson`)
  const service = await startService(UNLIMITED)
  const args = [
    `--config-file=${join(FOLDER, 'schemathesis.toml')}`,
    ...['run', CONTRACT, `--seed=${seed}`, '--no-color', '--report=junit,ndjson'],
    ...(values['max-examples'] === undefined ? [] : [`--max-examples=${values['max-examples']}`]),
    `--report-junit-path=${join(REPORTS, `junit-${seed}.xml`)}`,
    `--report-ndjson-path=${report}`,
    ...more,
  ]
  const env = { BASE_URL: service.url, SECRET: service.secret, PYTHONPATH: FOLDER }
  const { code, output } = await run(schemathesis, args, { cwd: FOLDER, env }).finally(() => service.stop())
  console.log(output)
  for (const link of followedLinks(await readFile(report, 'utf8'))) followed.add(link)
  const found = more.length === 0 ? shortcomings(code, output) : failures(output)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`Seed ${seed}, ${seconds} s: ${found.length === 0 ? 'all is well' : found.join('; ')}`)
  if (found.length > 0) console.log(`Again: npm run test:schemathesis -- --seed ${seed}`)
  return found
}
