import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/problem.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
const event = { graph_id: 'demo', event_kind: 'fact', payload: { data: 'x' } }
beforeAll(async () => {
  server = await startTestServer()
  const events = Array.from({ length: 20 }, (_, i) => ({
    event_kind: 'fact',
    context_id: `skill:topic ${i}`,
    payload: { data: `What is known of ${i}` },
  }))
  await server.fetch('/v1/events/batch', { json: { graph_id: 'demo', events } })
})
afterAll(() => server.stop())

describe('B4: Accept', () => {
  test.each([
    ['text/csv', 406],
    ['*/*', 200],
    ['application/json;q=0', 406],
    ['*/*;q=0', 406],
    ['application/*', 200],
    ['text/html, application/json;q=0.1', 200],
    ['application/json;q=0, */*', 406],
    ['APPLICATION/JSON', 200],
  ])('%s: %i', async (accept, status) => {
    const response = await server.fetch('/v1/contexts/demo', { headers: { Accept: accept } })
    if (status === 406) await expectProblem(response, 406, 'not_acceptable')
    else expect(response.status).toBe(status)
  })

  test('absent: 200', async () => expect((await plainGet({})).status).toBe(200))

  test('406 comes before anything is written', async () => {
    const response = await server.fetch('/v1/events', {
      json: { ...event, graph_id: 'new' },
      headers: { Accept: 'a/b' },
    })
    await expectProblem(response, 406)
    await expectProblem(await server.fetch('/v1/contexts/new'), 404, 'graph_not_found')
  })
})

describe('B5: 415', () => {
  const send = (type: string | undefined) =>
    fetch(`${server.url}/v1/events`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${server.secret}`,
        ...(type !== undefined && { 'Content-Type': type }),
      },
      body: Buffer.from(JSON.stringify(event)),
    })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/xml',
    'multipart/form-data; boundary=x',
    'json',
    undefined,
  ])('%s', async (type) => void (await expectProblem(await send(type), 415, 'unsupported_media_type')))

  test.each([
    'application/json',
    'application/json;foo=bar',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
  ])('%s is taken', async (type) => expect((await send(type)).status).toBeLessThan(300))

  test('compressed bodies are refused, and the answer says how to send them', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip']) {
      const response = await server.fetch('/v1/events', {
        json: event,
        headers: { 'Content-Encoding': encoding },
      })
      expect(response.headers.get('accept-encoding')).toBe('identity')
      await expectProblem(response, 415)
    }
  })

  test('a GET may say any Content-Type', async () => {
    const response = await server.fetch('/v1/contexts/demo', {
      headers: { 'Content-Type': 'text/plain; a=b' },
    })
    expect(response.status).toBe(200)
  })
})

describe('B19: compression', () => {
  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip;q=0.5, br;q=0.4', 'gzip'],
    ['*', 'br'],
    ['identity;q=0, *', 'br'],
    ['zstd', undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
  ])('%s gives %s, which decodes to the same bytes', async (accept, encoding) => {
    const whole = await plainGet({})
    const answer = await plainGet({ 'Accept-Encoding': accept })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(decode(answer.body, encoding).equals(whole.body)).toBe(true)
    expect(answer.headers['vary']).toContain('Accept-Encoding')
    expect(answer.headers['etag']).toMatch(/^W\//)
    expect(answer.headers['etag']).toBe(whole.headers['etag'])
  })

  test('406 when nothing at all is acceptable', async () => {
    expect((await plainGet({ 'Accept-Encoding': 'identity;q=0, zstd' })).status).toBe(406)
  })
})

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes)
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes
}

/** Sends no header of its own accord, and decodes nothing. */
function plainGet(headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const url = `${server.url}/v1/contexts/demo/skill`
      request(
        url,
        { headers: { Authorization: `Bearer ${server.secret}`, ...headers } },
        async (response) => {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          })
        },
      )
        .on('error', reject)
        .end()
    },
  )
}
