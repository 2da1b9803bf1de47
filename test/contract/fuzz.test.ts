import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PastEvent } from '../../src/domain/events/recording.js'
import { loadDemo } from '../../src/service/demo-graph.js'
import { inPages } from '../store/support.js'
import { type Arbitraries, arbitraries, type Known } from '../support/arbitrary.js'
import { createChecker } from '../support/checker.js'
import { NDJSON } from '../support/ndjson.js'
import { createSchemas, type Described, operationsOf, readOpenApi } from '../support/openapi.js'
import { type Requests, requestsOf } from '../support/requests.js'
import { runsOf } from '../support/runs.js'
import { startTestServer, type TestServer } from '../support/server.js'
import { type RawRequest, type RawResponse, send } from '../support/wire.js'

/** `FUZZ_RUNS=5000` looks further; `FUZZ_SEED=123` repeats a run: the seed is printed with every failure. */
const RUNS = runsOf({ quick: 15, full: 200 }, 'FUZZ_RUNS')
const seed = process.env['FUZZ_SEED']
const TIMEOUT = Math.max(120_000, RUNS * 50)

const document = readOpenApi()
const checker = createChecker(document)
const schemas = createSchemas(document)

let server: TestServer
let known: Known
let values: Arbitraries
let restore: (receipt: string) => Promise<void>

beforeAll(async () => {
  server = await startTestServer()
  known = await furnish(server)
  restore = await keep(server)
  values = arbitraries(document, known, schemas)
})
afterAll(() => server.stop())

describe.each(operationsOf(document))('$id', (operation) => {
  let requests: Requests
  beforeAll(() => {
    requests = requestsOf(document, operation, values)
  })

  const run = (requestsToSend: Arbitrary<RawRequest>, check: (received: RawResponse) => void) =>
    fc.assert(
      fc.asyncProperty(requestsToSend, async (request) => {
        const headers = { Authorization: `Bearer ${server.secret}`, ...request.headers }
        const received = await send(server.port, { ...request, headers })
        check(received)
        if (operation.method === 'DELETE' && received.status < 300) await restore(received.text)
      }),
      { numRuns: RUNS, ...(seed !== undefined && { seed: Number(seed) }) },
    )

  test('what fits the contract gets a documented status and a body that fits', {
    timeout: TIMEOUT,
  }, async () => {
    let successes = 0
    await run(requests.valid, (received) => {
      const body = checker.check(operation.id, received)
      expect(Object.keys(operation.object.responses), received.text).toContain(String(received.status))
      if (received.status < 300) successes++
      // Rules that a schema cannot express have codes of their own; the contract's own rules were kept.
      else expect(body).not.toMatchObject({ code: expect.stringMatching(/^invalid_(request|json)$/) })
    })
    // Few requests may all miss by chance.
    if (RUNS >= 100 && isFurnished(operation, known)) expect(successes).toBeGreaterThan(RUNS / 50)
  })

  test('what does not fit is refused with a Problem', { timeout: TIMEOUT }, async () => {
    await run(requests.invalid, (received) => {
      expect(received.status, received.text).toBeGreaterThanOrEqual(400)
      expect(received.status, received.text).toBeLessThan(500)
      checker.check(operation.id, received)
    })
  })

  test('hostile words anywhere never get a 5xx', { timeout: TIMEOUT }, async () => {
    await run(requests.hostile, (received) => {
      expect(received.status, received.text).toBeLessThan(500)
      checker.check(operation.id, received)
    })
  })

  test('and the service is none the worse for it', async () => {
    expect((await server.fetch('/readyz')).status).toBe(200)
    expect(server.lines.filter((line) => Number(line['level']) >= 50)).toEqual([])
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

const TYPES = ['skill', 'Decision', '__proto__']
const NAMES = ['react_hooks', 'Test Runner', 'a/b', 'constructor']
const GRAPHS = ['demo', '__proto__']

/** Fills the store with the demo graph and with names that try to be more than names; says which words lead there. */
async function furnish(server: TestServer): Promise<Known> {
  await loadDemo(server.store)
  const contexts = TYPES.flatMap((type) => NAMES.map((name) => `${type}:${name}`))
  const events = contexts.map((context_id) => ({
    event_kind: 'observation',
    context_id,
    payload: { text: `the test of ${context_id}` },
    related_to: ['skill:react_hooks'],
  }))
  const { body } = await server.call('/v1/events/batch', { json: { graph_id: 'demo', events } })
  const ids = (body['results'] as { event_id: string }[]).map((result) => result.event_id)
  // With the same ids, so that a link to a memory of one graph is good in all of them.
  for (const copy of GRAPHS.filter((graph) => graph !== 'demo'))
    await server.store.importGraph(copy, (await server.store.exportGraph('demo')).events, String)
  const keys = await Promise.all(Array.from({ length: 5 }, () => server.key({})))
  return {
    GraphId: GRAPHS,
    ContextType: TYPES,
    ContextName: NAMES,
    ContextId: contexts,
    LinkTarget: [...contexts, ...ids],
    MemoryId: ids,
    KeyId: keys.map(({ key_id }) => key_id),
    SearchQuery: ['react', 'Test Runner', 'decision:test', 'proto'],
  }
}

/** Gives a way to put back what a request has erased, by its receipt, with the same ids. A key has none. */
async function keep({ store }: TestServer): Promise<(receipt: string) => Promise<void>> {
  const graphs = new Map<string, PastEvent[]>()
  for (const graph of GRAPHS) {
    graphs.set(graph, [])
    for await (const events of (await store.exportGraph(graph)).events) graphs.get(graph)?.push(...events)
  }
  const { items: keys } = await store.keys.list(undefined, { page: 0, pageSize: 500 })
  const putBack = async (graph: string) => {
    await store.erase(graph, { everything: true }, { dryRun: false }).catch(() => {})
    await store.importGraph(graph, inPages(graphs.get(graph) ?? [], 1000), String)
  }
  return async (receipt) => {
    const erased = receipt === '' ? undefined : JSON.parse(receipt)
    if (erased !== undefined) return erased.dry_run ? undefined : putBack(erased.graph_id)
    const { items: left } = await store.keys.list(undefined, { page: 0, pageSize: 500 })
    for (const key of keys.filter(({ keyId }) => !left.some((it) => it.keyId === keyId)))
      await store.keys.add(key, key.keyId)
  }
}

/** Whether the words at hand suffice for requests that succeed: not for whole exports, whose lines must add up. */
function isFurnished({ body, parameters }: Described, known: Known): boolean {
  return (
    body?.type !== NDJSON &&
    parameters.every(
      ({ in: place, schema }) => place !== 'path' || (schema.$ref?.split('/').at(-1) ?? '') in known,
    )
  )
}
