import { describe, expect, test } from 'vitest'
import { toolsOf } from '../../src/mcp/catalogue.js'
import { instructions } from '../../src/mcp/server.js'
import { overHttp } from '../support/mcp.js'
import { readOpenApi } from '../support/openapi.js'
import { startTestServer } from '../support/server.js'

type Node = { readonly [key: string]: unknown }

const document = readOpenApi() as unknown as Parameters<typeof toolsOf>[0]
const tools = toolsOf(document)
const schemas = (document as unknown as { components: { schemas: Node; parameters: Node } }).components

/** Where the contract has each argument. */
const PLACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  recall: all('schemas/RecallRequest/properties', ['query', 'limit', 'max_chars', 'min_confidence']),
  insight: all('schemas/InsightRequest/properties', ['task', 'explain']),
  record: all('schemas/Event/properties', ['event_kind', 'context_id']),
  browse: {
    type: 'schemas/ContextType',
    q: 'schemas/SearchQuery',
    context_id: 'schemas/ContextId',
    memory_id: 'schemas/MemoryId',
    page: 'parameters/PageNumber/schema',
  },
  brief: { task: 'schemas/TaskText' },
  forget: { memory_id: 'schemas/MemoryId', context_id: 'schemas/ContextId' },
}

/** Arguments that REST does not have, and times and links, whose rules the service alone checks. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  recall: ['context_types', 'as_of', 'valid_at'],
  insight: ['as_of', 'valid_at'],
  record: [
    ...['text', 'payload', 'timestamp', 'valid_from', 'valid_until', 'records'],
    ...['contradicts', 'reinforces', 'extends', 'related_to'],
  ],
  browse: ['valid_at'],
  brief: ['valid_at'],
  forget: ['confirm'],
}

function all(place: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `${place}/${name}`]))
}

function at(place: string): unknown {
  return place.split('/').reduce<unknown>((node, step) => (node as Node)[step], schemas)
}

/** A schema with references followed, without what only describes and what the service alone checks. */
function bare(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { $ref, ...rest } = value as Node
  const target = typeof $ref === 'string' ? (bare(at($ref.replace('#/components/', ''))) as Node) : {}
  const rules = Object.entries(rest).filter(([key]) => !UNLISTED.test(key))
  return { ...target, ...Object.fromEntries(rules.map(([key, item]) => [key, bare(item)])) }
}

const UNLISTED =
  /^(?:description|pattern|minLength|maxLength|x-hint|additionalProperties|propertyNames|minProperties|maxProperties)$/

describe.each(Object.entries(tools))('%s', (name, { schema, description }) => {
  test('each argument has the schema of the contract, but for its description and patterns', () => {
    const own = OWN[name] ?? []
    const places = PLACES[name] ?? {}
    expect(Object.keys(schema.properties).filter((key) => !own.includes(key))).toEqual(Object.keys(places))
    for (const [argument, place] of Object.entries(places))
      expect(bare(schema.properties[argument]), argument).toEqual(bare(at(place)))
  })

  test('takes no graph, and has no keyword that a host is known to refuse', () => {
    expect(schema.properties).not.toHaveProperty('graph_id')
    expect(JSON.stringify(schema)).not.toMatch(/additionalProperties|propertyNames|m(?:in|ax)Properties/)
  })

  test('its limits are also said in words, and when not to call it', () => {
    for (const [argument, { minimum, description: said }] of Object.entries(schema.properties))
      if (minimum !== undefined) expect(said, argument).toContain(String(minimum))
    expect(description).toMatch(/Do not |Not for |only when /)
  })

  test('its description is short and begins with when to call it', () => {
    expect(description.length).toBeLessThanOrEqual(600)
    expect(description).toMatch(/^Call this /)
  })
})

test.each([
  ['of one graph', '/mcp/demo?erase=true'],
  ['where calls choose a graph', '/mcp?erase=true'],
])('the list of tools has at most 8,192 bytes, the tool that erases included: %s', async (_, path) => {
  const server = await startTestServer()
  const host = await overHttp(server.url + path, server.secret)
  const listed = await host.client.listTools()
  expect(listed.tools).toHaveLength(6)
  expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(8_192)
  await host.close()
  await server.stop()
})

test('recall and record ask to be kept in sight, the others may be searched for', async () => {
  const server = await startTestServer()
  const host = await overHttp(`${server.url}/mcp/demo`, server.secret)
  const { tools: listed } = await host.client.listTools()
  const loaded = listed.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true)
  expect(loaded.map(({ name }) => name)).toEqual(['recall', 'record'])
  await host.close()
  await server.stop()
})

test('several records have the arguments of one', () => {
  const { records, ...one } = tools.record.schema.properties
  const { items } = records as { items: { properties: Node } }
  expect(Object.keys(items.properties).toSorted()).toEqual(Object.keys(one).toSorted())
})

test('the instructions are short, and speak of record and graphs only where these are offered', () => {
  const [all, least] = [true, false].map((may) => instructions({ record: may, choose: may }))
  expect(all?.length).toBeLessThanOrEqual(1_600)
  expect(all).toContain('`record`')
  expect(all).toContain('`graph`')
  expect(least).not.toMatch(/`record`|`graph`/)
})
