import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MCP_PATHS, NON_CONTRACT_PATHS } from '../../../src/http/pages/pages.js'
import { checkProblem, expectProblem } from '../../support/problem.js'
import { raw } from '../../support/raw.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.fetch('/v1/events', {
    json: { graph_id: 'demo', event_kind: 'fact', context_id: 'skill:a', payload: { data: 'x' } },
  })
})
afterAll(() => server.stop())

const paths = () => [...new Set(server.contract.operations.map(({ path }) => path))]
const concrete = (path: string) => path.replace(/\{\w+\}/g, 'x')

describe('B1: 405 carries Allow', () => {
  test('every method that a path does not have, with the exact list of those it has', async () => {
    for (const path of paths()) {
      const own = server.contract.operations.filter((it) => it.path === path).map(({ method }) => method)
      const allow = [...own, 'OPTIONS', ...(own.includes('GET') ? ['HEAD'] : [])].sort().join(', ')
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        if (allow.split(', ').includes(method)) continue
        const response = await server.fetch(concrete(path), { method })
        expect(response.headers.get('allow'), `${method} ${path}`).toBe(allow)
        if (method === 'HEAD') expect(response.status).toBe(405)
        else await expectProblem(response, 405, 'method_not_allowed')
      }
    }
  })

  test('TRACE, which fetch refuses to send', async () => {
    const answer = await raw(
      server.port,
      'TRACE /v1/contexts/demo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(answer.status).toBe(405)
    expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS')
    checkProblem(answer.body, 405, answer.headers['x-request-id'] ?? '', 'method_not_allowed')
  })

  test('501 for a method that is none, and for CONNECT', async () => {
    for (const line of ['FOO /v1/contexts/demo', 'CONNECT example.com:443']) {
      const answer = await raw(server.port, `${line} HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect(answer.status, line).toBe(501)
      checkProblem(answer.body, 501, answer.headers['x-request-id'] ?? '', 'method_not_implemented')
    }
  })
})

describe('B2: HEAD = GET', () => {
  test('the same headers, and no body', async () => {
    const reads = [
      '/v1/contexts/demo',
      '/v1/contexts/demo?q=a',
      '/v1/contexts/demo/skill',
      '/v1/contexts/demo/skill/a',
    ]
    for (const path of [
      ...reads,
      '/v1/contexts/demo/skill/a/relationships',
      '/openapi.yaml',
      '/livez',
      '/readyz',
    ]) {
      const headers = { 'X-Request-Id': 'same', 'Accept-Encoding': 'identity' }
      const get = await server.fetch(path, { headers })
      const head = await server.fetch(path, { headers, method: 'HEAD' })
      expect(head.status, path).toBe(200)
      expect(plain(head), path).toEqual(plain(get))
      expect(await head.text()).toBe('')
      expect(Number(head.headers.get('content-length'))).toBe((await get.arrayBuffer()).byteLength)
    }
  })

  test('also on the wire, also for errors', async () => {
    for (const path of ['/v1/contexts/demo', '/v1/contexts/none']) {
      const answer = await raw(
        server.port,
        `HEAD ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.secret}\r\nConnection: close\r\n\r\n`,
      )
      expect(answer.body).toBe('')
    }
  })
})

describe('B3: OPTIONS', () => {
  test('204 with Allow and without a secret, from the contract', async () => {
    for (const path of [...paths(), ...NON_CONTRACT_PATHS, ...MCP_PATHS]) {
      const response = await fetch(server.url + concrete(path), { method: 'OPTIONS' })
      expect(response.status, path).toBe(204)
      expect(response.headers.get('allow')).toMatch(/OPTIONS/)
      expect(response.headers.get('x-request-id')).not.toBeNull()
    }
  })

  test('no origin is let in, since none is listed', async () => {
    for (const origin of ['http://127.0.0.1:7400', 'https://example.com', 'null']) {
      const preflight = await fetch(`${server.url}/v1/events`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      })
      expect(preflight.status).toBe(204)
      const answer = await server.fetch('/v1/contexts/demo', { headers: { Origin: origin } })
      for (const response of [preflight, answer])
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('OPTIONS * is the whole service', async () => {
    const answer = await raw(server.port, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(answer.status).toBe(204)
    expect(answer.headers['allow']).toBe('DELETE, GET, HEAD, OPTIONS, POST')
  })
})

describe('B3: origins that are listed', () => {
  const LISTED = 'https://a.example'
  let open: TestServer
  beforeAll(async () => {
    open = await startTestServer({ corsOrigins: [LISTED, 'http://localhost:3000'] })
  })
  afterAll(() => open.stop())
  const preflight = (path: string, origin: string) =>
    fetch(open.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    })

  test('a preflight is answered without a secret, with the methods of the path', async () => {
    for (const [path, methods] of [
      ['/v1/events', 'OPTIONS, POST'],
      ['/v1/contexts/demo', 'GET, HEAD, OPTIONS'],
      ['/openapi.yaml', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const { status, headers } = await preflight(path, LISTED)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe(LISTED)
      expect(headers.get('access-control-allow-methods')).toBe(methods)
      expect(headers.get('access-control-allow-headers')).toMatch(
        /Authorization, Content-Type, Idempotency-Key/,
      )
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('vary')).toContain('Origin')
    }
  })

  test('an answer and a problem can be read, with the headers that matter', async () => {
    for (const [path, secret] of [
      ['/v1/contexts/none', open.secret],
      ['/v1/contexts/none', 'wrong'],
      ['/v1/nothing', 'wrong'],
      ['/openapi.json', 'wrong'],
    ] as const) {
      const { headers } = await open.fetch(path, {
        headers: { Origin: LISTED, Authorization: `Bearer ${secret}` },
      })
      expect(headers.get('access-control-allow-origin'), path).toBe(LISTED)
      expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id')
      expect(headers.get('vary')).toContain('Origin')
    }
  })

  test('no other origin is mentioned, be it foreign, null or almost the same', async () => {
    for (const origin of [
      'https://b.example',
      'null',
      'https://a.example.evil',
      'http://a.example',
      'HTTPS://A.EXAMPLE',
    ]) {
      const before = await preflight('/v1/events', origin)
      expect(before.status).toBe(204)
      const answer = await open.fetch('/v1/contexts/none', { headers: { Origin: origin } })
      for (const { headers } of [before, answer]) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
        expect(headers.get('vary')).toContain('Origin')
      }
    }
  })
})

function plain(response: Response): Record<string, string> {
  // fetch itself asks to close the connection after HEAD.
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = Object.fromEntries(response.headers)
  return headers
}
