import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw } from '../../support/raw.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** An error of a socket that nobody listens for would end the process, and so fail this file. */
async function isServing(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await fetch(`${server.url}/livez`)).status).toBe(200)
}

test('E5: a tunnel that is asked for behind a refused request ends nothing', async () => {
  const expecting = 'GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'
  const { status, text } = await raw(server.port, expecting + CONNECT)
  expect(status).toBe(417)
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
  await isServing()
})

test('E5: a tunnel that is asked for on a connection that is then reset ends nothing', async () => {
  for (let i = 0; i < 20; i++) {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => {
      socket.write(CONNECT, () => resolve())
    })
    if (i % 2 === 0) await new Promise((resolve) => socket.once('data', resolve))
    socket.resetAndDestroy()
  }
  await isServing()
})

test.each([
  ['a tunnel', () => CONNECT],
  ['what is no request', () => 'nonsense\r\n\r\n'],
  [
    'a chunk that is none, in an import',
    () =>
      `POST /v1/graphs/n/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.secret}\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\nZZ\r\n`,
  ],
])(
  'B18: who asks for %s and then keeps its connection is cut off soon',
  async (_what, bytes) => {
    const socket: Socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => undefined)
    socket.write(bytes())
    await new Promise((resolve) => socket.once('data', resolve))
    // It never ends its side, and goes on sending.
    const sending = setInterval(() => socket.write('x'), 20)
    let isOver = false
    const over = () => {
      isOver = true
    }
    socket.once('error', over).once('close', over)
    await expect.poll(() => isOver, { timeout: 5_000 }).toBe(true)
    clearInterval(sending)
    socket.destroy()
    await isServing()
  },
  20_000,
)
