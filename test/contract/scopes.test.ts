import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readContract } from '../../src/contract/read-contract.js'
import { SCOPES } from '../../src/domain/keys.js'
import { loadDemo } from '../../src/service/demo-graph.js'
import { examplesOf, operationsOf, readOpenApi } from '../support/openapi.js'
import { held as heldIn } from '../support/refusals.js'
import { startTestServer, type TestServer } from '../support/server.js'
import { type RawResponse, send } from '../support/wire.js'

/** The scope table, made from the contract: every operation, every single scope, and a graph that is the key's own,
 * somebody else's, or nobody's. */

const document = readOpenApi()
const described = new Map(operationsOf(document).map((operation) => [operation.id, operation]))

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await loadDemo(server.store)
  for (const graph_id of ['own', 'foreign'])
    await server.call('/v1/events', {
      json: { graph_id, event_kind: 'fact', context_id: 'skill:react_hooks', payload: { text: 'x' } },
    })
})
afterAll(() => server.stop())

const { operations } = readContract(JSON.stringify(document))

/** The contract's own examples, asked of one graph. What destroys is only asked what it would do. */
function requestOf(id: string, graph: string) {
  const operation = described.get(id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  const { method, path, parameters, body } = operation
  const examples = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]))
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'graph_id' ? graph : (examples[name] ?? '')),
  )
  const dryRun = parameters.some(({ name }) => name === 'dry_run') ? '?dry_run=true' : ''
  const [example] = body === undefined ? [undefined] : examplesOf(body.media).values()
  const sent =
    typeof example === 'object' && example !== null ? { ...example, ...graphField(example, graph) } : example
  return {
    method,
    target: target + dryRun,
    headers: body === undefined ? {} : { 'Content-Type': body.type },
    body: sent === undefined || typeof sent === 'string' ? sent : JSON.stringify(sent),
  }
}

function graphField(example: object, graph: string) {
  return 'graph_id' in example ? { graph_id: graph } : {}
}

async function ask(id: string, graph: string, secret: string): Promise<RawResponse> {
  const request = requestOf(id, graph)
  const headers = { ...request.headers, Authorization: `Bearer ${secret}`, 'X-Request-Id': 'same' }
  return send(server.port, { ...request, headers })
}

/** The answer as bytes, without the time of day. */
function bytes({ status, headers, text }: RawResponse): string {
  const { date: _date, ...rest } = headers
  return JSON.stringify([status, rest, text])
}

const codeOf = ({ text }: RawResponse): unknown => (text.startsWith('{') ? JSON.parse(text).code : undefined)
const rows = operations.flatMap((operation) => SCOPES.map((held) => ({ ...operation, held })))

describe('C2: the scope table', () => {
  test('there is a row for every operation and scope', () => expect(rows.length).toBe(27 * 3))

  test.each(rows)('$id with the scope $held', async ({ id, scope, graphIn, held }) => {
    const free = await server.key({ scopes: [held] })
    const pinned = await server.key({ scopes: [held], graphs: ['own'] })
    const own = [await ask(id, 'own', free.secret), await ask(id, 'own', pinned.secret)]
    if (scope !== 'any' && held !== scope) {
      const before = await heldIn(server.store)
      for (const graph of ['own', 'foreign', 'absent'])
        for (const { secret } of [free, pinned]) {
          const answer = await ask(id, graph, secret)
          expect([answer.status, codeOf(answer)]).toEqual([403, 'insufficient_scope'])
          const realm = 'Bearer realm="loregraph", error="insufficient_scope"'
          expect(answer.headers['www-authenticate']).toBe(`${realm}, scope="${scope}"`)
        }
      expect(await heldIn(server.store)).toEqual(before)
      return
    }
    // Whatever becomes of it, it is let in; a key cannot always give what the example asks for.
    for (const answer of own)
      if (id !== 'createKey') expect([401, 403], answer.text).not.toContain(answer.status)
    if (graphIn === undefined) return
    const before = await heldIn(server.store)
    const foreign = await ask(id, 'foreign', pinned.secret)
    const absent = await ask(id, 'absent', pinned.secret)
    expect(await heldIn(server.store)).toEqual(before)
    expect([foreign.status, codeOf(foreign)]).toEqual([403, 'graph_forbidden'])
    expect(bytes(foreign)).toBe(bytes(absent))
    expect(foreign.text).not.toContain('foreign')
    expect((await ask(id, 'foreign', free.secret)).status).not.toBe(403)
  })

  test.each(operations)('$id without a valid secret: 401, and nothing changes', async ({ id }) => {
    const before = await heldIn(server.store)
    for (const [secret, error] of [
      ['', ''],
      ['x'.repeat(43), ', error="invalid_token"'],
      [`${server.secret}x`, ', error="invalid_token"'],
    ] as const) {
      const answer = await ask(id, 'own', secret)
      expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthorized'])
      expect(answer.headers['www-authenticate']).toBe(`Bearer realm="loregraph"${error}`)
    }
    expect(await heldIn(server.store)).toEqual(before)
  })

  test('C1: the absent graph is still absent', async () => {
    expect((await server.call('/v1/contexts/absent')).status).toBe(404)
  })
})

describe('C1: no way around', () => {
  const ways: [string, (secret: string) => Promise<Response>][] = [
    ['percent-encoded', (s) => get('/v1/contexts/%66oreign', s)],
    ['with another case', (s) => get('/v1/contexts/FOREIGN', s)],
    ['with a dot segment', (s) => get('/v1/contexts/own/../foreign', s)],
    ['HEAD', (s) => server.fetch('/v1/contexts/foreign', { method: 'HEAD', headers: bearer(s) })],
    [
      'with an ETag',
      async (s) => {
        const etag = (await server.fetch('/v1/contexts/foreign')).headers.get('etag') ?? ''
        expect(etag).not.toBe('')
        return server.fetch('/v1/contexts/foreign', { headers: { ...bearer(s), 'If-None-Match': etag } })
      },
    ],
    [
      'an Idempotency-Key of another',
      async (s) => {
        const json = { graph_id: 'foreign', event_kind: 'fact', payload: { text: 'k' } }
        await server.fetch('/v1/events', { json, headers: { 'Idempotency-Key': 'shared' } })
        return server.fetch('/v1/events', { json, headers: { ...bearer(s), 'Idempotency-Key': 'shared' } })
      },
    ],
  ]

  test.each(ways)('%s', async (_name, way) => {
    const { secret } = await server.key({ scopes: [...SCOPES], graphs: ['own'] })
    expect((await way(secret)).status).toBe(403)
  })

  test('a graph in the body twice', async () => {
    const { secret } = await server.key({ scopes: [...SCOPES], graphs: ['own'] })
    const twice = await server.fetch('/v1/memories', {
      method: 'POST',
      body: '{"graph_id":"own","graph_id":"foreign","query":"x"}',
      headers: { ...bearer(secret), 'Content-Type': 'application/json' },
    })
    expect(twice.status).toBe(400)
  })

  test('a link cannot name a memory of another graph', async () => {
    const { secret } = await server.key({ scopes: ['write'], graphs: ['own'] })
    const { body } = await server.call('/v1/memories', {
      json: { graph_id: 'foreign', query: 'x', format: 'json' },
    })
    const [item] = body['items'] as { memory_id: string }[]
    const json = {
      graph_id: 'own',
      event_kind: 'fact',
      payload: { text: 'y' },
      contradicts: [item?.memory_id],
    }
    const refused = await server.call('/v1/events', { json, headers: bearer(secret) })
    expect([refused.status, refused.body['code']]).toEqual([422, 'unknown_memory'])
  })
})

describe('C2: no mass assignment', () => {
  const OWNED =
    'memory_id event_id recorded_at times_seen confidence status superseded_by seq text links key_id principal scopes erased_at'.split(
      ' ',
    )

  test.each(OWNED)('%s is refused in each write, and nothing is recorded', async (field) => {
    const event = { event_kind: 'fact', payload: { text: 'mass' }, [field]: 'x' }
    const batch = { graph_id: 'mass', events: [event] }
    for (const [path, json, at] of [
      ['/v1/events', { graph_id: 'mass', ...event }, `/body/${field}`],
      ['/v1/events/batch', batch, `/body/events/0/${field}`],
      [
        '/v1/events/batch',
        { graph_id: 'mass', events: [{ ...event, [field]: undefined }], [field]: 'x' },
        `/body/${field}`,
      ],
    ] as const) {
      const { status, body } = await server.call(path, { json })
      expect([status, body['errors']]).toMatchObject([400, [{ path: at }]])
    }
    expect((await server.call('/v1/contexts/mass')).status).toBe(404)
  })
})

function bearer(secret: string) {
  return { Authorization: `Bearer ${secret}` }
}

function get(path: string, secret: string): Promise<Response> {
  return server.fetch(path, { headers: bearer(secret) })
}
