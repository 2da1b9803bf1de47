/**
 * `npm run test:random`: tests that try random input, at a length for which `npm test` has no time. With `-- --all` in one
 * go with all other tests, and it leaves the report of `npm test`.
 */
import { spawnSync } from 'node:child_process'
import { writeSummary } from './proof/report.js'

/** All that ask `runsOf` (test/support/runs.ts). */
const FILES = [
  'test/contract/fuzz.test.ts',
  'test/domain/events/large-json.test.ts',
  'test/domain/insight/engine.test.ts',
  'test/domain/insight/properties.test.ts',
  'test/domain/trust/last-word.test.ts',
  'test/domain/trust/model.test.ts',
  'test/golden',
  'test/mcp/budget.test.ts',
  'test/model',
  'test/log/file/contract.test.ts',
  'test/log/postgres/contract.test.ts',
]

const asked = process.argv.slice(2)
const [command, args] = asked.includes('--all')
  ? ['npm', ['test']]
  : ['npx', ['vitest', 'run', ...FILES, ...asked]]
const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, RUNS: 'full' } })
writeSummary('random', {
  passed: status === 0,
  line: status === 0 ? `${FILES.length} suites passed at full length` : 'a test failed',
})
process.exitCode = status ?? 1
