import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ADMISSION_LIMITS } from '../../src/http/load/admission.js'
import { expectProblem } from '../support/problem.js'
import { startTestServer, type TestKey, type TestServer } from '../support/server.js'

const MOST = 40
const OF_A_KEY = 10
const FOR_ROOT = 4

/** `getContext` waits until it is let go. */
let server: TestServer
let release: () => void = () => undefined
const released = new Promise<void>((resolve) => {
  release = resolve
})
const value = 'lorem ipsum dolor '.repeat(2_000)
beforeAll(async () => {
  server = await startTestServer({
    admissionLimits: { ...ADMISSION_LIMITS, waitMs: 60_000, underWay: MOST },
    handlers: {
      async getContext() {
        await released
        throw new Error('It was let go.')
      },
    },
  })
  for (let batch = 0; batch < 4; batch++) {
    const events = Array.from({ length: 100 }, (_, i) => ({
      event_kind: 'fact',
      payload: { value: `${value} ${batch} ${i}` },
    }))
    expect((await server.fetch('/v1/events/batch', { json: { graph_id: 'large', events } })).status).toBe(201)
  }
})
afterAll(() => server.stop())

const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect.poll(() => gauge(), { timeout: 20_000 }).toBe(0)
})

async function gauge(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/\nloregraph_http_requests_under_way (\d+)\n/.exec(text)?.[1])
}

/** Sends the head of a request and a first byte, and reads nothing of the answer. */
function begin({ secret }: TestKey, head: string, rest = '') {
  const socket = connect(server.port, '127.0.0.1').on('error', () => {})
  socket.write(`${head} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n${rest}`)
  sockets.push(socket)
  return socket
}

const upload = (key: TestKey, path: string, type: string) =>
  begin(key, `POST ${path}`, `Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`)
const download = (key: TestKey) => begin(key, 'GET /v1/graphs/large/events', '\r\n').pause()
const writeKeys = (count: number) =>
  Promise.all(Array.from({ length: count }, () => server.key({ scopes: ['read', 'write'] })))
const list = (headers?: Record<string, string>) => server.fetch('/v1/graphs', headers && { headers })

let n = 0

const isRefused = async ({ headers }: TestKey) => (await list(headers)).status === 429

test.each([
  ['imports', (key: TestKey) => upload(key, `/v1/graphs/new-${n++}/events`, 'application/x-ndjson')],
  ['events', (key: TestKey) => upload(key, '/v1/events', 'application/json')],
  ['exports', download],
])(
  'B18: slow %s of many keys keep nobody out; a key that has its share gets 429',
  async (_what, slow) => {
    const keys = await writeKeys(6)
    for (const key of keys) {
      for (let i = 0; i < OF_A_KEY; i++) slow(key)
      await expect.poll(() => isRefused(key), { timeout: 20_000 }).toBe(true)
      await expect.poll(() => gauge(), { timeout: 20_000 }).toBe(0)
    }
    const [first] = keys
    const refused = await list(first?.headers)
    expect(refused.headers.get('retry-after')).toBe('1')
    const { detail } = await expectProblem(refused, 429, 'too_many_requests')
    expect(detail).toContain(`${OF_A_KEY} requests under way`)
    const [other] = await writeKeys(1)
    expect((await list(other?.headers)).status).toBe(200)
    expect((await list()).status).toBe(200)
    for (const path of ['/livez', '/readyz']) expect((await fetch(server.url + path)).status).toBe(200)
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect.poll(() => list(first?.headers).then(({ status }) => status)).toBe(200)
  },
  60_000,
)

test('E5: requests that are worked on take room, of which some is kept for the root secret', async () => {
  const keys = await writeKeys(4)
  for (const key of keys)
    for (let i = 0; i < OF_A_KEY; i++) begin(key, 'GET /v1/contexts/g/a/b', '\r\n').resume()
  await expect.poll(() => gauge()).toBe(MOST - FOR_ROOT)
  const [other] = await writeKeys(1)
  const refused = await list(other?.headers)
  expect(refused.headers.get('retry-after')).toBe('1')
  await expectProblem(refused, 503, 'overloaded')
  expect((await list()).status).toBe(200)
  release()
  await expect.poll(() => gauge()).toBe(0)
  expect((await list(other?.headers)).status).toBe(200)
})
