import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/problem.js'
import { raw } from '../../support/raw.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    handlers: {
      async getMemory() {
        throw new Error('a secret detail in /some/path')
      },
    },
  })
})
afterAll(() => server.stop())

const UUID = /^[0-9a-f-]{36}$/
const send = async (id: string) =>
  (await server.fetch('/livez', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')

describe('B17: the request id', () => {
  test.each(['a', 'abc-DEF_1.2', '01KJPZ6C3RS6ACV2ZXG3FQ2E8N', 'x'.repeat(128)])(
    '%s is taken over',
    async (id) => {
      expect(await send(id)).toBe(id)
    },
  )

  test.each(['', ' ', 'a b', 'a"b', '<x>', 'x'.repeat(129), 'x'.repeat(10_000), 'é', 'a, b'])(
    '%s is replaced',
    async (id) => {
      expect(await send(id)).toMatch(UUID)
    },
  )

  test('a line break cannot be smuggled in', async () => {
    const answer = await raw(server.port, 'GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\n b\r\n\r\n')
    expect(answer.status).toBe(400)
    expect(answer.headers['x-request-id']).toMatch(UUID)
  })

  test('it is in the answer, in the problem and in the log', async () => {
    const response = await server.fetch('/v1/contexts/none', { headers: { 'X-Request-Id': 'find-me' } })
    expect((await expectProblem(response, 404, 'graph_not_found')).request_id).toBe('find-me')
    expect(server.lines.filter((line) => line['id'] === 'find-me')).toEqual([
      expect.objectContaining({
        method: 'GET',
        route: 'browseContexts',
        status: 404,
        code: 'graph_not_found',
      }),
    ])
  })

  test('an unknown traceparent does no harm', async () => {
    for (const value of [
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'nonsense',
      'x'.repeat(5000),
    ])
      expect((await server.fetch('/livez', { headers: { traceparent: value } })).status).toBe(200)
  })
})

describe('the log', () => {
  test('one line a request, without the query, the body or the names in the path', async () => {
    const before = server.lines.length
    await server.fetch('/v1/contexts/private-graph/private-type?page=7')
    await server.fetch('/v1/events', {
      json: { graph_id: 'g', event_kind: 'fact', payload: { data: 'private-data' } },
    })
    await server.fetch('/nothing/private-path')
    const lines = server.lines.slice(before)
    expect(lines.map((line) => line['route'])).toEqual(['listContexts', 'recordEvent', 'none'])
    for (const line of lines) expect(line['ms']).toEqual(expect.any(Number))
    expect(JSON.stringify(lines)).not.toMatch(/private|page=7/)
  })

  test('what the caller is not told of an error of ours, the log has', async () => {
    const id = '01KJPZ6C3RS6ACV2ZXG3FQ2E8N'
    const response = await server.fetch(`/v1/memories/demo/mem_${id}`, {
      headers: { 'X-Request-Id': 'ours' },
    })
    const problem = await expectProblem(response, 500, 'internal_error')
    expect(JSON.stringify(problem)).not.toMatch(/secret detail|some\/path|stack/)
    const line = server.lines.find((it) => it['id'] === 'ours')
    expect(line).toMatchObject({ level: 50, status: 500, err: { message: 'a secret detail in /some/path' } })
  })
})
