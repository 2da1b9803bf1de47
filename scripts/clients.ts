/**
 * Clients as third parties generate them from the contract: each is generated, compiled strictly, and then records events,
 * walks pages, searches, reads relationships, asks for an insight and gets a 401 and a 404 from a live service.
 * `npm run test:clients [-- python go]`
 */
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CLIENTS, type ClientTest } from './proof/clients.js'
import { CACHE, ROOT } from './proof/paths.js'
import { writeSummary } from './proof/report.js'
import { hasCommand } from './proof/run.js'
import { startService, UNLIMITED } from './proof/service.js'

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
