/**
 * `npm run test:mutants [-- part of a name]`: plants one bug after the other in a copy of the project and runs the fast
 * tests. A bug that no test sees, or that no longer fits the source, is an error.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MUTANTS, type Mutant } from './mutants/table.js'
import { ROOT } from './proof/paths.js'
import { writeSummary } from './proof/report.js'

const chosen = MUTANTS.filter(({ name }) => name.includes(process.argv[2] ?? ''))
const misfits = chosen.flatMap(misfitOf)
if (misfits.length > 0) {
  console.error(misfits.join('\n'))
  process.exit(1)
}
const copy = mkdtempSync(join(tmpdir(), 'loregraph-mutants-'))
try {
  for (const file of filesOfProject()) cpSync(join(ROOT, file), join(copy, file))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const started = performance.now()
  const survivors = chosen.filter((mutant) => !isKilled(mutant))
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
  rmSync(copy, { recursive: true, force: true })
}

function filesOfProject(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed.split('\0').filter((file) => file !== '' && file !== 'node_modules')
}

function isKilled(mutant: Mutant): boolean {
  const path = join(copy, mutant.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, source.split(mutant.find).join(mutant.replace))
  try {
    const by = failing(mutant.tests) ?? failing([])
    console.log(by === undefined ? `SURVIVED  ${mutant.name}` : `killed    ${mutant.name}  (${by})`)
    return by !== undefined
  } finally {
    writeFileSync(path, source)
  }
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

/** The first test that fails, if one does. No tests named means all of them. */
function failing(tests: readonly string[]): string | undefined {
  const args = ['vitest', 'run', '--bail', '1', '--reporter', 'json', ...tests]
  const { stdout, status } = spawnSync('npx', args, { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status === 0) return undefined
  const report: Report = JSON.parse(stdout.slice(stdout.indexOf('{')))
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = results.find((result) => result.status === 'failed')
  // A file that cannot even be loaded has no results of its own.
  return failed?.fullName ?? report.testResults.find((result) => result.status === 'failed')?.name
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}
