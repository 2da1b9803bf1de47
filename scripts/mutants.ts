/**
 * `npm run test:mutants [-- part of a name]`: plants one bug after the other in a copy of the project and runs the tests
 * that are to see it. A bug that they do not see, or that no longer fits the source, is an error.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { PostgresServer } from '../test/support/postgres-server.js'
import { Lane } from './mutants/lane.js'
import { copyOfProject, planted } from './mutants/plant.js'
import { MUTANTS, type Mutant } from './mutants/table.js'
import { ROOT } from './proof/paths.js'
import { writeSummary } from './proof/report.js'

const chosen = MUTANTS.filter(({ name }) => name.includes(process.argv[2] ?? ''))
const misfits = chosen.flatMap(misfitOf)
if (misfits.length > 0) {
  console.error(misfits.join('\n'))
  process.exit(1)
}
const server = await PostgresServer.create()
const lanes: Lane[] = []
try {
  while (lanes.length < availableParallelism()) lanes.push(new Lane(copyOfProject(), server.url()))
  const started = performance.now()
  const waiting = [...chosen]
  const survivors: Mutant[] = []
  await Promise.all(
    lanes.map(async (lane) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift())
        if (!(await isKilled(mutant, lane))) survivors.push(mutant)
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
  await Promise.all(lanes.map((lane) => lane.close()))
  for (const { copy } of lanes) rmSync(copy, { recursive: true, force: true })
  await server.remove()
}

async function isKilled(mutant: Mutant, lane: Lane): Promise<boolean> {
  const by = await planted(lane.copy, mutant, () => lane.failing(mutant))
  console.log(by === undefined ? `SURVIVED  ${mutant.name}` : `killed    ${mutant.name}  (${by})`)
  return by !== undefined
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
