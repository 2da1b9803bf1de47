import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/http/server.js'
import { checkProblem, helpOf } from '../../support/problem.js'
import { parseAnswer, raw } from '../../support/raw.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Sends a request that must be refused in our own shape, with the connection closed. */
async function refused(bytes: string, status: number, code: string): Promise<void> {
  const answer = await raw(server.port, bytes)
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  checkProblem(answer.body, status, answer.headers['x-request-id'] ?? '', code)
  expect(answer.headers['link']).toBe(helpOf(code))
  expect(answer.closed).toBe(true)
}

const bearer = () => `Authorization: Bearer ${server.secret}\r\n`
const close = 'Connection: close\r\n'

describe('B7: what never becomes a request is refused in our JSON', () => {
  test('431: 20 kB of headers', () =>
    refused(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'))

  test('414: an address of 15 kB', () =>
    refused(`GET /${'a'.repeat(15_000)} HTTP/1.1\r\nHost: x\r\n${close}\r\n`, 414, 'uri_too_long'))

  test('400: no Host', () => refused(`GET /livez HTTP/1.1\r\n${close}\r\n`, 400, 'invalid_request'))

  test('400: two Hosts', () =>
    refused(`GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}\r\n`, 400, 'invalid_request'))

  test('417: an expectation that cannot be met', () =>
    refused('GET /livez HTTP/1.1\r\nHost: x\r\nExpect: bogus\r\n\r\n', 417, 'expectation_failed'))

  test('400: not HTTP at all', () => refused('\x16\x03\x01\x02\x00hello\r\n\r\n', 400, 'invalid_request'))
})

describe('C17: request smuggling', () => {
  const post = (headers: string, body: string) =>
    `POST /v1/events HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`
  test.each([
    [
      'Content-Length and Transfer-Encoding',
      post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    ],
    [
      'Transfer-Encoding and Content-Length',
      post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', '0\r\n\r\n'),
    ],
    ['two Content-Lengths', post('Content-Length: 4\r\nContent-Length: 5\r\n', 'abcde')],
    ['a Content-Length with a sign', post('Content-Length: +4\r\n', 'abcd')],
    ['an unknown Transfer-Encoding', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n')],
    ['chunked twice', post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n')],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c: d\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['bare line feeds', 'GET / HTTP/1.1\nHost: x\n\n'],
    ['a bare carriage return in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n'],
    ['a bad chunk size', post('Transfer-Encoding: chunked\r\n', 'zz\r\nhello\r\n0\r\n\r\n')],
  ])('400 and close: %s', async (_name, bytes) => {
    const answer = await raw(server.port, bytes)
    // Where the headers could be read, the missing secret is noticed first.
    expect([400, 401], answer.text).toContain(answer.status)
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(answer.closed).toBe(true)
  })
})

describe('C17: chunk extensions', () => {
  const chunked = (body: string) =>
    `POST /v1/memories HTTP/1.1\r\nHost: x\r\n${bearer()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${close}\r\n${body}`
  const json = '{"graph_id":"none","query":"x"}'
  const size = json.length.toString(16)

  test.each(['', ';a', ';a=b', ';a="b;c"', ';a=b;c'])(
    '"%s" is ignored, as RFC 9112 has it',
    async (extension) => {
      const answer = await raw(
        server.port,
        chunked(`${size}${extension}\r\n${json}\r\n0${extension}\r\n\r\n`),
      )
      expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([404, 'graph_not_found'])
    },
  )

  test.each([
    ['a bare line feed after one', `${size};a\n${json}\r\n0\r\n\r\n`],
    ['a bare carriage return in one', `${size};a\rb\r\n${json}\r\n0\r\n\r\n`],
    ['a NUL in one', `${size};a\0\r\n${json}\r\n0\r\n\r\n`],
    ['a space before one', `${size} ;a\r\n${json}\r\n0\r\n\r\n`],
    ['a chunk that is longer than it says', `1\r\n${json}\r\n0\r\n\r\n`],
  ])('400 and close: %s', (_name, body) => refused(chunked(body), 400, 'invalid_request'))

  test('413 and close: more than 16 kB of them', () =>
    refused(chunked(`${size};${'a'.repeat(20_000)}\r\n${json}\r\n0\r\n\r\n`), 413, 'content_too_large'))
})

describe('headers behind thousands of others are seen', () => {
  const many = 'a:\r\n'.repeat(3_000)
  const behind = async (head: string, last: string) => {
    const start = `${head} HTTP/1.1\r\nHost: localhost\r\n${bearer()}`
    const { status, body } = await raw(server.port, `${start}${many}${last}\r\n${close}\r\n`)
    return { status, code: JSON.parse(body).code }
  }

  test.each(['Forwarded', 'X-Forwarded-For', 'X-Real-IP', 'Via'])(
    '404: the metrics, for a proxy that says so by %s',
    async (name) =>
      expect(await behind('GET /metrics', `${name}: 192.0.2.1`)).toEqual({ status: 404, code: 'not_found' }),
  )

  test.each([
    ['Host', 'localhost'],
    ['Authorization', 'Bearer x'],
  ])('400: a second %s', async (name, value) =>
    expect(await behind('GET /v1/graphs', `${name}: ${value}`)).toEqual({
      status: 400,
      code: 'invalid_request',
    }),
  )

  test('403: a foreign Origin on /mcp', async () =>
    expect(await behind('POST /mcp/demo', 'Content-Length: 0\r\nOrigin: https://evil.example')).toEqual({
      status: 403,
      code: 'origin_forbidden',
    }))
})

test('an absolute target means its path', async () => {
  for (const target of ['http://example.com/livez', 'HTTP://example.com:80/livez?x', 'http://x/livez'])
    expect((await raw(server.port, `GET ${target} HTTP/1.1\r\nHost: x\r\n${close}\r\n`)).status, target).toBe(
      200,
    )
  const answer = await raw(
    server.port,
    `GET http://x/v1/contexts/none?page=0 HTTP/1.1\r\nHost: x\r\n${bearer()}${close}\r\n`,
  )
  expect(JSON.parse(answer.body).code).toBe('graph_not_found')
})

test('raw bytes, fragments and other forms of target are refused', async () => {
  for (const target of ['/v1/contexts/d\xe9mo', '/livez#x', 'livez', '*', '/a"b'])
    expect((await raw(server.port, `GET ${target} HTTP/1.1\r\nHost: x\r\n${close}\r\n`)).status, target).toBe(
      target === '/a"b' ? 404 : 400,
    )
})

test('100-continue: the body is asked for only when it is wanted', async () => {
  const head = (auth: string) =>
    `POST /v1/events HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`
  expect((await raw(server.port, head(''))).status).toBe(401)
  const wanted = await raw(server.port, head(bearer()))
  expect(wanted.status).toBe(100)
})

test('pipelined requests are answered in order', async () => {
  const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const { text } = await raw(server.port, one('/livez') + one('/nothing') + one('/livez'))
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
})

describe('B18: slow clients', () => {
  let strict: TestServer
  beforeAll(async () => {
    strict = await startTestServer({
      limits: { ...LIMITS, headersTimeout: 400, requestTimeout: 800, timeout: 900 },
    })
  })
  afterAll(() => strict.stop())

  test('the limits that the service runs with', () =>
    expect(LIMITS).toEqual({
      maxHeaderSize: 16_384,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      timeout: 35_000,
    }))

  test('408: headers and bodies that drip in are cut off, while others are served', async () => {
    const head = `POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${strict.secret}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n`
    const slow = [
      ...Array.from({ length: 100 }, () => drip(strict.port, 'GET /livez HTTP/1.1\r\nHost: x\r\n')),
      ...Array.from({ length: 20 }, () => drip(strict.port, head)),
    ]
    expect((await strict.fetch('/livez')).status).toBe(200)
    for (const text of await Promise.all(slow)) {
      const answer = parseAnswer(text)
      expect(answer.status, text).toBe(408)
      checkProblem(answer.body, 408, answer.headers['x-request-id'] ?? '', 'request_timeout')
    }
  })
})

/** A byte now and then, until the server has had enough. */
function drip(port: number, start: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const timer = setInterval(() => socket.write('a'), 100)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve(text)
    })
    socket.write(start)
  })
}
