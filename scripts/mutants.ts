/**
 * `npm run test:mutants [-- part of a name]`: plants one bug after the other in a copy of the project and runs the tests
 * that are to see it. A bug that they do not see, or that no longer fits the source, is an error.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { PostgresServer } from '../test/support/postgres-server.js'
import { copyOfProject, planted } from './mutants/plant.js'
import { MUTANTS, type Mutant } from './mutants/table.js'
import { ROOT } from './proof/paths.js'
import { writeSummary } from './proof/report.js'
import { run } from './proof/run.js'
import { failuresIn, NOT_RUN } from './reliability/reports.js'

const VITEST = join(ROOT, 'node_modules/.bin/vitest')

const chosen = MUTANTS.filter(({ name }) => name.includes(process.argv[2] ?? ''))
const misfits = chosen.flatMap(misfitOf)
if (misfits.length > 0) {
  console.error(misfits.join('\n'))
  process.exit(1)
}
const server = await PostgresServer.create()
const copies: string[] = []
try {
  while (copies.length < availableParallelism()) copies.push(copyOfProject())
  const started = performance.now()
  const waiting = [...chosen]
  const survivors: Mutant[] = []
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift())
        if (!(await isKilled(mutant, copy))) survivors.push(mutant)
    }),
  )
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`\n${chosen.length - survivors.length} of ${chosen.length} killed in ${seconds} s`)
  for (const { name } of survivors) console.log(`survived: ${name}`)
  if (chosen.length === MUTANTS.length)
    writeSummary('mutants', {
      passed: survivors.length === 0,
      line: `${chosen.length - survivors.length} of ${chosen.length} planted bugs killed`,
    })
  process.exitCode = survivors.length === 0 && chosen.length > 0 ? 0 : 1
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
  await server.remove()
}

async function isKilled(mutant: Mutant, copy: string): Promise<boolean> {
  const by = await planted(copy, mutant, () => failing(mutant, copy))
  console.log(by === undefined ? `SURVIVED  ${mutant.name}` : `killed    ${mutant.name}  (${by})`)
  return by !== undefined
}

/** The first test that fails of those named for the bug, if one does. */
async function failing({ tests, title }: Mutant, copy: string): Promise<string | undefined> {
  const report = join(copy, 'report.json')
  const args = [
    'run',
    '--config=scripts/mutants/vitest.config.ts',
    '--reporter=json',
    `--outputFile=${report}`,
  ]
  const only = title === undefined ? [] : [`--testNamePattern=${title}`]
  const env = { TEST_DATABASE_URL: server.url() }
  rmSync(report, { force: true })
  const { code, output } = await run(VITEST, [...args, ...only, ...tests], { cwd: copy, env })
  if (code === 0) return undefined
  const [failure] = failuresIn(JSON.parse(readFileSync(report, 'utf8')), copy)
  // The first failure ends all else, at times before it is noted which one it was.
  if (failure?.endsWith(NOT_RUN)) throw new Error(output)
  return failure ?? `one of ${tests.join(', ')}`
}

/** Why a bug cannot be planted, and which files name its function. */
function misfitOf({ name, file, function: within, find }: Mutant): string[] {
  const source = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : ''
  const times = source.split(find).length - 1
  if (times === 1) return []
  const { stdout } = spawnSync('git', ['grep', '-lw', '-e', within, '--', 'src'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const where = stdout.trim().replaceAll('\n', ', ') || 'no file'
  return [
    `"${name}" no longer fits: its text is ${times} times in ${file}. Look for ${within}, which ${where} names.`,
  ]
}
