/**
 * Compares the contract with the last released one, openapi/released/openapi-<version>.yaml, and fails when something
 * that clients rely on has changed without the version saying so. `npm run check:breaking`
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CONTRACT, ROOT } from './proof/paths.js'
import { writeSummary } from './proof/report.js'
import { run } from './proof/run.js'
import { goProgram } from './proof/tools.js'

const OASDIFF = 'github.com/oasdiff/oasdiff@v1.32.1'
const RELEASED = join(ROOT, 'openapi/released')
/** Changes of the contract that would break clients: what it is, what to replace, with what. */
const BREAKS: readonly (readonly [name: string, from: string | RegExp, to: string])[] = [
  ['an operation is gone', /\n {2}\/v1\/memories\/insights:\n[\s\S]*?(?=\n {2}\/v1\/memories:\n)/, ''],
  [
    'a field of an answer is gone',
    / {8}recommendation:\n {10}type: string\n {10}description: \|\n(?: {12}.*\n)+ {10}maxLength: 8000\n/,
    '',
  ],
  [
    'a field that was promised no longer is',
    'required: [insight, recommendation, confidence]',
    'required: [insight]',
  ],
  ['a field of a request is now required', 'required: [task, graph_id]', 'required: [task, graph_id, limit]'],
  [
    'a value is no longer taken',
    'enum: [agent, user, system, validator, executor]',
    'enum: [agent, user, system]',
  ],
  ['a bound is tighter', 'minimum: 1, maximum: 500, default: 100', 'minimum: 1, maximum: 50, default: 50'],
  ['a path is called otherwise', '/v1/events/batch:', '/v1/events/many:'],
]

const oasdiff = await goProgram(OASDIFF)
const contract = await readFile(CONTRACT, 'utf8')
const last = await lastReleased()
const changes = await breakingChanges(last.file, CONTRACT)
const now = String(parse(contract).info.version)
if (changes === undefined) console.log(`Nothing that clients of ${last.version} rely on has changed.`)
else if (allowsBreaking(last.version, now))
  console.log(`${now} breaks clients of ${last.version}, as its version number allows.\n${changes}`)
else {
  console.error(
    `${changes}\nThis breaks clients of ${last.version}. Change it back, or raise the version (now ${now}).`,
  )
  process.exitCode = 1
}
await checkThatBreaksAreSeen()
const verdict =
  changes === undefined ? 'nothing that clients of it rely on has changed' : 'clients of it break'
writeSummary('breaking', {
  passed: process.exitCode !== 1,
  line: `beside ${last.version}: ${verdict}; ${BREAKS.length} planted changes seen`,
})

/** What breaks clients, in the words of oasdiff; undefined if nothing does. */
async function breakingChanges(before: string, after: string): Promise<string | undefined> {
  const { code, output } = await run(oasdiff, ['breaking', '--fail-on', 'WARN', before, after])
  if (code > 1) throw new Error(`oasdiff ended with ${code}: ${output}`)
  return code === 1 ? output : undefined
}

async function lastReleased() {
  const names = (await readdir(RELEASED)).flatMap(
    (name) => /^openapi-(\d+\.\d+\.\d+)\.yaml$/.exec(name)?.[1] ?? [],
  )
  const version = names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  if (version === undefined) throw new Error('There is no released contract to compare with.')
  return { version, file: join(RELEASED, `openapi-${version}.yaml`) }
}

/** By semantic versioning: a new major version may break clients, and before 1.0.0 a new minor version too. */
function allowsBreaking(before: string, after: string): boolean {
  const [major = 0, minor = 0] = before.split('.').map(Number)
  const [newMajor = 0, newMinor = 0] = after.split('.').map(Number)
  return newMajor > major || (newMajor === 0 && major === 0 && newMinor > minor)
}

/** Each of these changes of the contract must be called breaking. */
async function checkThatBreaksAreSeen(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-breaking-'))
  try {
    for (const [name, from, to] of BREAKS) {
      const broken = contract.replace(from, to)
      if (broken === contract) throw new Error(`The planted change "${name}" no longer applies.`)
      const file = join(folder, 'openapi.yaml')
      await writeFile(file, broken)
      if ((await breakingChanges(CONTRACT, file)) === undefined)
        throw new Error(`oasdiff does not see "${name}".`)
    }
    console.log(`Each of ${BREAKS.length} planted breaking changes was seen.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
