import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMISSION_LIMITS, admission } from '../../../src/http/load/admission.js'
import { Loop } from '../../../src/http/load/loop.js'
import { Places } from '../../../src/http/load/places.js'
import { keyOf } from '../../../src/http/pipeline/bearer.js'
import { Asker } from '../../faults/support/load.js'
import { expectProblem } from '../../support/problem.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const MOST = 40
const ORIGIN = 'https://a.example'

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
  // One by one: of a crowd at the door only some are let in.
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

test('E5: a key that has its share under way is refused at the door, and another key is served', async () => {
  const places = new Places(MOST)
  const served: string[] = []
  const refused: string[] = []
  const listener = admission(
    (req, res) => {
      served.push(keyOf(req))
      places.claim(res, { keyId: keyOf(req), scopes: [] })
    },
    (_req, _res, { code }) => refused.push(code),
    () => false,
    { ...ADMISSION_LIMITS, underWay: MOST },
    places,
    new Loop(),
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

test('E5: a crowd of one secret at the door leaves room for another secret', () => {
  const loop = new Loop()
  let refused = 0
  const refuse = () => {
    refused++
  }
  const listener = admission(
    () => undefined,
    refuse,
    () => false,
    { ...ADMISSION_LIMITS, underWay: MOST },
    new Places(MOST),
    loop,
  )
  const ask = (secret: string) => {
    const req = new IncomingMessage(new Socket())
    req.headers.authorization = `Bearer ${secret}`
    listener(req, new ServerResponse(req))
  }
  // The turn is used up, so that whoever comes now waits at the door.
  ask('first')
  const until = performance.now() + 10
  while (performance.now() < until);
  for (let i = 0; i < 2 * MOST; i++) ask('crowd')
  const letIn = loop.door.waiting
  expect(letIn).toBeGreaterThan(MOST / 2)
  expect(letIn).toBeLessThan(MOST)
  expect(refused).toBe(2 * MOST - letIn)
  ask('other')
  expect(loop.door.waitingOf('other')).toBe(1)
})
