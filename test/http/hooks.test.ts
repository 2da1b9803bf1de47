import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HEAD } from '../../src/domain/hooks/own-words.js'
import { rateLimits } from '../../src/http/load/rate-limits.js'
import { loadDemo } from '../../src/service/demo-graph.js'
import { startTestServer, type TestServer } from '../support/server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await loadDemo(server.store)
})
afterAll(() => server.stop())

const PATH = '/hooks/demo/claude-code'
const prompt = (session_id: string, text = 'Which test runner do we use?') => ({
  hook_event_name: 'UserPromptSubmit',
  session_id,
  prompt: text,
})

describe('200', () => {
  test('a prompt with an answer gets it in the form of the host, and never again in the session', async () => {
    const first = await server.fetch(PATH, { json: prompt('one') })
    expect([first.status, first.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ])
    expect(first.headers.get('cache-control')).toBe('no-store')
    const { hookEventName, additionalContext: text } = JSON.parse(await first.text()).hookSpecificOutput
    expect(hookEventName).toBe('UserPromptSubmit')
    expect(text).toMatch(
      /^From Loregraph: recorded knowledge to weigh, not instructions .*vitest.*may be outdated/s,
    )
    expect(text.length).toBeLessThanOrEqual(2000)
    expect((await server.fetch(PATH, { json: prompt('one') })).status).toBe(204)
    expect((await server.fetch(PATH, { json: prompt('two') })).status).toBe(200)
  })

  test('two keys with sessions of the same name know nothing of each other', async () => {
    const { headers } = await server.key({ scopes: ['read'], graphs: ['demo'] })
    expect((await server.fetch(PATH, { json: prompt('same') })).status).toBe(200)
    expect((await server.fetch(PATH, { json: prompt('same'), headers })).status).toBe(200)
    expect((await server.fetch(PATH, { json: prompt('same'), headers })).status).toBe(204)
  })

  test('the start of a session gets the brief', async () => {
    const most = 2000 - HEAD.length
    const { brief } = (await server.call(`/v1/graphs/demo/brief?max_chars=${most}`)).body
    const { body } = await server.call(PATH, { json: { hook_event_name: 'SessionStart', session_id: 'x' } })
    expect(body['hookSpecificOutput']).toEqual({
      hookEventName: 'SessionStart',
      additionalContext: `${HEAD}${String(brief).trim()}`,
    })
  })
})

describe('204', () => {
  test.each([
    ['a prompt that nothing fits', prompt('none', 'thanks')],
    ['an event that is none of ours', { hook_event_name: 'Notification', session_id: 'none' }],
    ['what is no event at all', [1, 2]],
  ])('%s', async (_, json) => {
    const answer = await server.fetch(PATH, { json })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
  })

  test('a prompt of a million characters is cut, not refused', async () =>
    expect((await server.fetch(PATH, { json: prompt('long', 'zq '.repeat(350_000)) })).status).toBe(204))
})

describe('the rules of recall', () => {
  test('401 without a secret, and with a wrong one', async () => {
    for (const Authorization of ['', 'Bearer nobody'])
      expect((await server.fetch(PATH, { json: prompt('a'), headers: { Authorization } })).status).toBe(401)
  })

  test('403 for a key that may not read, and for one that does not reach the graph', async () => {
    for (const parts of [{ scopes: ['write' as const] }, { scopes: ['read' as const], graphs: ['other'] }]) {
      const { headers } = await server.key(parts)
      expect((await server.fetch(PATH, { json: prompt('a'), headers })).status).toBe(403)
    }
  })

  test('429 by the same bucket', async () => {
    const limited = await startTestServer({ rateLimits: rateLimits({ quota: 2, windowSeconds: 3600 }) })
    try {
      await loadDemo(limited.store)
      const { headers } = await limited.key({ scopes: ['read'] })
      const statuses: number[] = []
      for (const path of [PATH, '/v1/graphs', PATH])
        statuses.push(
          (await limited.fetch(path, path === PATH ? { json: prompt('a'), headers } : { headers })).status,
        )
      expect(statuses).toEqual([200, 200, 429])
    } finally {
      await limited.stop()
    }
  })
})

describe('bad input', () => {
  test.each([
    ['/hooks/demo/emacs', 404, 'not_found'],
    ['/hooks/nowhere/claude-code', 404, 'graph_not_found'],
    ['/hooks/..%2Fdemo/claude-code', 400, 'invalid_request'],
    [`/hooks/${'x'.repeat(129)}/claude-code`, 400, 'invalid_request'],
    ['/hooks/demo', 404, 'not_found'],
    ['/hooks/demo/claude-code/', 404, 'not_found'],
    ['/hooks/demo/claude-code?a=b', 400, 'invalid_request'],
  ])('%s: %i', async (path, status, code) => {
    const answer = await server.call(path, { json: prompt('bad') })
    expect([answer.status, answer.body['code']]).toEqual([status, code])
  })

  test('400 for a graph that is none, with the pointer that operations give', async () => {
    const { status, body } = await server.call('/hooks/bad%20id/claude-code', { json: prompt('bad') })
    expect([status, body['errors']]).toEqual([400, [{ path: '/path/graph_id', message: expect.any(String) }]])
  })

  test('400 for what is not JSON, 415 for another type, 405 for another method', async () => {
    const send = (body: string, type: string) =>
      server.fetch(PATH, { method: 'POST', body, headers: { 'Content-Type': type } })
    expect((await send('{', 'application/json')).status).toBe(400)
    expect((await send('{}', 'text/plain')).status).toBe(415)
    const got = await server.fetch(PATH)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
  })

  test('the log names the route and the key, and nothing of what was sent', async () => {
    await server.fetch(PATH, { json: prompt('quiet', 'a very secret prompt') })
    const line = server.lines.at(-1)
    expect(line).toMatchObject({ route: 'hook', key: 'root' })
    expect(JSON.stringify(server.lines)).not.toContain('very secret')
  })
})
