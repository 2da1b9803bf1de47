import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Asker, openLoop } from '../../faults/support/load.js'
import { expectProblem } from '../../support/problem.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const BUSY_MS = 20
const MOST = 40
const SOME_HEADERS = ['Origin: https://a.example', 'Accept: x/y', 'Content-Type: text/plain']

/** `listGraphs` keeps the event loop busy; `getContext` waits for something else, until it is let go. */
let server: TestServer
let begun = 0
let release: () => void = () => undefined
const released = new Promise<void>((resolve) => {
  release = resolve
})
beforeAll(async () => {
  server = await startTestServer({
    admissionLimits: { turnMs: 5, waitMs: 200, underWay: MOST },
    corsOrigins: ['https://a.example'],
    handlers: {
      async listGraphs() {
        begun++
        const until = performance.now() + BUSY_MS
        while (performance.now() < until);
        return { status: 200, body: { graphs: [], total: 0, page: 0, page_size: 100 } }
      },
      async getContext() {
        await released
        throw new Error('It was let go.')
      },
    },
  })
})
afterAll(() => server.stop())

const graphs = () =>
  new Asker(server.port, ['GET /v1/graphs HTTP/1.1', `Authorization: Bearer ${server.secret}`])

describe('E5: overload', () => {
  test('E5: four times too much: some are served, the rest is refused before it is begun, all have an answer', async () => {
    const asker = graphs()
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

  test('E5: a refusal is a problem, before secret, body and contract are looked at, on a connection that stays good', async () => {
    const asker = graphs()
    const flood = openLoop(asker, 4 * (1000 / BUSY_MS), 2)
    const careless = new Asker(server.port, ['POST /v1/events HTTP/1.1', ...SOME_HEADERS], 'not JSON')
    const statuses = new Set<number>()
    for (let i = 0; i < 200 && !statuses.has(503); i++) {
      statuses.add((await careless.ask()).status)
      await sleep(5)
    }
    await flood
    expect(statuses).toContain(503)
    expect((await careless.ask()).status).toBe(401)
    expect(careless.connections).toBe(1)
    careless.close()
    asker.close()
  })

  test('a burst of cheap requests after dear ones is served', async () => {
    const cheap = new Asker(server.port, [
      'GET /v1/contexts/none HTTP/1.1',
      `Authorization: Bearer ${server.secret}`,
    ])
    const samples = await Promise.all(Array.from({ length: MOST - 5 }, () => cheap.ask()))
    cheap.close()
    expect(new Set(samples.map(({ status }) => status))).toEqual(new Set([404]))
  })

  test('E1, E5: with as many under way as there may be, more are refused, and the probes answer', async () => {
    const stuck = new Asker(server.port, [
      'GET /v1/contexts/g/a/b HTTP/1.1',
      `Authorization: Bearer ${server.secret}`,
    ])
    const waiting = Array.from({ length: MOST }, () => stuck.ask())
    const underWay = async () =>
      /\nloregraph_http_requests_under_way (\d+)\n/.exec(
        await (await fetch(`${server.url}/metrics`)).text(),
      )?.[1]
    await expect.poll(underWay).toBe(String(MOST))
    const response = await server.fetch('/v1/graphs', { headers: { Origin: 'https://a.example' } })
    expect(response.headers.get('retry-after')).toBe('1')
    expect(response.headers.get('access-control-allow-origin')).toBe('https://a.example')
    await expectProblem(response, 503, 'overloaded')
    for (const path of ['/livez', '/readyz', '/metrics'])
      expect((await fetch(server.url + path)).status, path).toBe(200)
    release()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(500)
    stuck.close()
    expect((await server.fetch('/v1/graphs')).status).toBe(200)
  })
})
