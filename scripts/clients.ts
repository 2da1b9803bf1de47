/**
 * Clients as third parties generate them from the contract: each is generated, compiled strictly, and then records events,
 * walks pages, searches, reads relationships, asks for an insight and gets a 401 and a 404 from a live service.
 * `npm run test:clients [-- python go]`
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CACHE, CONTRACT, ROOT } from './proof/paths.js'
import { writeSummary } from './proof/report.js'
import { hasCommand, mustRun } from './proof/run.js'
import { startService, UNLIMITED } from './proof/service.js'
import { goProgram, pythonWith } from './proof/tools.js'

interface ClientTest {
  /** Also the folder under test/clients that has its usage. */
  readonly name: string
  /** With its version, except where package.json has that. */
  readonly generator: string
  /** Commands that must be there, and an argument with which they only say their version. */
  readonly needs: readonly (readonly [command: string, probe: string])[]
  /** Generates, compiles and runs in a folder that has a copy of the usage. */
  run(folder: string, service: Readonly<Record<string, string>>): Promise<void>
}

const VERSIONS = {
  heyApi: '0.95.0', // The last that runs on Node 20.
  openapiPythonClient: '0.29.1',
  mypy: '2.4.1',
  oapiCodegen: 'v2.8.1',
  openapiGenerator: '7.25.0',
  mavenDependencyPlugin: '3.8.1',
}

const BIN = join(ROOT, 'node_modules/.bin')
const STRICT =
  '--ignoreConfig --strict --noEmit --target es2023 --module nodenext --types node --noUncheckedIndexedAccess --noPropertyAccessFromIndexSignature'

const typescript: ClientTest = {
  name: 'typescript',
  generator: 'openapi-typescript and openapi-fetch, and our own client',
  needs: [],
  async run(cwd, env) {
    await mustRun(join(BIN, 'openapi-typescript'), [CONTRACT, '--output', 'api.ts'], { cwd })
    const args = [...STRICT.split(' '), '--exactOptionalPropertyTypes']
    await mustRun(join(BIN, 'tsc'), [...args, 'main.ts'], { cwd })
    await mustRun(join(BIN, 'tsx'), ['main.ts'], { cwd, env })
  },
}

const heyApi: ClientTest = {
  name: 'hey-api',
  generator: `@hey-api/openapi-ts ${VERSIONS.heyApi}`,
  needs: [],
  async run(cwd, env) {
    const tool = join(CACHE, `hey-api-${VERSIONS.heyApi}`)
    const program = join(tool, 'node_modules/.bin/openapi-ts')
    await mkdir(tool, { recursive: true })
    const packages = [`@hey-api/openapi-ts@${VERSIONS.heyApi}`, 'typescript@5.9.3']
    if (!existsSync(program))
      await mustRun('npm', ['install', '--prefix', tool, '--no-save', '--no-audit', ...packages])
    await mustRun(program, ['-i', CONTRACT, '-o', 'generated', '-c', '@hey-api/client-fetch'], { cwd })
    // Its modules import each other without the ending .js.
    const args = STRICT.replace('nodenext', 'preserve --moduleResolution bundler').split(' ')
    await mustRun(join(BIN, 'tsc'), [...args, 'main.ts'], { cwd })
    await mustRun(join(BIN, 'tsx'), ['main.ts'], { cwd, env })
  },
}

const python: ClientTest = {
  name: 'python',
  generator: `openapi-python-client ${VERSIONS.openapiPythonClient}, mypy ${VERSIONS.mypy}`,
  needs: [['python3', '--version']],
  async run(cwd, env) {
    const packages = [`openapi-python-client==${VERSIONS.openapiPythonClient}`, `mypy==${VERSIONS.mypy}`]
    const bin = await pythonWith(packages)
    const settings = { cwd, env: { ...env, PATH: `${bin}:${process.env['PATH']}` } }
    const options = '--output-path loregraph_client --meta none --config config.yaml --fail-on-warning'
    const args = ['generate', '--path', CONTRACT, ...options.split(' ')]
    await mustRun(join(bin, 'openapi-python-client'), args, settings)
    await mustRun(join(bin, 'mypy'), ['--strict', '--follow-imports=silent', 'main.py'], settings)
    await mustRun(join(bin, 'python'), ['main.py'], settings)
  },
}

const go: ClientTest = {
  name: 'go',
  generator: `oapi-codegen ${VERSIONS.oapiCodegen}`,
  needs: [['go', 'version']],
  async run(cwd, env) {
    const module = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${VERSIONS.oapiCodegen}`
    const generator = await goProgram(module)
    await mkdir(join(cwd, 'loregraph'))
    const args = ['-generate', 'types,client', '-package', 'loregraph', '-o', 'loregraph/client.go', CONTRACT]
    await mustRun(generator, args, { cwd })
    const settings = { cwd, env: { ...env, GOFLAGS: '-mod=readonly' } }
    await mustRun('go', ['vet', './...'], settings)
    await mustRun('go', ['run', '.'], settings)
  },
}

const java: ClientTest = {
  name: 'java',
  generator: `openapi-generator ${VERSIONS.openapiGenerator} (java, native)`,
  needs: [
    ['java', '-version'],
    ['mvn', '--version'],
  ],
  async run(cwd, env) {
    const jar = join(CACHE, `openapi-generator-cli-${VERSIONS.openapiGenerator}.jar`)
    const copy = `org.apache.maven.plugins:maven-dependency-plugin:${VERSIONS.mavenDependencyPlugin}:copy`
    const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${VERSIONS.openapiGenerator}`
    if (!existsSync(jar))
      await mustRun('mvn', ['-q', '-B', copy, artifact, `-DoutputDirectory=${CACHE}`], { cwd: CACHE })
    const args = ['-i', CONTRACT, '-g', 'java', '-c', 'config.yaml', '-o', 'generated']
    await mustRun('java', ['-jar', jar, 'generate', ...args], { cwd })
    await mustRun('mvn', ['-q', '-B', 'process-classes'], { cwd })
    await mustRun('java', ['-cp', 'target/classes:target/dependency/*', 'Main'], { cwd, env })
  },
}

/** The slowest first, since two run at a time. */
const CLIENTS: readonly ClientTest[] = [java, go, python, heyApi, typescript]

const CONCURRENCY = 2

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => CLIENTS.every((client) => client.name !== name))
if (unknown.length > 0)
  throw new Error(
    `There is no client ${unknown.join(', ')}; there are ${CLIENTS.map(({ name }) => name).join(', ')}.`,
  )
const queue = CLIENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const passed = new Set<string>()
const service = await startService(UNLIMITED)
try {
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
} finally {
  await service.stop()
}
if (wanted.length === 0) {
  const names = CLIENTS.map(({ name }) => name).filter((name) => passed.has(name))
  writeSummary('clients', {
    passed: names.length === CLIENTS.length,
    line: `${names.length} of ${CLIENTS.length} passed: ${names.join(', ')}`,
  })
}

async function work(): Promise<void> {
  for (let client = queue.shift(); client !== undefined; client = queue.shift()) {
    const started = Date.now()
    const verdict = await test(client)
    console.log(
      `${client.name.padEnd(12)} ${client.generator}: ${verdict} (${Math.round((Date.now() - started) / 1000)} s)`,
    )
  }
}

async function test(client: ClientTest): Promise<string> {
  for (const [command, probe] of client.needs)
    if (!(await hasCommand(command, probe))) {
      // What is not on somebody's own machine is not their fault; where everything is tested, it must be there.
      if (process.env['CI'] === 'true') process.exitCode = 1
      return `NOT RUN, there is no ${command} here`
    }
  const folder = join(CACHE, 'clients', client.name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await cp(join(ROOT, 'test/clients', client.name), folder, { recursive: true })
  try {
    await client.run(folder, { BASE_URL: service.url, SECRET: service.secret })
    passed.add(client.name)
    return 'passed'
  } catch (error) {
    process.exitCode = 1
    return `FAILED\n${error instanceof Error ? error.message : error}`
  }
}
