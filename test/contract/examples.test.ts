import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/contract/operations.js'
import { loadDemo } from '../../src/service/demo-graph.js'
import { type Answer, type Api, type Call, useApi } from '../support/api.js'
import {
  type Described,
  deref,
  examplesOf,
  type Json,
  operationsOf,
  readOpenApi,
} from '../support/openapi.js'

const document = readOpenApi()
const operations = operationsOf(document)

let made = 0

/**
 * The operation's own parameter examples, but for what no example can foresee: the id of a memory and of a key that exist,
 * and the name of a graph that does not yet.
 */
async function parametersOf(api: Api, { id, parameters }: Described): Promise<Pick<Call, 'path' | 'query'>> {
  // Some of the examples erase what others read.
  await loadDemo(api.server.store)
  await api.call('recordEvent', {
    body: {
      graph_id: 'demo',
      event_kind: 'fact',
      context_id: 'skill:react_hooks',
      payload: { text: 'The test runner knows hooks' },
    },
  })
  const { memory_id } = (
    await api.ok('recallMemories', { body: { query: 'test runner', graph_id: 'demo', format: 'json' } })
  ).body.items?.[0] ?? { memory_id: '' }
  const { key_id } = await api.server.key({})
  const actual: Record<string, string> = {
    memory_id,
    key_id,
    ...(id === 'importGraph' && { graph_id: `import_${made++}` }),
  }
  const examples = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, example }) => [name, actual[name] ?? String(example)])
  return { path: Object.fromEntries(examples('path')), query: Object.fromEntries(examples('query')) }
}

/** The examples speak of the graph that `npm start -- --demo` serves. */
describe('A8: every request example of the contract succeeds on the demo graph', () => {
  const api = useApi(async (it) => {
    await loadDemo(it.server.store)
  })

  test.each(operations)('$id', async (operation) => {
    // A boundary: the ids of the contract are the ids that the types were made from.
    const id = operation.id as OperationId
    const bodies = operation.body === undefined ? [undefined] : [...examplesOf(operation.body.media).values()]
    expect(bodies.length).toBeGreaterThan(0)
    for (const body of bodies)
      for (const isFull of [false, true]) {
        const { path, query } = await parametersOf(api, operation)
        const search = isFull ? (query ?? {}) : {}
        const answer = await api.call(id, { path: path ?? {}, query: search, body })
        expect(answer.status, answer.text).toBeLessThan(300)
      }
  })
})

interface Exchange {
  readonly id: string
  readonly path: Call['path']
  readonly body: unknown
  readonly answer: Answer<unknown>
}

/** What was not recorded cannot be read. */
function isDryRecord({ id, body }: Exchange): boolean {
  return id === 'recordEvent' && typeof body === 'object' && body !== null && 'dry_run' in body
}

describe('A8: every link of the contract leads to a success', () => {
  const exchanges: Exchange[] = []
  const api = useApi(async (it) => {
    await loadDemo(it.server.store)
    for (const operation of operations) {
      const bodies =
        operation.body === undefined ? [undefined] : [...examplesOf(operation.body.media).values()]
      // Twice, since some statuses come only then: what is recorded again is a duplicate.
      for (const body of [...bodies, ...bodies]) {
        const { path, query } = await parametersOf(it, operation)
        const answer = await it.call(operation.id as OperationId, {
          path: path ?? {},
          query: query ?? {},
          body,
        })
        exchanges.push({ id: operation.id, path, body, answer })
      }
    }
  })

  const links = operations
    .flatMap(({ id, object }) =>
      Object.entries(object.responses).flatMap(([status, response]) =>
        Object.entries(deref(document, response).links ?? {}).map(([name, link]) => ({
          title: `${id} ${status} ${name}`,
          id,
          status: Number(status),
          link: deref(document, link),
        })),
      ),
    )
    // What one link erases, no other can read any more.
    .sort((a, b) => Number(erases(a.link)) - Number(erases(b.link)))

  test('there are links from recordEvent to the reads', () => {
    const targets = links.filter(({ id }) => id === 'recordEvent').map(({ link }) => link.operationId)
    expect(new Set(targets)).toEqual(new Set(['getMemory', 'deleteMemory', 'browseContexts', 'exportGraph']))
  })

  test.each(links)('$title', async ({ id, status, link }) => {
    const target = operations.find((operation) => operation.id === link.operationId)
    const fitting = exchanges.filter(
      (exchange) => exchange.id === id && exchange.answer.status === status && !isDryRecord(exchange),
    )
    expect(fitting.length).toBeGreaterThan(0)
    for (const exchange of erases(link) ? fitting.slice(0, 1) : fitting) {
      const values = Object.entries(link.parameters ?? {}).map(([name, it]) => [
        name,
        String(evaluate(it, exchange)),
      ])
      const within = (place: string) =>
        Object.fromEntries(
          values.filter(([name]) => target?.parameters.find((it) => it.name === name)?.in === place),
        )
      const answer = await api.call(link.operationId as OperationId, {
        path: within('path'),
        query: within('query'),
        body: link.requestBody === undefined ? undefined : filled(link.requestBody, exchange),
      })
      expect(answer.status, answer.text).toBeLessThan(300)
    }
  })
})

function erases({ operationId }: { readonly operationId: string }): boolean {
  return operations.find(({ id }) => id === operationId)?.method === 'DELETE'
}

/** A runtime expression of OpenAPI, as far as the contract uses them. */
function evaluate(expression: string, { path, body, answer }: Exchange): unknown {
  const [, source, pointer = ''] =
    /^\$(request\.path|request\.body|response\.body)[.#](.*)$/.exec(expression) ?? []
  if (source === undefined) throw new Error(`An expression of an unknown kind: ${expression}`)
  if (source === 'request.path') return path?.[pointer]
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (here, key) => Object.entries(Object(here)).find(([name]) => name === key)?.[1],
      source === 'request.body' ? body : answer.body,
    )
}

function filled(template: Json, exchange: Exchange): unknown {
  if (typeof template === 'string') return template.startsWith('$') ? evaluate(template, exchange) : template
  if (typeof template !== 'object' || template === null || Array.isArray(template)) return template
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, exchange)]))
}
