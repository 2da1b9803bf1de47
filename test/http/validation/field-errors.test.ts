import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../../src/contract/operations.js'
import { quote } from '../../../src/domain/quote.js'
import { type Call, useApi } from '../../support/api.js'
import { createSchemas, operationsOf, readOpenApi } from '../../support/openapi.js'

const api = useApi()
const document = readOpenApi()
const schemas = createSchemas(document)

const GRAPH =
  'must consist of letters A to Z and a to z, digits, `.`, `_` and `-`, and must not start with a dot'
const TYPE =
  'must have a character that can be seen, and no colons, control characters or bidirectional controls'
const NAME = 'must have a character that can be seen, and no control characters or bidirectional controls'
const CONTEXT =
  'must be written type:name, with neither of them blank, and no control characters or bidirectional controls'
const TARGET =
  'must be a context id, written type:name with neither of them blank, or the id of a memory as the service gave it, which a field may follow as in mem_…#/price'
const MEMORY =
  'must be the id of a memory as the service gave it, which is `mem_` and 26 digits and capital letters'
const MOMENT = 'must be a date, such as 2026-03-02, or a moment as RFC 3339, such as 2026-03-02T09:30:00Z'
const LIMIT = 'must be a whole number from 1 to 100'
const PAGE = 'must be a whole number from 0 to 1000000'
const PAGE_SIZE = 'must be a whole number from 1 to 500'
const UNKNOWN = 'is not a field here; check its spelling or leave it out'
const KINDS = 'must be one of fact, action, decision, observation, feedback'
const SOURCES = 'must be one of agent, user, system, validator, executor'

type Expected = readonly [path: string, message: string]

async function expectErrors(id: OperationId, call: Call, ...expected: Expected[]): Promise<void> {
  const { body } = await api.refused(id, call, 400, 'invalid_request')
  expect(body.errors).toEqual(expected.map(([path, message]) => ({ path, message })))
  const [[path, message] = ['', '']] = expected
  if (expected.length === 1) expect(body.detail).toBe(`${path} ${message}.`)
}

describe('what is wrong in a path or a query is said in words', () => {
  const good = { graph_id: 'g', context_type: 't', name: 'n', memory_id: `mem_${'0'.repeat(26)}` }
  const bad: [name: string, value: string, message: string][] = [
    ['graph_id', '.hidden', GRAPH],
    ['graph_id', 'a b', GRAPH],
    ['graph_id', 'x'.repeat(129), 'must have at most 128 characters'],
    ['context_type', 'a:b', TYPE],
    ['context_type', ' ', TYPE],
    ['context_type', 'x'.repeat(65), 'must have at most 64 characters'],
    ['name', '\u202e', NAME],
    ['name', '\u3000', NAME],
    ['name', 'x'.repeat(201), 'must have at most 200 characters'],
  ]
  test.each(bad)('%s %s', (name, value, message) =>
    expectErrors('getContext', { path: { ...good, [name]: value } }, [`/path/${name}`, message]),
  )

  test.each(['mem_1', `mem_${'0'.repeat(25)}U`, `mem_${'0'.repeat(27)}`])('getMemory: %s', (memory_id) =>
    expectErrors('getMemory', { path: { ...good, memory_id } }, ['/path/memory_id', MEMORY]),
  )

  test('pages', async () => {
    await expectErrors('getContext', { path: good, query: { page: 1_000_001 } }, ['/query/page', PAGE])
    await expectErrors('getContext', { path: good, query: { page_size: 0 } }, ['/query/page_size', PAGE_SIZE])
  })

  test('filters and queries', async () => {
    const query = { q: 'x'.repeat(257) }
    await expectErrors('browseContexts', { path: good, query }, [
      '/query/q',
      'must have at most 256 characters',
    ])
    await expectErrors('listRelationships', { path: good, query: { kind: 'likes' } }, [
      '/query/kind',
      'must be one of reinforcement, extension, contradiction, related-to',
    ])
    await expectErrors('listRelationships', { path: good, query: { direction: 'up' } }, [
      '/query/direction',
      'must be one of outgoing, incoming, both',
    ])
  })
})

describe('what is wrong in a body is said in words', () => {
  const event = { graph_id: 'g', event_kind: 'fact', payload: { data: 'x' } }
  const links = ['reinforces', 'extends', 'contradicts', 'related_to']
  const inEvent: [change: object, path: string, message: string][] = [
    [{ event_kind: 'guess' }, '/event_kind', KINDS],
    [{ event_kind: undefined }, '/event_kind', 'is required'],
    [{ source: 1 }, '/source', SOURCES],
    [{ payload: 'text' }, '/payload', 'must be an object'],
    [{ payload: {} }, '/payload', 'must have at least 1 key'],
    [
      { payload: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, 1])) },
      '/payload',
      'must have at most 1000 keys',
    ],
    [{ context_id: 'skill' }, '/context_id', CONTEXT],
    [{ context_id: 'a' }, '/context_id', CONTEXT],
    [{ context_id: ' :b' }, '/context_id', CONTEXT],
    [{ context_id: 5 }, '/context_id', 'must be a string'],
    [{ timestamp: 'last week' }, '/timestamp', MOMENT],
    [{ valid_from: '2026-13-01' }, '/valid_from', MOMENT],
    [{ valid_until: '2026-03-02T09:30' }, '/valid_until', MOMENT],
    [{ 'a/b~c': 1 }, '/a~1b~0c', UNKNOWN],
    [{ '': 1 }, '/', UNKNOWN],
    [{ 'payload/data': 1 }, '/payload~1data', UNKNOWN],
    ...links.flatMap((field): [object, string, string][] => [
      [{ [field]: 'a:b' }, `/${field}`, 'must be an array'],
      [{ [field]: Array(51).fill('a:b') }, `/${field}`, 'must have at most 50 items'],
      [{ [field]: ['a:b', 'nothing'] }, `/${field}/1`, TARGET],
      [{ [field]: [`a:${'b'.repeat(499)}`] }, `/${field}/0`, 'must have at most 500 characters'],
      [{ [field]: [`mem_${'0'.repeat(26)}/price`] }, `/${field}/0`, TARGET],
    ]),
  ]

  test.each(inEvent)('recordEvent and recordEvents: %j', async (change, path, message) => {
    await expectErrors('recordEvent', { body: { ...event, ...change } }, [`/body${path}`, message])
    const { graph_id, ...good } = event
    const events = [good, { ...good, ...change }]
    await expectErrors('recordEvents', { body: { graph_id, events } }, [`/body/events/1${path}`, message])
  })

  test('recordEvents', async () => {
    const of = (events: unknown) => ({ body: { graph_id: 'g', events } })
    await expectErrors('recordEvents', of([]), ['/body/events', 'must have at least 1 item'])
    await expectErrors('recordEvents', of({}), ['/body/events', 'must be an array'])
    await expectErrors('recordEvents', of([1]), ['/body/events/0', 'must be an object'])
    const many = Array(1001).fill({ event_kind: 'fact', payload: { data: 'x' } })
    await expectErrors('recordEvents', of(many), ['/body/events', 'must have at most 1000 items'])
  })

  const asking = [
    ['generateInsight', { task: 'x', graph_id: 'g' }],
    ['recallMemories', { query: 'x', graph_id: 'g' }],
  ] as const
  const inQuestion: [change: object, path: string, message: string][] = [
    [{ graph_id: 'a b' }, '/graph_id', GRAPH],
    [{ graph_id: '' }, '/graph_id', 'must not be empty'],
    [{ limit: 101 }, '/limit', LIMIT],
    [{ limit: '5' }, '/limit', LIMIT],
    [{ limit: 1.5 }, '/limit', LIMIT],
    [{ context_ids: ['a:b', 'x'] }, '/context_ids/1', CONTEXT],
    [{ context_types: [] }, '/context_types', 'must be an object'],
    [{ context_types: { skill: 'x' } }, '/context_types/skill', 'must be an array'],
    [{ context_types: { 'a/b': ['x', ' '] } }, '/context_types/a~1b/1', NAME],
    [{ context_types: { ok: [], 'a:b': [] } }, '/context_types', `has the key "a:b"; a key ${TYPE}`],
    [{ context_types: { 'a\u202eb': [] } }, '/context_types', `has the key "a\\u202eb"; a key ${TYPE}`],
    [{ context_types: { '': [] } }, '/context_types', 'has the key ""; a key must not be empty'],
    [
      { context_types: { ['x'.repeat(65)]: [] } },
      '/context_types',
      `has the key "${'x'.repeat(60)}…"; a key must have at most 64 characters`,
    ],
  ]

  test.each(asking.flatMap(([id, good]) => inQuestion.map((row) => [id, good, ...row] as const)))(
    '%s: %j with %j',
    (id, good, change, path, message) =>
      expectErrors(id, { body: { ...good, ...change } }, [`/body${path}`, message]),
  )

  test('the fields that only one of them has', async () => {
    const insight = { task: 'x', graph_id: 'g' }
    const recall = { query: 'x', graph_id: 'g' }
    const rows: [OperationId, object, string, string][] = [
      ['generateInsight', { ...insight, task: '' }, '/body/task', 'must not be empty'],
      [
        'generateInsight',
        { ...insight, task: 'x'.repeat(4001) },
        '/body/task',
        'must have at most 4000 characters',
      ],
      ['generateInsight', { ...insight, locus_query: null }, '/body/locus_query', 'must be a string'],
      ['generateInsight', { ...insight, explain: 'yes' }, '/body/explain', 'must be true or false'],
      ['recallMemories', { ...recall, query: undefined }, '/body/query', 'is required'],
      ['recallMemories', { ...recall, format: 'xml' }, '/body/format', 'must be one of markdown, json'],
    ]
    for (const [id, body, path, message] of rows) await expectErrors(id, { body }, [path, message])
  })
})

describe('NUL, which no text may hold, is in the contract', () => {
  test.each([
    ['generateInsight', { task: 'a\0b', graph_id: 'g' }, '/body/task'],
    ['generateInsight', { task: 'a', locus_query: '\0', graph_id: 'g' }, '/body/locus_query'],
    ['recallMemories', { query: '\0b', graph_id: 'g' }, '/body/query'],
  ] as const)('%s: %j', async (id, body, path) => {
    await expectErrors(id, { body }, [path, 'must not hold a NUL character'])
    const { media } = operationsOf(document).find((operation) => operation.id === id)?.body ?? {}
    expect(schemas(media?.schema ?? {})(body)).toBe(false)
  })

  test('browseContexts', async () => {
    const call = { path: { graph_id: 'g' }, query: { q: 'a\0b' } }
    await expectErrors('browseContexts', call, [
      '/query/q',
      'must be percent-encoded UTF-8 without a NUL character',
    ])
    expect(schemas({ $ref: '#/components/schemas/SearchQuery' })('a\0b')).toBe(false)
  })
})

describe('every place is a JSON pointer', () => {
  const event = (payload: object) => ({ body: { graph_id: 'g', event_kind: 'fact', payload } })

  test('keys with ~ and / on the way to a bad text', () =>
    expectErrors('recordEvent', event({ 'a/b': { '~1': ['ok', '\0'] } }), [
      '/body/payload/a~1b/~01/1',
      'must not hold a NUL character',
    ]))

  test('a bad key is named at its parent, and nothing below it is looked at', () =>
    expectErrors('recordEvent', event({ 'x/\0y': '\0', z: 1 }), [
      '/body/payload',
      'has the key "x/\\u0000y"; a key must not hold a NUL character',
    ]))

  test('half of a surrogate pair in a key', () =>
    expectErrors('recordEvent', event({ a: { 'x\ud800': 1 } }), [
      '/body/payload/a',
      'has the key "x\\ud800"; a key must not hold half of a surrogate pair',
    ]))

  test('unknown fields and parameters with names that no pointer should have to hold', async () => {
    const long = '~'.repeat(5_000)
    const named = `"${'~'.repeat(60)}…"`
    await expectErrors('recordEvent', { body: { ...event({ a: 1 }).body, [long]: 1 } }, [
      '/body',
      `has the field ${named}, which is not a field here; check its spelling or leave it out`,
    ])
    const path = { graph_id: 'g' }
    const none = 'is not a parameter here; known are q, page, page_size, as_of'
    await expectErrors('browseContexts', { path, query: { 'a%2Fb~': 1 } }, ['/query/a~1b~0', none])
    await expectErrors('browseContexts', { path, query: { [long]: 1 } }, [
      '/query',
      `has the parameter ${named}, which ${none}`,
    ])
    await expectErrors('browseContexts', { path, query: { '%zz': 1 } }, [
      '/query',
      'has the parameter "%zz=1", which must be percent-encoded UTF-8 without a NUL character',
    ])
  })

  test('a place that is too far down is cut at a step', async () => {
    const long = '/'.repeat(700)
    const { body } = await api.refused('recordEvent', event({ a: { [long]: '\0' } }), 400, 'invalid_request')
    expect(body.errors?.[0]?.path).toBe('/body/payload/a')
  })
})

describe('what is repeated of a request', () => {
  test.each([
    ['plain', '"plain"'],
    ['"\\', '"\\"\\\\"'],
    ['a\nb\u007f\u0085', '"a\\nb\\u007f\\u0085"'],
    ['\u2028\u202e\u200b\ufeff', '"\\u2028\\u202e\\u200b\\ufeff"'],
    ['\ud800', '"\\ud800"'],
    ['\u{e0001}', '"\\udb40\\udc01"'],
    ['🦊'.repeat(60), `"${'🦊'.repeat(60)}"`],
    ['🦊'.repeat(61), `"${'🦊'.repeat(60)}…"`],
  ])('%j is shown as %s', (text, shown) => expect(quote(text)).toBe(shown))
})
