import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/contract/operations.js'
import type { Store } from '../../src/store/store.js'
import type { Api, Call } from './api.js'
import { badRequests } from './mistakes.js'
import { type Described, deref, operationsOf, readOpenApi } from './openapi.js'

const JSON_TYPE = 'application/json'
const DEFAULT_MAX_BYTES = 1_048_576
const document = readOpenApi()
const operations = operationsOf(document)

/** The statuses that `describeRefusals` has tests for. */
export function refusedAlike({ object, body, parameters }: Described): string[] {
  const { properties } = deref(document, body?.media.schema ?? {})
  const namesGraph = parameters.some(({ name }) => name === 'graph_id') || properties?.['graph_id']
  const of = ['304', '400', '412', ...(namesGraph ? ['404'] : [])]
  if (body?.type === JSON_TYPE) of.push('413')
  return of.filter((status) => status in object.responses)
}

/**
 * What an operation refuses by what the contract says of it, and that nothing changes by it. `call` is a request that
 * would succeed.
 */
export function describeRefusals(api: Api, id: OperationId, call: () => Call | Promise<Call>): void {
  const operation = operations.find((it) => it.id === id)
  if (operation === undefined) throw new Error(`The contract has no operation ${id}.`)
  const refuses = (title: string, attempt: (call: Call) => Promise<unknown>) =>
    test(title, async () => {
      const wanted = await call()
      const before = await held(api.server.store)
      await attempt(wanted)
      expect(await held(api.server.store)).toEqual(before)
    })
  const cases: Record<string, () => void> = {
    304: () => refuses('for the tag of the answer', (it) => expectNotModified(api, id, it)),
    400: () =>
      refuses('each part that is missing, unknown, of another type or out of bounds, by name', (it) =>
        expectMistakesNamed(api, operation, it),
      ),
    404: () => refuses('a graph that does not exist', (it) => expectGraphNotFound(api, id, it)),
    412: () => refuses('for any tag in If-Match', (it) => expectPreconditionFailed(api, id, it)),
    413: () =>
      refuses('a body of more than the limit', () =>
        expectBodyLimit(api, id, operation.object['x-max-body-bytes'] ?? DEFAULT_MAX_BYTES),
      ),
  }
  for (const status of refusedAlike(operation)) describe(`${status} by the contract`, () => cases[status]?.())
}

/** Every event and every key of the service, but for the keys that a test has made to ask with. */
export async function held(store: Store): Promise<unknown> {
  const all = { page: 0, pageSize: 100_000 }
  const events = []
  for (const graph of (await store.graphs(undefined, all)).items)
    for await (const some of (await store.exportGraph(graph)).events) events.push([graph, some])
  const keys = (await store.keys.list(undefined, all)).items.filter(({ name }) => name !== 'test')
  return { events, keys }
}

async function expectMistakesNamed(api: Api, operation: Described, good: Call): Promise<void> {
  let count = 0
  for (const [call, path] of badRequests(operation, good)) {
    const answer = await api.call(operation.id as OperationId, call)
    const sent = JSON.stringify({ ...call, headers: undefined }).slice(0, 300)
    expect([answer.status, answer.body], `${sent} at ${path}: ${answer.text}`).toMatchObject([
      400,
      { code: 'invalid_request', errors: expect.arrayContaining([expect.objectContaining({ path })]) },
    ])
    count++
  }
  expect(count).toBeGreaterThan(2)
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

/** A body of exactly the limit is read (and refused for what it says); one byte more is not. */
async function expectBodyLimit(api: Api, id: OperationId, limit: number): Promise<void> {
  const { errors } = (await api.refused(id, { body: `"${'x'.repeat(limit - 1)}"` }, 413, 'content_too_large'))
    .body
  expect(errors).toEqual([{ path: '/body', message: `must have at most ${limit} bytes` }])
  await api.refused(id, { body: `"${'x'.repeat(limit - 2)}"` }, 400, 'invalid_request')
}

async function expectNotModified(api: Api, id: OperationId, call: Call): Promise<void> {
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
