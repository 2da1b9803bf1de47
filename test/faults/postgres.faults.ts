import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { openStore } from '../support/postgres.js'
import { PostgresServer } from '../support/postgres-server.js'
import type { Program } from '../support/program.js'
import { Ledger } from './support/ledger.js'
import { createClient, sleep, startService } from './support/service.js'

const WRITERS = 8

/** Writes one event after the other until told to stop; refused ones are sent no second time. */
async function write(
  ledger: Ledger,
  url: string,
  name: string,
  isOver: () => boolean,
  statuses: Set<number>,
) {
  const client = createClient(url)
  while (!isOver()) {
    const { status } = await ledger.send(client, name)
    statuses.add(status)
    if (status !== 201) await sleep(20)
  }
  client.close()
}

async function start(server: PostgresServer): Promise<{ service: Program; url: string }> {
  const service = startService(temporaryFolder(), [], {
    DATABASE_URL: server.url(),
    LOREGRAPH_RATE_LIMIT: 'off',
  })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  return { service, url: await service.url }
}

test('two processes on one database, 8 writers each, one killed with -9 and the database crashed meanwhile: none lost, none doubled', async () => {
  // Durable, since the database is made to crash.
  const server = await PostgresServer.create([])
  onTestFinished(() => server.remove())
  const [one, two] = [await start(server), await start(server)]
  const ledger = new Ledger()
  const statuses = new Set<number>()
  let isOver = false
  const writing = [one, two].flatMap(({ url }, process) =>
    Array.from({ length: WRITERS }, (_, i) => write(ledger, url, `p${process}w${i}`, () => isOver, statuses)),
  )
  await sleep(2000)
  await server.stop('SIGQUIT')
  await sleep(500)
  await server.start()
  await sleep(2000)
  const before = ledger.acknowledged
  one.service.child.kill('SIGKILL')
  await sleep(2000)
  await server.stop('SIGINT')
  await server.start()
  await sleep(2000)
  isOver = true
  await Promise.all(writing)
  const store = await openStore(server.url())
  onTestFinished(() => store.close())
  await ledger.settleIn(store)
  // The one that is left went on by itself.
  expect(two.service.child.exitCode).toBe(null)
  expect(ledger.acknowledged).toBeGreaterThan(before)
  // 503 only where a request began while the database was away; one that was under way waits until it is back.
  for (const status of statuses) expect([0, 201, 503]).toContain(status)
  expect((await two.service.stop()).code).toBe(0)
})
