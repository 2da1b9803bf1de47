import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { PostgresServer } from '../support/postgres-server.js'
import type { Program } from '../support/program.js'
import { Fates } from './support/fates.js'
import { scaled } from './support/scale.js'
import { createClient, sleep, startService } from './support/service.js'
import { tell } from './support/tell.js'

const ROUNDS = scaled(9, 200)
const WRITERS = 3
/** A graph for so many rounds: to settle a large one takes long. */
const ROUNDS_PER_GRAPH = 10
/** So that journals are compacted every other moment. */
const PADDING = 50_000
const MEANING_OFF = { LOREGRAPH_MEANING: 'off', LOREGRAPH_RATE_LIMIT: 'off' }

async function start(folder: string, env: Record<string, string>): Promise<Program> {
  const service = startService(folder, [], { ...MEANING_OFF, ...env })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  await service.url
  return service
}

/** Writers on each service, until the fault has struck. */
async function writeUntil(services: readonly Program[], fates: Fates, fault: () => Promise<void>) {
  let isOver = false
  const writing = services.map(async ({ url }) => {
    const client = createClient(await url)
    await Promise.all(Array.from({ length: WRITERS }, () => fates.work(client, () => isOver)))
    client.close()
  })
  await sleep(100 + Math.random() * 600)
  await fault()
  isOver = true
  await Promise.all(writing)
}

async function settle(service: Program, fates: Fates): Promise<void> {
  const client = createClient(await service.url)
  await fates.settle(client)
  client.close()
}

test(`PostgreSQL: ${ROUNDS} times a process killed with -9, its connections ended or the server restarted at once, while two processes record and erase: what was acknowledged is there once, what was not is whole or absent`, async () => {
  const server = await PostgresServer.create([])
  onTestFinished(() => server.remove())
  const env = { DATABASE_URL: server.url() }
  const services = [await start(temporaryFolder(), env), await start(temporaryFolder(), env)]
  const all: Fates[] = []
  for (let round = 0; round < ROUNDS; round++) {
    if (round % ROUNDS_PER_GRAPH === 0) all.push(new Fates(`g${round}`))
    const fates = all.at(-1) as Fates
    await writeUntil(services, fates, async () => {
      if (round % 3 === 0) await services[0]?.stop('SIGKILL')
      else if (round % 3 === 1) await endConnections(server.url())
      else {
        await server.stop('SIGQUIT')
        await server.start()
      }
    })
    if (round % 3 === 0) services[0] = await start(temporaryFolder(), env)
    await settle(services[round % 2] as Program, fates)
  }
  tellOf('D23', all)
})

test(`files: ${ROUNDS} times killed with -9 while it records, erases and compacts: the same`, async () => {
  const folder = temporaryFolder()
  const all: Fates[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const service = await start(folder, {})
    const before = all.at(-1)
    if (before !== undefined) await settle(service, before)
    if (round % ROUNDS_PER_GRAPH === 0) all.push(new Fates(`g${round}`, PADDING))
    const fates = all.at(-1) as Fates
    await writeUntil([service], fates, async () => void (await service.stop('SIGKILL')))
  }
  const service = await start(folder, {})
  await settle(service, all.at(-1) as Fates)
  expect((await service.stop()).code).toBe(0)
  tellOf('D1', all)
})

async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'loregraph'`,
  )
  await client.end()
}

function tellOf(row: string, all: readonly Fates[]): void {
  const sum = (pick: (fates: Fates) => number) => all.reduce((total, fates) => total + pick(fates), 0)
  const [acknowledged, erased] = [sum((fates) => fates.acknowledged), sum((fates) => fates.erased)]
  expect(acknowledged).toBeGreaterThan(ROUNDS)
  tell(row, `${ROUNDS} faults, ${acknowledged} events acknowledged, ${erased} of them erased`)
}
