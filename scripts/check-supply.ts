/**
 * What the package brings with it: every production dependency has a licence that we allow, comes with its hash in the
 * lockfile and from no other place than the registry, and needs no script to be installed.
 *
 *   npm run check:supply [-- --sbom sbom.cdx.json]
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { ROOT } from './proof/paths.js'
import { type Installed, type Locked, mistakesOf } from './supply/rules.js'

const run = promisify(execFile)
const MAX_OUTPUT = 64 * 1024 ** 2

const { values } = parseArgs({ options: { sbom: { type: 'string' } } })
const lock = readJson<{ packages: Record<string, Locked> }>('package-lock.json')
const production = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true)
const mistakes = production.flatMap(([path, locked]) => mistakesOf(path, locked, installed(path)))
for (const mistake of mistakes) console.error(mistake)
console.log(`${production.length} production packages, ${mistakes.length} mistakes`)
console.log(countLicences())
const signed = await checkSignatures()
if (values.sbom !== undefined) await writeSbom(values.sbom)
if (mistakes.length > 0 || !signed) process.exitCode = 1

/** What lies in node_modules; undefined for what was left out on this platform. */
function installed(path: string): Installed | undefined {
  try {
    return readJson<Installed>(`${path}/package.json`)
  } catch {
    return undefined
  }
}

function countLicences(): string {
  const counts = new Map<string, number>()
  for (const [path, { license }] of production) {
    const name = license ?? installed(path)?.licenses?.[0]?.type ?? 'none stated'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
}

/** Registries sign what they serve, if they are npm's; another one, or none in reach, is said aloud. */
async function checkSignatures(): Promise<boolean> {
  try {
    const { stdout } = await run('npm', ['audit', 'signatures', '--omit=dev'], {
      cwd: ROOT,
      timeout: 120_000,
    })
    console.log(stdout.trim())
    return true
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const wrong = /\d+ packages? ha(s|ve) (an )?(invalid|missing)/.test(stdout + stderr)
    if (wrong) console.error(stdout + stderr)
    else console.warn(`NOT RUN: npm audit signatures. The registry does not answer it:\n${stderr.trim()}`)
    return !wrong
  }
}

interface Sbom {
  readonly components: readonly {
    readonly 'bom-ref': string
    readonly name: string
    readonly version: string
  }[]
  readonly dependencies: readonly { readonly ref: string }[]
}

/** CycloneDX by npm, whose own `--omit=dev` also leaves out what development and production have in common. */
async function writeSbom(file: string): Promise<void> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const { stdout } = await run('npm', args, { cwd: ROOT, maxBuffer: MAX_OUTPUT })
  const whole: Sbom = JSON.parse(stdout)
  const shipped = new Set(production.map(([path, { version }]) => `${nameOf(path)}@${version}`))
  const components = whole.components.filter(({ name, version }) => shipped.has(`${name}@${version}`))
  const left = new Set(
    whole.components.filter((it) => !components.includes(it)).map(({ 'bom-ref': ref }) => ref),
  )
  const dependencies = whole.dependencies.filter(({ ref }) => !left.has(ref))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ ...whole, components, dependencies }, null, 2))
  console.log(`${components.length} components in ${file}`)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, `file://${ROOT}`), 'utf8'))
}
