import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.js'
import { rateLimits } from '../../../src/http/load/rate-limits.js'
import { createMetrics } from '../../../src/http/pages/metrics.js'
import { loadDemo } from '../../../src/service/demo-graph.js'
import { overHttp } from '../../support/mcp.js'
import { startTestServer, type TestServer } from '../../support/server.js'
import { send } from '../../support/wire.js'

const ACCEPT = { Accept: 'application/json, text/event-stream' }
const RECORD = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'record', arguments: { text: 'Something learned.' } },
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ corsOrigins: ['https://a.example'], allowedHosts: [] })
  await loadDemo(server.store)
})
afterAll(() => server.stop())

const graph = async () => (await server.call('/v1/graphs/demo')).body

function post(path: string, json: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return server.fetch(path, { json, headers: { ...ACCEPT, ...headers } })
}

/** What is refused is a problem with this status and code, and nothing is recorded. */
async function refuses(asked: () => Promise<Response>, status: number, code: string): Promise<string> {
  const before = await graph()
  const response = await asked()
  const body = JSON.parse(await response.text())
  expect(response.status, body.detail).toBe(status)
  expect(body.code).toBe(code)
  expect(await graph()).toEqual(before)
  return body.detail
}

describe('what clients send', () => {
  const browse = { ...RECORD, params: { name: 'browse', arguments: null } }

  test('arguments that are null are none', async () => {
    expect(await (await post('/mcp/demo', browse)).text()).toContain('Types of contexts in demo')
  })

  test('who takes anything is answered', async () => {
    expect((await post('/mcp/demo', browse, { Accept: '*/*' })).status).toBe(200)
  })
})

describe('who may ask', () => {
  test('401 with a bare challenge, which sends no host looking for OAuth', async () => {
    for (const path of ['/mcp', '/mcp/demo']) {
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers: { ...ACCEPT, 'Content-Type': 'application/json' },
        body: JSON.stringify(RECORD),
      })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="loregraph"')
    }
    const wrong = { Authorization: `Bearer ${'x'.repeat(40)}` }
    expect((await post('/mcp/demo', RECORD, wrong)).headers.get('www-authenticate')).toBe(
      'Bearer realm="loregraph", error="invalid_token"',
    )
  })

  test('503 when the keys cannot be read: a host would throw its secret away at a 401', async () => {
    const { store } = server
    const keys = new Proxy(store.keys, {
      get: (target, name) =>
        name === 'find'
          ? () => Promise.reject(new Failure('storage_unavailable', 'The store is not available.'))
          : Reflect.get(target, name),
    })
    const broken = new Proxy(store, {
      get(target, name) {
        if (name === 'keys') return keys
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const other = await startTestServer({ store: broken })
    const response = await other.fetch('/mcp/demo', {
      json: RECORD,
      headers: { ...ACCEPT, Authorization: `Bearer ${'y'.repeat(40)}` },
    })
    expect(response.status).toBe(503)
    expect(response.headers.get('www-authenticate')).toBeNull()
    await other.stop()
  })

  test('a key pinned to one graph needs no name in the address, and is offered no choice', async () => {
    const pinned = await server.key({ scopes: ['read'], graphs: ['demo'] })
    const host = await overHttp(`${server.url}/mcp`, pinned.secret)
    expect((await host.call('browse')).text).toContain('Types of contexts in demo')
    expect(JSON.stringify(await host.tools())).not.toContain('"graph":')
    await host.close()
  })

  test('a key that may only read is not offered record, and cannot call it', async () => {
    const { secret } = await server.key({ scopes: ['read'] })
    const host = await overHttp(`${server.url}/mcp/demo?erase=true`, secret)
    expect((await host.tools()).map(({ name }) => name)).toEqual(['recall', 'insight', 'browse', 'brief'])
    const before = await graph()
    await expect(host.call('record', { text: 'a' })).rejects.toThrow(/record/)
    expect(await graph()).toEqual(before)
    await host.close()
  })

  test('a key that may only write is told which scope it lacks', async () => {
    const { secret } = await server.key({ scopes: ['write'] })
    const host = await overHttp(`${server.url}/mcp/demo`, secret)
    expect(await host.call('recall', { query: 'a' })).toEqual({
      text: 'This needs a secret with the scope read.',
      isError: true,
    })
    expect((await host.call('record', { text: 'Only written.' })).isError).toBe(false)
    // It does not say that its links bear on nothing, since this key is not told.
    const linked = { text: 'Which test runner do we use?', extends: ['decision:test_runner'] }
    expect((await host.call('record', linked)).text).toMatch(
      /^Recorded as mem_\w+ in \S+ \(fact, trust 0\.60\)\.\n$/,
    )
    await host.close()
  })

  test('a graph that the key does not reach', async () => {
    const { secret } = await server.key({ scopes: ['read', 'write'], graphs: ['other'] })
    const host = await overHttp(`${server.url}/mcp/demo`, secret)
    const before = await graph()
    for (const [tool, given] of [
      ['recall', { query: 'a' }],
      ['record', { text: 'a' }],
    ] as const)
      expect(await host.call(tool, given)).toEqual({
        text: 'This secret does not reach that graph. Ask for one that does.',
        isError: true,
      })
    expect(await graph()).toEqual(before)
    await host.close()
  })

  test('C1: what is no id of a graph leads nowhere, and erases nothing', async () => {
    const forget = { name: 'forget', arguments: { context_id: 'graphs:demo', confirm: true } }
    const headers = {
      ...ACCEPT,
      Authorization: `Bearer ${server.secret}`,
      'Content-Type': 'application/json',
    }
    const before = await graph()
    for (const name of ['%2e%2e', '.%2e', '%2e', '..', '..%2fdemo', 'demo%3fdry_run', 'a'.repeat(129)]) {
      const request = { target: `/mcp/${name}?erase=true`, method: 'POST', headers }
      // `fetch` would resolve the dots itself.
      const { status, text } = await send(server.port, {
        ...request,
        body: JSON.stringify({ ...RECORD, params: forget }),
      })
      expect([name, status, JSON.parse(text).errors?.[0]?.path]).toEqual([name, 400, '/path/graph_id'])
    }
    expect(await graph()).toEqual(before)
  })

  test('forget is offered only where the address asks for it', async () => {
    for (const [query, isOffered] of [
      ['', false],
      ['?erase=false', false],
      ['?erase=true', true],
    ] as const) {
      const host = await overHttp(`${server.url}/mcp/demo${query}`, server.secret)
      expect((await host.tools()).some(({ name }) => name === 'forget')).toBe(isOffered)
      await host.close()
    }
    await refuses(() => post('/mcp/demo?erase=1', RECORD), 400, 'invalid_request')
    await refuses(() => post('/mcp/demo?graph=a', RECORD), 400, 'invalid_request')
  })
})

describe('what is counted', () => {
  test('a call counts once, however much it asks of the service', async () => {
    const own = await startTestServer({ rateLimits: rateLimits({ quota: 2, windowSeconds: 3600 }) })
    const { headers } = await own.key({ scopes: ['read', 'write'] })
    const call = () => own.fetch('/mcp/demo', { json: RECORD, headers: { ...ACCEPT, ...headers } })
    for (const left of ['r=1;', 'r=0;']) {
      const response = await call()
      expect(response.headers.get('ratelimit')).toContain(left)
      expect(await response.text()).toContain('Recorded as mem_')
    }
    expect((await call()).status).toBe(429)
    await own.stop()
  })

  test('a call takes one place: with one place in all, it is answered', async () => {
    const own = await startTestServer({ admissionLimits: { waitMs: 60_000, underWay: 1 } })
    const response = await own.fetch('/mcp/demo', { json: RECORD, headers: ACCEPT })
    expect(await response.text()).toContain('Recorded as mem_')
    await own.stop()
  })

  test('labels of metrics and of the log are of a bounded number, and one id runs through all lines', async () => {
    const metrics = createMetrics()
    const own = await startTestServer({ metrics })
    const id = 'one-id-for-all'
    for (const name of ['a', 'b', 'c'])
      await own
        .fetch(`/mcp/${name}`, { json: RECORD, headers: { ...ACCEPT, 'X-Request-Id': id } })
        .then((it) => it.text())
    const text = await metrics.text()
    expect(text).toMatch(/loregraph_http_requests_total\{route="\/mcp\/\{graph_id\}",status="2xx"\} 3/)
    expect(text).not.toContain('/mcp/a')
    const lines = own.lines.filter((line) => line['id'] === id)
    expect(new Set(lines.map((line) => line['route']))).toEqual(new Set(['recordEvent', '/mcp/{graph_id}']))
    await own.stop()
  })
})

describe('what is refused before any tool', () => {
  test('another Origin; a listed one, that of the service itself, and none are fine', async () => {
    await refuses(
      () => post('/mcp/demo', RECORD, { Origin: 'https://evil.example' }),
      403,
      'origin_forbidden',
    )
    await refuses(() => post('/mcp/demo', RECORD, { Origin: 'null' }), 403, 'origin_forbidden')
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    for (const headers of [{}, { Origin: 'https://a.example' }, { Origin: server.url }])
      expect((await post('/mcp/demo', list, headers)).status).toBe(200)
  })

  test('a page of a listed origin may send the headers of MCP', async () => {
    const response = await fetch(`${server.url}/mcp/demo`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' },
    })
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
    expect(response.headers.get('access-control-allow-headers')).toContain('MCP-Protocol-Version')
  })

  test('GET and DELETE: 405, since there is no stream and no session', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await server.fetch('/mcp/demo', { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('OPTIONS, POST')
    }
  })

  test('two messages at once', async () => {
    const detail = await refuses(
      () => post('/mcp/demo', [RECORD, { ...RECORD, id: 2 }]),
      400,
      'invalid_request',
    )
    expect(detail).toContain('one message')
  })

  test('a message that is too large', async () => {
    const large = { ...RECORD, params: { name: 'record', arguments: { text: 'a'.repeat(1_100_000) } } }
    await refuses(() => post('/mcp/demo', large), 413, 'content_too_large')
  })

  test('what is not JSON, not a message, or of another type', async () => {
    const send = (body: string, type = 'application/json') =>
      server.fetch('/mcp/demo', { method: 'POST', body, headers: { ...ACCEPT, 'Content-Type': type } })
    await refuses(() => send('{"jsonrpc":"2.0",'), 400, 'invalid_json')
    await refuses(() => send(JSON.stringify(RECORD), 'text/plain'), 415, 'unsupported_media_type')
    const before = await graph()
    for (const body of ['{}', '"text"', '{"jsonrpc":"1.0","id":1,"method":"tools/call"}'])
      expect((await send(body)).status, body).toBe(400)
    expect(await graph()).toEqual(before)
  })

  test('a message that is sent half', async () => {
    const before = await graph()
    const body = JSON.stringify(RECORD)
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /mcp/demo HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.secret}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 60)}`,
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    await once(socket, 'close')
    await expect
      .poll(() =>
        server.lines.some((line) => line['route'] === '/mcp/{graph_id}' && line['aborted'] === true),
      )
      .toBe(true)
    expect(await graph()).toEqual(before)
  })
})

describe('streams', () => {
  test('a host that listens is answered as long as it stays, takes no place, and is let go when the service stops', async () => {
    const metrics = createMetrics()
    const own = await startTestServer({ metrics })
    const host = await overHttp(`${own.url}/mcp/demo`, own.secret, 'v2, 2026-07-28')
    const listening = await host.client.listen({ toolsListChanged: true })
    await expect.poll(() => metrics.text()).toMatch(/loregraph_http_requests_under_way 0/)
    const started = performance.now()
    await own.drain(8_000)
    expect(performance.now() - started).toBeLessThan(6_000)
    void listening
    await host.close().catch(() => {})
    await own.stop().catch(() => {})
  })
})
