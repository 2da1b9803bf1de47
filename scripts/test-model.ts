/** `npm run test:model -- --runs 2000 [--seed N]`: the model suite, for as long as one likes. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { writeSummary } from './proof/report.js'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '2000' }, seed: { type: 'string' } },
})
const { status } = spawnSync('npx', ['vitest', 'run', 'test/model'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    MODEL_RUNS: values.runs,
    ...(values.seed !== undefined && { MODEL_SEED: values.seed }),
  },
})
writeSummary('model', {
  passed: status === 0,
  line: `${values.runs} runs of each store, ${status === 0 ? 'none' : 'one'} unlike the model`,
})
process.exitCode = status ?? 1
