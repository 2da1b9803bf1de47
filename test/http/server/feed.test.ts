import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.js'
import { type Feed, openFeed } from '../../support/feed.js'
import { followBesideWriters } from '../../support/feed-battery.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../support/postgres.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const KILLS = 8

describe('a feed of a store on files', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ heartbeatMs: 500 })
  })
  afterAll(() => server.stop())

  test(`eight writers, and a reader that is cut off ${KILLS} times: every statement once, in order`, async () => {
    const { statements } = await followBesideWriters(server, server, 'cut', KILLS)
    expect(statements).toBeGreaterThan(KILLS)
  }, 120_000)

  test('a restart in between', async () => {
    await record(server, 'restarted', 'one')
    const feed = await open(server, 'restarted')
    await feed.until(1)
    await server.restart()
    await feed.ended
    await record(server, 'restarted', 'two')
    const resumed = await open(server, 'restarted', '?after=1')
    await resumed.until(1)
    expect(resumed.places).toEqual([2])
    resumed.kill()
  })

  test('a key follows at most 100 times at once; one that ends makes room', async () => {
    await record(server, 'many', 'one')
    const { secret } = await server.key({ scopes: ['read'] })
    const follow = () => openFeed({ port: server.port, secret, graph: 'many' })
    const feeds = await Promise.all(Array.from({ length: 100 }, follow))
    expect(new Set(feeds.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await server.call('/v1/graphs/many/feed', {
      headers: { Authorization: `Bearer ${secret}` },
    })
    expect([refused.status, refused.body['code']]).toEqual([429, 'too_many_requests'])
    expect(refused.body['detail']).toContain('100')
    // Other requests of the key go on, and so do other keys.
    const other = await server.call('/v1/contexts/many', { headers: { Authorization: `Bearer ${secret}` } })
    expect(other.status).toBe(200)
    const root = await open(server, 'many')
    expect(root.status).toBe(200)
    feeds[0]?.kill()
    await expect
      .poll(
        async () => {
          const feed = await follow()
          feed.kill()
          return feed.status
        },
        { timeout: 30_000 },
      )
      .toBe(200)
    for (const feed of [...feeds, root]) feed.kill()
  })
})

test('followers take no room of others, and end when the service stops, long before the deadline', async () => {
  const server = await startTestServer({ admissionLimits: { waitMs: 60_000, underWay: 20 } })
  try {
    await record(server, 'g', 'one')
    // One by one: only some of a crowd that arrives at once are admitted.
    const feeds: Awaited<ReturnType<typeof open>>[] = []
    while (feeds.length < 40) feeds.push(await open(server, 'g'))
    expect(new Set(feeds.map(({ status }) => status))).toEqual(new Set([200]))
    for (const feed of feeds) await feed.until(1)
    expect((await server.call('/v1/contexts/g')).status).toBe(200)
    const started = performance.now()
    await Promise.all([server.drain(8_000), ...feeds.map(({ ended }) => ended)])
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(server.lines.filter((line) => Number(line['level']) >= 50)).toEqual([])
  } finally {
    await server.stop()
  }
}, 120_000)

describePostgres('a feed of PostgreSQL', () => {
  let database: TestDatabase
  let stores: readonly [Store, Store]
  let servers: readonly [TestServer, TestServer]
  beforeAll(async () => {
    database = await createDatabase()
    stores = [await openStore(database.url), await openStore(database.url)]
    const [one, two] = stores
    servers = [
      await startTestServer({ store: one, heartbeatMs: 500 }),
      await startTestServer({ store: two, heartbeatMs: 500 }),
    ]
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
    for (const store of stores) await store.close()
    await database.drop()
  })

  test(`eight writers, and a reader that is cut off ${KILLS} times: every statement once, in order`, async () => {
    await followBesideWriters(servers[0], servers[0], 'cut', KILLS)
  }, 120_000)

  test('another process records and erases: it is told within some seconds', async () => {
    const [here, there] = servers
    await record(there, 'g', 'one')
    const id = await record(there, 'g', 'two')
    const feed = await open(here, 'g')
    await feed.until(2)
    await record(there, 'g', 'three')
    await feed.until(3)
    await there.call(`/v1/memories/g/${id}`, { method: 'DELETE' })
    await record(there, 'g', 'four')
    const events = await feed.until(5)
    expect(feed.places).toEqual([1, 2, 3, 4])
    expect(events.filter(({ event }) => event === 'erased').map(({ data }) => JSON.parse(data))).toEqual([
      { place: 2, memory_id: id },
    ])
    await there.call('/v1/graphs/g', { method: 'DELETE' })
    await feed.ended
  }, 120_000)
})

function open({ port, secret }: TestServer, graph: string, query = ''): Promise<Feed> {
  return openFeed({ port, secret, graph, query })
}

async function record(server: TestServer, graph_id: string, text: string): Promise<string> {
  const { body } = await server.call('/v1/events', {
    json: { graph_id, event_kind: 'fact', payload: { text } },
  })
  return String(body['event_id'])
}
