/** Every Arazzo workflow against the built service, with `redocly respect`. `npm run test:workflows [-- --verbose]` */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './proof/paths.js'
import { writeSummary } from './proof/report.js'
import { run } from './proof/run.js'
import { startService, UNLIMITED } from './proof/service.js'

const FOLDER = join(ROOT, 'openapi/workflows')
const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.arazzo.yaml')).sort()
const files = [join(ROOT, 'openapi/quickstart.arazzo.yaml'), ...names.map((name) => join(FOLDER, name))]

const service = await startService(UNLIMITED)
const { code, output } = await run(
  join(ROOT, 'node_modules/.bin/redocly'),
  ['respect', ...files, '--server', `loregraph=${service.url}`, ...process.argv.slice(2)],
  {
    cwd: ROOT,
    // By environment rather than as an argument, which other processes could read.
    env: { REDOCLY_CLI_RESPECT_INPUT: `secret=${service.secret}` },
  },
).finally(() => service.stop())
console.log(output)
writeSummary('workflows', {
  passed: code === 0,
  line:
    code === 0
      ? `${files.length} of ${files.length} workflows passed`
      : `of ${files.length} workflows, not all passed`,
})
if (code !== 0) process.exitCode = 1
