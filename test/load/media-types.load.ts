import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.js'

const MIB = 1024 * 1024
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('C16: thousands of media types leave nothing behind', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  await server.call('/v1/events', { json: { graph_id: 'demo', event_kind: 'fact', payload: { text: 'x' } } })
  const round = async (from: number, to: number) => {
    for (let i = from; i < to; i += 50)
      await Promise.all(
        Array.from({ length: 50 }, async (_, j) => {
          const type = `application/json; a${i + j}=${i + j}`
          await (await server.fetch('/v1/contexts/demo', { headers: { 'Content-Type': type } })).text()
          const body = { body: '{"graph_id":"demo","query":"x"}', headers: { 'Content-Type': type } }
          expect((await server.fetch('/v1/memories', { method: 'POST', ...body })).status).toBe(200)
        }),
      )
    collect()
    return process.memoryUsage().heapUsed
  }
  await round(0, 100)
  const before = await round(100, 200)
  // Kept copies would take some 90 kB each, twice a turn.
  expect((await round(200, 2200)) - before).toBeLessThan(15 * MIB)
})
