import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Asker, openLoop } from '../faults/support/load.js'
import { startTestServer, type TestServer } from '../support/server.js'

const BUSY_MS = 20
const MOST = 40
const SOME_HEADERS = ['Origin: https://a.example', 'Accept: x/y', 'Content-Type: text/plain']

/** `listGraphs` keeps the event loop busy. */
let server: TestServer
let begun = 0
beforeAll(async () => {
  server = await startTestServer({
    admissionLimits: { waitMs: 200, underWay: MOST },
    handlers: {
      async listGraphs() {
        begun++
        const until = performance.now() + BUSY_MS
        while (performance.now() < until);
        return { status: 200, body: { graphs: [], total: 0, page: 0, page_size: 100 } }
      },
    },
  })
})
afterAll(() => server.stop())

const ask = (path: string) =>
  new Asker(server.port, [`GET ${path} HTTP/1.1`, `Authorization: Bearer ${server.secret}`])

describe('E5: overload', () => {
  test('E5: four times too much: some are served, the rest is refused before it is begun, all have an answer', async () => {
    const asker = ask('/v1/graphs')
    const samples = await openLoop(asker, 4 * (1000 / BUSY_MS), 2)
    asker.close()
    const served = samples.filter(({ status }) => status === 200)
    const refused = samples.filter(({ status }) => status === 503)
    expect(served.length + refused.length).toBe(samples.length)
    expect(begun).toBe(served.length)
    expect(served.length).toBeGreaterThan(10)
    expect(refused.length).toBeGreaterThan(10)
    expect(refused.filter(({ retryAfter }) => !retryAfter)).toEqual([])
    await sleep(1_200)
    const said = server.lines.map(({ refused: count }) => Number(count ?? 0)).reduce((a, b) => a + b)
    expect(said).toBe(refused.length)
  })

  test('E5: whoever floods is refused, on a connection that stays good; others are not', async () => {
    const asker = ask('/v1/graphs')
    const flood = openLoop(asker, 4 * (1000 / BUSY_MS), 2)
    const line = 'POST /v1/events HTTP/1.1'
    const secret = `Authorization: Bearer ${server.secret}`
    const careless = new Asker(server.port, [line, secret, ...SOME_HEADERS], 'not JSON')
    const other = new Asker(server.port, [line, ...SOME_HEADERS], 'not JSON')
    const [statuses, ofOther] = [new Set<number>(), new Set<number>()]
    for (let i = 0; i < 200 && !statuses.has(503); i++) {
      statuses.add((await careless.ask()).status)
      ofOther.add((await other.ask()).status)
      await sleep(5)
    }
    await flood
    expect(statuses).toContain(503)
    expect([...ofOther]).toEqual([401])
    expect((await careless.ask()).status).toBe(406)
    expect(careless.connections).toBe(1)
    for (const one of [careless, other, asker]) one.close()
  })

  test('E5: a burst of cheap requests after dear ones is served', async () => {
    const cheap = ask('/v1/contexts/none')
    const samples = await Promise.all(Array.from({ length: MOST - 5 }, () => cheap.ask()))
    cheap.close()
    expect(new Set(samples.map(({ status }) => status))).toEqual(new Set([404]))
  })
})
