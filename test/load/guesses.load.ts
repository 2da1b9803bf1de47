import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Asker, percentile, type Sample } from '../faults/support/load.js'
import { createClient, SECRET, startService } from '../faults/support/service.js'
import { tell } from '../faults/support/tell.js'
import { temporaryFolder } from '../support/folder.js'
import { createDatabase, describePostgres, type TestDatabase } from '../support/postgres.js'
import { expectBelow } from '../support/quick.js'

const FLOOD = fileURLToPath(new URL('../support/flood.mjs', import.meta.url))
const SECONDS = 4
/** Until all connections of a flood are there, or gone. */
const SETTLE_MS = 1_500
const MAX_TIMES = 2
const ITEMS = 20

const FLOODS = [
  [60, 4],
  [450, 4],
  [40, 80],
] as const
const PROMISE =
  'C12: %i connections with %i invented secrets each keep a key waiting no longer than with one wrong secret, and nobody gets 503'

test.each(FLOODS)(PROMISE, compare({}))

describePostgres('on PostgreSQL', () => {
  let database: TestDatabase
  const env: Record<string, string> = {}
  beforeAll(async () => {
    database = await createDatabase()
    env['DATABASE_URL'] = database.url
  })
  afterAll(() => database.drop())

  test.each(FLOODS)(PROMISE, compare(env))
})

function compare(env: Readonly<Record<string, string>>) {
  return async (connections: number, depth: number) => {
    const service = await serviceWithKey(env)
    await expectBelow(MAX_TIMES, async () => {
      const one = await service.answersUnder(connections, depth, 'one')
      const invented = await service.answersUnder(connections, depth, 'invented')
      const told = ({ p50, p99, statuses }: typeof one) =>
        `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${statuses}`
      tell('C12', `${connections} × ${depth}: one secret ${told(one)}; invented ones ${told(invented)}`)
      expect(invented.statuses).toEqual([200])
      return invented.p50 / one.p50
    })
    await service.stop()
  }
}

async function serviceWithKey(env: Readonly<Record<string, string>>) {
  const settings = { LOREGRAPH_LOG_LEVEL: 'error', LOREGRAPH_MEANING: 'off', ...env }
  const service = startService(temporaryFolder(), [], settings)
  const url = await service.url
  const port = Number(new URL(url).port)
  const client = createClient(url)
  for (let i = 0; i < ITEMS; i++) await client.record('g', `skill:topic_${i}`, `Topic ${i}`)
  const { secret } = JSON.parse((await client.post('/v1/keys', { name: 'reader', scopes: ['read'] })).body)
  client.close()
  const list = (of: string) =>
    new Asker(port, [`GET /v1/contexts/g/skill?page_size=${ITEMS} HTTP/1.1`, `Authorization: Bearer ${of}`])
  return {
    /** How the key and the root are answered while all requests of a flood have one wrong secret, or another each. */
    async answersUnder(connections: number, depth: number, secrets: 'one' | 'invented') {
      const [ofKey, ofRoot] = [list(secret), list(SECRET)]
      // A key is known once its secret has been good.
      for (const asker of [ofKey, ofRoot]) expect((await asker.ask()).status).toBe(200)
      const flood = fork(FLOOD, [port, connections, depth, secrets].map(String), { execArgv: [] })
      await sleep(SETTLE_MS)
      const [samples, more] = await Promise.all([inTurn(ofKey), inTurn(ofRoot)])
      flood.kill()
      for (const asker of [ofKey, ofRoot]) asker.close()
      await sleep(SETTLE_MS)
      const statuses = [...new Set([...samples, ...more].map(({ status }) => status))]
      return { statuses, p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) }
    },
    stop: () => service.stop(),
  }
}

/** One request after the other, on one connection. */
async function inTurn(asker: Asker): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const until = performance.now() + 1000 * SECONDS; performance.now() < until; await sleep(10))
    samples.push(await asker.ask())
  return samples
}
