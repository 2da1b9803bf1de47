import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSecret } from '../../src/domain/secret.js'
import { authenticator } from '../../src/http/steps/auth.js'
import { hashSecret } from '../../src/store/hash-secret.js'
import { expectBelow } from '../support/quick.js'
import { startTestServer, type TestServer } from '../support/server.js'

const MIB = 1024 * 1024
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('C1: the answer takes as long for a graph out of reach as for one that does not exist', async () => {
  const payload = { text: 'x' }
  await server.call('/v1/events', { json: { graph_id: 'foreign', event_kind: 'fact', payload } })
  const { headers } = await server.key({ scopes: ['read'], graphs: ['own'] })
  const median = (list: number[] = []) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0
  await expectBelow(0.25, async () => {
    const times: Record<string, number[]> = { foreign: [], absent: [] }
    for (let i = 0; i < 600; i++)
      for (const graph of ['foreign', 'absent']) {
        const ms = await timed(() => server.fetch(`/v1/contexts/${graph}`, { headers }), 403)
        if (i >= 100) times[graph]?.push(ms)
      }
    const [a, b] = [median(times['foreign']), median(times['absent'])]
    return Math.abs(a - b) / Math.min(a, b)
  })
})

test('C11: checking a secret takes less than 0.2 ms', async () => {
  const secrets = Array.from({ length: 10_000 }, () => makeSecret(randomBytes))
  const keys = { find: async () => undefined }
  const { authenticate } = authenticator({ rootHash: hashSecret('root'), keys, now: () => new Date() })
  for (const secret of secrets.slice(0, 1000)) await authenticate(secret)
  await expectBelow(0.2, async () => {
    const started = performance.now()
    for (const secret of secrets) await authenticate(secret)
    return (performance.now() - started) / secrets.length
  })
})

test('B6: a body that says it is too large is refused within a second', async () => {
  const init = {
    method: 'POST',
    body: Buffer.alloc(2 * MIB),
    headers: { 'Content-Type': 'application/json' },
  }
  await expectBelow(1_000, () => timed(() => server.fetch('/v1/events', init), 413))
})

test('C4: after 400,000 levels, and after 100,000 keys, the service is as quick as ever', async () => {
  const event = (payload: string) => `{"graph_id":"demo","event_kind":"fact","payload":${payload}}`
  const keys = Array.from({ length: 70_000 }, (_, i) => `"${i}":1`).join(',')
  for (const body of [event(`{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`), event(`{${keys}}`)]) {
    const headers = { 'Content-Type': 'application/json' }
    await timed(() => server.fetch('/v1/events', { method: 'POST', body, headers }), 400)
    await expectBelow(500, () => timed(() => server.fetch('/livez'), 200))
  }
})

/** How long a request takes that must be answered with that status. */
async function timed(request: () => Promise<Response>, status: number): Promise<number> {
  const started = performance.now()
  const response = await request()
  const ms = performance.now() - started
  expect(response.status, await response.text()).toBe(status)
  return ms
}
