import { afterAll, beforeAll, expect, test } from 'vitest'
import { rateLimits } from '../../src/http/load/rate-limits.js'
import { LIMITS } from '../../src/http/server.js'
import { at, event } from '../store/support.js'
import { openFeed } from '../support/feed.js'
import { startTestServer, type TestServer } from '../support/server.js'

/** Statements of 60 kB: far more together than the buffers of a connection hold. */
const LARGE = 600

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    heartbeatMs: 500,
    limits: { ...LIMITS, timeout: 3_000 },
    rateLimits: rateLimits({ quota: 100_000, windowSeconds: 1 }),
  })
})
afterAll(() => server.stop())

const open = (graph: string, query = '') =>
  openFeed({ port: server.port, secret: server.secret, graph, query })

test('for a reader of a feed that does not read nothing more is read; it is closed, and can resume', async () => {
  for (let i = 0; i < LARGE; i += 50)
    await server.store.append(
      'large',
      Array.from({ length: 50 }, (_, j) => event('skill:large', `${i + j} ${'x'.repeat(60_000)}`)),
      at,
    )
  const { store } = server
  const { statements } = store
  let taken = 0
  store.statements = async function* (graphId, after) {
    for await (const some of statements(graphId, after)) {
      taken += some.length
      yield some
    }
  }
  const lines = server.lines.length
  const feed = await open('large')
  feed.pause()
  // A client that does not read does not see its end, either.
  const closed = { route: 'followGraph', aborted: true }
  const isClosed = () => server.lines.slice(lines)
  await expect.poll(isClosed, { timeout: 30_000 }).toContainEqual(expect.objectContaining(closed))
  expect(taken).toBeLessThan(400)
  feed.kill()
  store.statements = statements
  const had = feed.places.length
  expect(had).toBeLessThan(LARGE)
  const resumed = await open('large', `?after=${had}`)
  await expect.poll(() => resumed.places.at(-1), { timeout: 30_000 }).toBe(LARGE)
  expect(resumed.places[0]).toBe(had + 1)
  resumed.kill()
})

test('a reader of a feed that hears nothing stays longer than a connection on which nothing moves', async () => {
  await server.store.append('quiet', [event('skill:quiet', 'one')], at)
  const feed = await open('quiet')
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  await server.store.append('quiet', [event('skill:quiet', 'two')], at)
  await feed.until(2)
  expect(feed.places).toEqual([1, 2])
  feed.kill()
})
