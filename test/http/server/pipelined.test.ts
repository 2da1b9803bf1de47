import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMISSION_LIMITS } from '../../../src/http/load/admission.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const MOST = 40
const PIPELINED = 8

let server: TestServer
beforeAll(async () => {
  // A connection that is not read is known to be gone when something is written to it.
  server = await startTestServer({
    admissionLimits: { ...ADMISSION_LIMITS, underWay: MOST },
    heartbeatMs: 200,
  })
  const json = { graph_id: 'g', event_kind: 'fact', context_id: 'a:b', payload: { text: 'one' } }
  await server.call('/v1/events', { json })
})
afterAll(() => server.stop())

async function underWay(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/\nloregraph_http_requests_under_way (\d+)\n/.exec(text)?.[1])
}

const request = (path: string, secret: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`

test('E5: requests behind an answer that does not end leave their room when the connection closes', async () => {
  const key = await server.key({ scopes: ['read'] })
  for (const path of ['/v1/graphs', '/v1/graphs/g/events', '/v1/contexts/g', '/v1/nothing']) {
    const socket = connect(server.port, '127.0.0.1')
    const feed = request('/v1/graphs/g/feed', key.secret)
    socket.write(feed + request(path, key.secret).repeat(PIPELINED))
    await expect.poll(underWay, { timeout: 10_000 }).toBe(PIPELINED)
    socket.destroy()
    await expect.poll(underWay, { timeout: 10_000 }).toBe(0)
  }
  // Ten of its requests at once are a quarter of all, the most that a key may have.
  for (let i = 0; i < MOST; i++)
    expect((await fetch(`${server.url}/v1/graphs`, { headers: key.headers })).status).toBe(200)
})

const nothing = 'GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n'

test('E5: answers that wait behind one that does not end take no room of others', async () => {
  const key = await server.key({ scopes: ['read'] })
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  socket.write(request('/v1/graphs/g/feed', key.secret) + nothing.repeat(2 * MOST))
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await fetch(`${server.url}/v1/graphs`, { headers: key.headers })).status).toBe(200)
  }
  socket.destroy()
  await expect.poll(underWay, { timeout: 10_000 }).toBe(0)
})

test('E5: a connection with very many answers to come is closed', async () => {
  const key = await server.key({ scopes: ['read'] })
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.resume().write(request('/v1/graphs/g/feed', key.secret) + nothing.repeat(1000))
  await closed
  await expect.poll(underWay, { timeout: 10_000 }).toBe(0)
})
