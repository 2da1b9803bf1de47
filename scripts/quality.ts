/**
 * Measures answers over HTTP on the labelled sets, each graph by a service whose models have not seen it:
 * `npm run quality [-- --fit] [graphs|answers …] [--json FILE]`. `--fit` fits those models anew (some minutes).
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startProgram } from '../test/support/program.js'
import { ROOT } from './proof/paths.js'

const LEFT_OUT = '.cache/left-out.json'
const SECRET = 'a-secret-for-measuring-quality-and-nothing-else'
const MODELS_FILE = 'dist/domain/insight/models.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fit: { type: 'boolean', default: false }, json: { type: 'string' } },
})
const sets = positionals.length > 0 ? positionals : ['graphs', 'answers']
if (values.fit || !existsSync(LEFT_OUT)) {
  await mkdir('.cache', { recursive: true })
  execFileSync('npx', ['tsx', 'scripts/fit.ts', '--left-out', LEFT_OUT], { stdio: 'inherit' })
}
const models: Readonly<Record<string, object>> = JSON.parse(await readFile(LEFT_OUT, 'utf8'))
const folder = await mkdtemp(join(tmpdir(), 'loregraph-quality-'))
// The build as it is, but for the file of the models.
execFileSync('cp', ['-al', join(ROOT, 'dist'), folder])
for (const name of ['model', 'assembly', 'openapi', 'docs', 'node_modules', 'package.json'])
  await symlink(join(ROOT, name), join(folder, name))
const scorer = join(ROOT, 'scripts/quality/score.mjs')
const all: Record<string, unknown> = {}
try {
  if (sets.includes('graphs')) all['graphs'] = await rowsOf('graphs', 'insights')
  if (sets.includes('answers')) all['answers'] = await rowsOf('answers', 'answers')
} finally {
  await rm(folder, { recursive: true, force: true })
}
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(all, null, 1))

/** Scores each graph of a set, prints the report on all of them, and returns its rows. */
async function rowsOf(set: string, mode: string): Promise<unknown> {
  const rows = join(folder, `${set}.json`)
  await writeFile(rows, '[]')
  const path = join(ROOT, 'scripts/quality', set)
  for (const name of (await readdir(path)).filter((file) => file.endsWith('.json')).sort()) {
    const file = join(path, name)
    const { graph_id } = JSON.parse(await readFile(file, 'utf8'))
    await unlink(join(folder, MODELS_FILE))
    await writeFile(join(folder, MODELS_FILE), `export const MODELS = ${JSON.stringify(models[graph_id])}\n`)
    const program = startProgram(['serve', '--port', '0', '--data', join(folder, `data-${graph_id}`)], {
      command: [process.execPath, join(folder, 'dist/main.js')],
      env: { LOREGRAPH_SECRET: SECRET, LOREGRAPH_RATE_LIMIT: 'off', LOREGRAPH_LOG_LEVEL: 'error' },
      showErrors: true,
    })
    const service = ['--url', await program.url, '--secret', SECRET]
    execFileSync(process.execPath, [scorer, mode, ...service, '--rows', rows, '--json', rows, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await program.stop()
  }
  execFileSync(process.execPath, [scorer, mode, '--rows', rows], { stdio: 'inherit' })
  return JSON.parse(await readFile(rows, 'utf8'))
}
