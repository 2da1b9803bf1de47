import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT_KEY } from '../../../src/domain/keys.js'
import { ADMISSION_LIMITS, admission } from '../../../src/http/load/admission.js'
import { bearerOf } from '../../../src/http/load/lanes.js'
import { Loop } from '../../../src/http/load/loop.js'
import { RequestSlots } from '../../../src/http/load/slots.js'
import { Asker } from '../../faults/support/load.js'
import { expectProblem } from '../../support/problem.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const MOST = 40
const ORIGIN = 'https://a.example'

/** The lane of a request is its secret. */
const laneOf = (req: IncomingMessage) => bearerOf(req) ?? ''

/** `getContext` waits until it is let go. What depends on the time is in `test/load`. */
let server: TestServer
let listed = 0
let release: () => void = () => undefined
const released = new Promise<void>((resolve) => {
  release = resolve
})
beforeAll(async () => {
  server = await startTestServer({
    admissionLimits: { ...ADMISSION_LIMITS, waitMs: 60_000, underWay: MOST },
    corsOrigins: [ORIGIN],
    handlers: {
      async listGraphs() {
        listed++
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

test('E1, E5: with as many under way as there may be, more are refused before anything of them is looked at, and the probes answer', async () => {
  const stuck = new Asker(server.port, [
    'GET /v1/contexts/g/a/b HTTP/1.1',
    `Authorization: Bearer ${server.secret}`,
  ])
  const waiting: Promise<unknown>[] = []
  const underWay = async () =>
    /\nloregraph_http_requests_under_way (\d+)\n/.exec(
      await (await fetch(`${server.url}/metrics`)).text(),
    )?.[1]
  // One by one: only some of a crowd that arrives at once are admitted.
  while (waiting.length < MOST) {
    waiting.push(stuck.ask())
    await expect.poll(underWay, { timeout: 30_000, interval: 1 }).toBe(String(waiting.length))
  }
  const response = await server.fetch('/v1/graphs', { headers: { Origin: ORIGIN } })
  expect(response.headers.get('retry-after')).toBe('1')
  expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN)
  await expectProblem(response, 503, 'overloaded')
  const careless = new Asker(
    server.port,
    ['POST /v1/events HTTP/1.1', 'Accept: x/y', 'Content-Type: text/plain'],
    'not JSON',
  )
  expect(await careless.ask()).toMatchObject({ status: 503, retryAfter: true })
  for (const path of ['/livez', '/readyz', '/metrics'])
    expect((await fetch(server.url + path)).status, path).toBe(200)
  expect(listed).toBe(0)
  release()
  for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ status: 500 })
  stuck.close()
  expect((await server.fetch('/v1/graphs')).status).toBe(200)
  expect((await careless.ask()).status).toBe(401)
  expect(careless.connections).toBe(1)
  careless.close()
})

test('E5: a key that has its share under way is refused on arrival, and another key is served', async () => {
  const slots = new RequestSlots(MOST)
  const served: string[] = []
  const refused: string[] = []
  const listener = admission(
    (req, res) => {
      served.push(laneOf(req))
      slots.claim(res, { keyId: laneOf(req), scopes: [] })
    },
    (_req, _res, { code }) => refused.push(code),
    () => false,
    ADMISSION_LIMITS,
    slots,
    new Loop(),
    laneOf,
  )
  const ask = async (secret: string, answers: number) => {
    const req = new IncomingMessage(new Socket())
    req.headers.authorization = `Bearer ${secret}`
    listener(req, new ServerResponse(req))
    await expect.poll(() => served.length + refused.length).toBe(answers)
  }
  const share = MOST / 4
  for (let i = 1; i <= share + 2; i++) await ask('crowd', i)
  await ask('other', share + 3)
  expect(served).toEqual([...Array.from({ length: share }, () => 'crowd'), 'other'])
  expect(refused).toEqual(['too_many_requests', 'too_many_requests'])
})

/** A queue in which every new request waits, since the time of this turn of the event loop is used up. */
function fullQueue() {
  const loop = new Loop()
  const { arrivals } = loop
  const refused: string[] = []
  const listener = admission(
    () => undefined,
    (req) => refused.push(laneOf(req)),
    () => false,
    ADMISSION_LIMITS,
    new RequestSlots(MOST),
    loop,
    laneOf,
  )
  const ask = (secret: string, times: number) => {
    for (let i = 0; i < times; i++) {
      const req = new IncomingMessage(new Socket())
      req.headers.authorization = `Bearer ${secret}`
      listener(req, new ServerResponse(req))
    }
  }
  ask('first', 1)
  const until = performance.now() + 10
  while (performance.now() < until);
  return { arrivals, refused, ask }
}

test('E5: a crowd in one lane leaves room in the queue for another', () => {
  const { arrivals, refused, ask } = fullQueue()
  ask('crowd', 2 * MOST)
  const admitted = arrivals.waiting
  expect(admitted).toBeGreaterThan(MOST / 2)
  expect(admitted).toBeLessThan(MOST)
  expect(refused).toHaveLength(2 * MOST - admitted)
  ask('other', 1)
  expect(arrivals.waitingOf('other')).toBe(1)
})

test('E5: when as many wait in the queue as there is room for, a lane without any is still admitted', () => {
  const { arrivals, refused, ask } = fullQueue()
  for (let i = 0; i < MOST; i++) ask(`lane-${i}`, 1)
  expect([arrivals.waiting, refused]).toEqual([MOST, []])
  ask('other', 3)
  expect(arrivals.waitingOf('other')).toBe(1)
  ask(ROOT_KEY, 1)
  expect(arrivals.waitingOf(ROOT_KEY)).toBe(1)
  expect(refused).toEqual(['other', 'other'])
})

test('E5: a crowd in the queue leaves the root a tenth of the room', () => {
  const { arrivals, refused, ask } = fullQueue()
  for (const lane of ['a', 'b']) ask(lane, MOST)
  expect(arrivals.waiting).toBeLessThanOrEqual(0.9 * MOST)
  refused.length = 0
  ask(ROOT_KEY, 3)
  expect(refused).toEqual([])
})
