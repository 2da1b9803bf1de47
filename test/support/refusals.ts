import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/contract/contract.js'
import { operationTable } from '../../src/contract/generated/server.js'
import type { OperationId } from '../../src/contract/operations.js'
import type { Api, Call } from './api.js'
import { type Described, deref, operationsOf, readOpenApi } from './openapi.js'

const JSON_TYPE = 'application/json'
const DEFAULT_MAX_BYTES = 1_048_576
const document = readOpenApi()
const operations = operationsOf(document)

/** The statuses that `describeRefusals` has tests for. */
export function refusedAlike({ object, body, parameters }: Described): string[] {
  const { properties } = deref(document, body?.media.schema ?? {})
  const namesGraph = parameters.some(({ name }) => name === 'graph_id') || properties?.['graph_id']
  const of = ['304', '401', '403', '412', ...(namesGraph ? ['404'] : [])]
  if (body?.type === JSON_TYPE) of.push('413', '415')
  return [...of, 'default'].filter((status) => status in object.responses)
}

/**
 * What an operation refuses like every other, and that nothing changes by it: made from the contract. `call` is a request
 * that would succeed; `harmless`, if that would do harm, is one that succeeds without.
 */
export function describeRefusals(
  api: Api,
  id: OperationId,
  call: () => Call | Promise<Call>,
  harmless = call,
): void {
  const operation = operations.find((it) => it.id === id)
  if (operation === undefined) throw new Error(`The contract has no operation ${id}.`)
  const statuses = refusedAlike(operation)
  const refuses = (title: string, attempt: (call: Call) => Promise<unknown>) =>
    test(title, async () => {
      const wanted = await call()
      const before = await held(api)
      await attempt(wanted)
      expect(await held(api)).toEqual(before)
    })
  const cases: Record<string, () => void> = {
    304: () => refuses('for the tag of the answer', (it) => expectNotModified(api, id, it)),
    401: () => refuses('without a valid secret', (it) => expectUnauthorized(api, id, it)),
    403: () =>
      refuses('without the scope, or for a graph out of reach', (it) => expectForbidden(api, id, it)),
    404: () => refuses('a graph that does not exist', (it) => expectGraphNotFound(api, id, it)),
    412: () => refuses('for any tag in If-Match', (it) => expectPreconditionFailed(api, id, it)),
    413: () =>
      refuses('a body of more than the limit', () =>
        expectBodyLimit(api, id, operation.object['x-max-body-bytes'] ?? DEFAULT_MAX_BYTES),
      ),
    415: () =>
      refuses('anything but JSON in UTF-8', ({ body }) => expectUnsupportedMediaTypes(api, id, body)),
    default: () => {
      refuses('405: any other method', (it) => expectOtherMethodsRefused(api, id, it, allowed(operation)))
      if (!answersJson(operation)) return
      refuses('406: an answer that is not JSON', (it) => expectOnlyJsonOffered(api, id, it))
      test('JSON among others is accepted', () => expectJsonAccepted(api, id, harmless))
    },
  }
  for (const status of statuses) describe(`${status} like every operation`, () => cases[status]?.())
}

/** Every event and every key of the service, but for the keys that a test has made to ask with. */
async function held({ server: { store } }: Api): Promise<unknown> {
  const all = { page: 0, pageSize: 100_000 }
  const events = []
  for (const graph of (await store.graphs(undefined, all)).items)
    for await (const some of (await store.exportGraph(graph)).events) events.push([graph, some])
  const keys = (await store.keys.list(undefined, all)).items.filter(({ name }) => name !== 'test')
  return { events, keys }
}

function allowed({ path }: Described): string {
  const methods = operations.filter((it) => it.path === path).map(({ method }) => method)
  return [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ')
}

function answersJson({ object }: Described): boolean {
  return Object.entries(object.responses).some(
    ([status, response]) => status.startsWith('2') && JSON_TYPE in (deref(document, response).content ?? {}),
  )
}

async function expectGraphNotFound(api: Api, id: OperationId, { path, body, ...call }: Call) {
  for (const graph_id of ['nothing', 'DEMO', 'isPrototypeOf']) {
    const parts =
      path?.['graph_id'] === undefined
        ? { path, body: { ...Object(body), graph_id } }
        : { path: { ...path, graph_id }, body }
    await api.refused(id, { ...call, ...parts } as Call, 404, 'graph_not_found')
  }
}

/** What every operation refuses alike. `call` is a request that would succeed. */

async function expectUnauthorized(api: Api, id: OperationId, call: Call): Promise<void> {
  const unknown = `Bearer ${'x'.repeat(43)}`
  for (const [Authorization, error] of [
    ['', ''],
    ['Basic eDp5', ''],
    [unknown, ', error="invalid_token"'],
    [`Bearer ${api.server.secret}x`, ', error="invalid_token"'],
  ] as const) {
    const { headers } = await api.refused(id, { ...call, headers: { Authorization } }, 401, 'unauthorized')
    expect(headers['www-authenticate']).toBe(`Bearer realm="loregraph"${error}`)
  }
  // The secret is asked for before anything else is looked at.
  const broken = { ...call, query: { no_such_parameter: 1 }, ...(call.body !== undefined && { body: '{' }) }
  await api.refused(id, { ...broken, headers: { Authorization: unknown } }, 401, 'unauthorized')
}

const SCOPES = ['read', 'write', 'admin'] as const

/** Every scope but the right one, and the right one for another graph: each refused before anything else is looked at. */
async function expectForbidden(api: Api, id: OperationId, call: Call): Promise<void> {
  const { scope, graphIn }: Operation = operationTable[id]
  const others = await api.server.key({ scopes: SCOPES.filter((other) => other !== scope) })
  const lacking = await api.refused(id, { ...call, headers: others.headers }, 403, 'insufficient_scope')
  expect(lacking.headers['www-authenticate']).toBe(
    `Bearer realm="loregraph", error="insufficient_scope", scope="${scope}"`,
  )
  expect(lacking.body.detail).toContain(scope)
  if (graphIn === undefined) return
  const elsewhere = await api.server.key({ scopes: [...SCOPES], graphs: ['elsewhere'] })
  const { body } = await api.refused(id, { ...call, headers: elsewhere.headers }, 403, 'graph_forbidden')
  expect(body.detail).toBe('This secret does not reach that graph. Ask for one that does.')
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

async function expectOtherMethodsRefused(api: Api, id: OperationId, call: Call, allow: string) {
  for (const method of METHODS.filter((it) => !allow.split(', ').includes(it))) {
    const { headers } = await api.refused(id, { ...call, method }, 405, 'method_not_allowed')
    expect(headers['allow']).toBe(allow)
  }
}

async function expectOnlyJsonOffered(api: Api, id: OperationId, call: Call): Promise<void> {
  for (const Accept of ['text/csv', 'application/json;q=0', 'text/html, image/*'])
    await api.refused(id, { ...call, headers: { Accept } }, 406, 'not_acceptable')
}

async function expectJsonAccepted(api: Api, id: OperationId, call: () => Call | Promise<Call>) {
  for (const Accept of ['*/*', 'application/*', 'text/html, application/json;q=0.1'])
    expect((await api.call(id, { ...(await call()), headers: { Accept } })).status).toBeLessThan(300)
}

/** Text that is no JSON, no body at all, and JSON that JavaScript would read as something else. */
export async function expectBrokenBodiesRefused(api: Api, id: OperationId): Promise<void> {
  for (const body of ['{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":NaN}', '[1', '"', '{} {}', ' '])
    await api.refused(id, { body }, 400, 'invalid_json')
  for (const body of [
    '[]',
    '"text"',
    '1',
    'null',
    'true',
    '{"a":1e999}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
  ])
    await api.refused(id, { body }, 400, 'invalid_request')
  await api.refused(
    id,
    { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    400,
    'invalid_json',
  )
  for (const [body, path] of [
    ['{"a":1,"a":1}', '/body/a'],
    ['{"a":[{},{"b/c":{"x":1},"\\u0062/c":2}]}', '/body/a/1/b~1c'],
    ['{"__proto__":1,"x":"{\\"a\\":1}","__proto__":2}', '/body/__proto__'],
  ]) {
    const twice = await api.refused(id, { body }, 400, 'invalid_request')
    expect(twice.body.errors).toEqual([{ path, message: 'must be given only once' }])
  }
  const empty = await api.refused(id, { body: '' }, 400, 'invalid_request')
  expect(empty.body.errors).toEqual([{ path: '/body', message: 'is required' }])
}

/** Each of the changes to a good body is refused, and the error names the field. */
export async function expectFieldsRefused(
  api: Api,
  id: OperationId,
  good: object,
  changes: readonly (readonly [change: object, path: string])[],
): Promise<void> {
  for (const [change, path] of changes) {
    const body = { ...good, ...change }
    const answer = await api.call(id, { body })
    expect(answer.status, `${JSON.stringify(change).slice(0, 200)}: ${answer.text}`).toBe(400)
    expect(answer.body, JSON.stringify(change).slice(0, 200)).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ path })]),
    })
  }
}

async function expectUnsupportedMediaTypes(api: Api, id: OperationId, body: unknown): Promise<void> {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json;charset=latin1',
    '',
  ])
    await api.refused(id, { body, headers: { 'Content-Type': type } }, 415, 'unsupported_media_type')
  const zipped = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
  await api.refused(id, { body, headers: zipped }, 415, 'unsupported_media_type')
}

/** A body of exactly the limit is read (and refused for what it says); one byte more is not. */
async function expectBodyLimit(api: Api, id: OperationId, limit: number): Promise<void> {
  const { errors } = (await api.refused(id, { body: `"${'x'.repeat(limit - 1)}"` }, 413, 'content_too_large'))
    .body
  expect(errors).toEqual([{ path: '/body', message: `must have at most ${limit} bytes` }])
  await api.refused(id, { body: `"${'x'.repeat(limit - 2)}"` }, 400, 'invalid_request')
}

export async function expectNotModified(api: Api, id: OperationId, call: Call): Promise<void> {
  const { headers } = await api.ok(id, call)
  const etag = String(headers['etag'])
  const again = await api.call(id, { ...call, headers: { 'If-None-Match': etag } })
  expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag])
  expect((await api.call(id, { ...call, headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
}

async function expectPreconditionFailed(api: Api, id: OperationId, call: Call): Promise<void> {
  for (const tag of ['"other"', 'W/"weak"', '"a", "b"', 'x', ''])
    await api.refused(id, { ...call, headers: { 'If-Match': tag } }, 412, 'precondition_failed')
}

/** `dry_run` is exactly `true` or `false`: whoever writes anything else may mean either. */
export async function expectDryRunParameter(api: Api, id: OperationId, call: Call): Promise<void> {
  for (const dry_run of ['TRUE', 'yes', '1', '0', 'null', ' true', 'false,true']) {
    const { body } = await api.refused(id, { ...call, query: { dry_run } }, 400, 'invalid_request')
    expect(body.errors).toEqual([{ path: '/query/dry_run', message: 'must be true or false' }])
  }
  const empty = await api.refused(id, { ...call, query: { dry_run: '' } }, 400, 'invalid_request')
  expect(empty.body.errors?.[0]?.path).toBe('/query/dry_run')
}
