import { describe, expect, test } from 'vitest'
import { overDemo } from '../support/mcp-demo.js'

const NO_MEMORY = 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'
const LONG = 'a'.repeat(70_000)

const demo = overDemo()

type Case = readonly [given: Record<string, unknown>, sentence: RegExp]

/** Values of other types than that of an argument, beside those without which the tool cannot be asked. */
function wrongTypes(asked: Record<string, unknown>, types: Readonly<Record<string, string>>): Case[] {
  const values = [7, 1.5, true, 'text', ['a'], { a: 1 }]
  const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
    'a string': (value) => typeof value === 'string',
    'a whole number': Number.isInteger,
    'true or false': (value) => typeof value === 'boolean',
    'a list': Array.isArray,
    'an object': (value) => typeof value === 'object' && !Array.isArray(value),
  }
  return Object.entries(types).flatMap(([name, type]) =>
    values
      .filter((value) => !fits[type]?.(value))
      .map((value): Case => [{ ...asked, [name]: value }, new RegExp(`\\b${name} must be ${type}\\b`)]),
  )
}

/** Nearly dates. */
const NO_DATES = [
  'soon',
  '5',
  '2026-02-30',
  '2026-1-1',
  '2026-03-02T09:30',
  '2026-03-02T25:00:00Z',
  '02/03/2026',
]

const LINK = /(?:contradicts|reinforces|extends|related_to)\/0/

const CASES: Readonly<Record<string, readonly Case[]>> = {
  recall: [
    ...wrongTypes(
      { query: 'a' },
      {
        query: 'a string',
        limit: 'a whole number',
        max_chars: 'a whole number',
        context_types: 'a list',
        as_of: 'a string',
      },
    ),
    [{}, /^.*query is required\./],
    [{ query: null }, /query must be a string/],
    [{ query: '' }, /query must not be empty/],
    [{ question: 'a' }, /query is required\. There is no argument "question"; known are query, limit/],
    [{ query: 'a', limit: 0 }, /limit must be at least 1\./],
    [{ query: 'a', limit: 101 }, /limit must be at most 100\./],
    [{ query: 'a', max_chars: 99 }, /max_chars must be at least 100\./],
    [{ query: 'a', context_types: [5] }, /context_types\/0 must be a string\./],
    [{ query: 'a', context_types: [':'] }, /^context_types must be written type:name/],
    [{ query: 'a', min_confidence: 'certain' }, /min_confidence must be one of high, medium, low\./],
    [{ query: 'a', as_of: 'yesterday' }, /^as_of must be a date/],
  ],
  insight: [
    ...wrongTypes(
      { task: 'a' },
      { task: 'a string', explain: 'true or false', as_of: 'a string', valid_at: 'a string' },
    ),
    ...NO_DATES.map((valid_at): Case => [{ task: 'a', valid_at }, /^valid_at must be a date/]),
    [{}, /task is required\./],
    [{ task: '' }, /task must not be empty/],
    [{ query: 'a' }, /task is required\. There is no argument "query"; known are task/],
    [{ task: 'a', as_of: '-1' }, /^as_of must be a date/],
    [{ task: 'a', as_of: 'a'.repeat(65) }, /as_of must have at most 64 characters/],
    [{ task: {}, explain: [] }, /task must be a string\. explain must be true or false\./],
  ],
  record: [
    ...wrongTypes({}, { text: 'a string' }),
    ...wrongTypes({ text: 'a' }, { payload: 'an object', contradicts: 'a list', records: 'a list' }),
    [{}, /either as text or as payload/],
    [{ text: null, payload: {} }, /either as text or as payload/],
    [{ text: 'a', payload: { a: 1 } }, /either as text or as payload/],
    [{ content: 'a' }, /either as text or as payload/],
    [{ text: 'a'.repeat(16_001) }, /text must have at most 16000 characters/],
    [{ payload: { text: LONG } }, /at most 65536 are allowed\. Split it/],
    [{ text: 'a', context_id: 'no colon' }, /^context_id must be written type:name/],
    [{ text: 'a', context_id: ':' }, /context_id must be written type:name/],
    [
      { text: 'a', event_kind: 'rumour' },
      /event_kind must be one of fact, action, decision, observation, feedback/,
    ],
    [
      { text: 'a', contradicts: [NO_MEMORY] },
      new RegExp(`contradicts/0 The graph has no memory ${NO_MEMORY}`),
    ],
    [{ text: 'a', reinforces: ['it'] }, LINK],
    [{ text: 'a', extends: [`${NO_MEMORY}#/price`] }, LINK],
    [{ text: 'a', related_to: [5] }, LINK],
    [{ text: 'a', related_to: Array(51).fill('a:b') }, /related_to must have at most 50 items/],
    [{ text: 'a', timestamp: 'last week' }, /^timestamp /],
    [{ text: 'a', valid_until: '2026-02-30' }, /^valid_until /],
    [{ text: 'a', timestamp: '2026-03-02', valid_until: '2026-03-01' }, /^valid_until /],
    [{ text: 'a', records: [{ text: 'b' }] }, /not both/],
    [{ records: [7] }, /records\/0 must be an object/],
    [{ records: [{ text: 'a' }, { text: 'b', event_kind: 'rumour' }] }, /^records\/1: event_kind must be/],
    [{ records: [{ content: 'a' }] }, /^records\/0: Give what was learned/],
  ],
  browse: [
    ...wrongTypes(
      {},
      {
        type: 'a string',
        q: 'a string',
        context_id: 'a string',
        memory_id: 'a string',
        page: 'a whole number',
      },
    ),
    [{ q: 'a', type: 'b' }, /Give one of type, q, context_id and memory_id/],
    [{ context_id: 'a:b', memory_id: NO_MEMORY }, /Give one of type, q, context_id and memory_id/],
    [{ page: -1 }, /page must be at least 0/],
    [{ type: 'a:b' }, /A context type has no colon/],
    [{ type: '..' }, /is neither \. nor \.\./],
    [{ q: 'a'.repeat(257) }, /q must have at most 256 characters/],
    [{ context_id: 'none:such' }, /The graph has no context none:such/],
    [{ context_id: 'no colon' }, /type:name/],
    [{ context_id: '..:demo' }, /is neither \. nor \.\./],
    [{ context_id: NO_MEMORY }, /The graph has no memory/],
    [{ memory_id: NO_MEMORY }, /The graph has no memory/],
    [{ memory_id: 'mem_1' }, /memory_id must be the id of a memory/],
    [{ memory_id: 'decision:test_runner_of_the_project' }, /memory_id/],
  ],
  brief: [
    ...wrongTypes({}, { task: 'a string', valid_at: 'a string' }),
    ...NO_DATES.map((valid_at): Case => [{ task: 'a', valid_at }, /^valid_at must be a date/]),
    [{ valid_at: '2'.repeat(65) }, /^valid_at must/],
    [{ task: ['a'], valid_at: 5 }, /task must be a string\. valid_at must be a string\./],
    [{ task: 'a'.repeat(700), valid_at: 'now' }, /^valid_at must be a date/],
    [
      { query: 5, task: 5 },
      /task must be a string\. There is no argument "query"; known are task, valid_at\./,
    ],
  ],
  forget: [
    ...wrongTypes({}, { memory_id: 'a string', context_id: 'a string', confirm: 'true or false' }),
    [{}, /memory_id or context_id: one of them, not both/],
    [{ confirm: true }, /memory_id or context_id: one of them, not both/],
    [{ memory_id: NO_MEMORY, context_id: 'decision:test_runner', confirm: true }, /one of them, not both/],
    [{ memory_id: NO_MEMORY, confirm: true }, /The graph has no memory/],
    [{ memory_id: 'mem_1', confirm: true }, /memory_id must be the id of a memory/],
    [{ memory_id: '../../../graphs/demo?dry_run=true', confirm: true }, /memory_id/],
    [{ memory_id: '%2e%2e%2f%2e%2e%2fgraphs%2fdem', confirm: true }, /memory_id/],
    [{ context_id: 'none:such', confirm: true }, /The graph has no context none:such/],
    [{ context_id: 'decision', confirm: true }, /type:name/],
    [{ context_id: ':', confirm: true }, /A context type has at least one character/],
    [{ context_id: 'graphs:..', confirm: true }, /is neither \. nor \.\./],
    [{ context_id: 'graphs:demo', confirm: true }, /The graph has no context graphs:demo/],
    [{ id: NO_MEMORY, confirm: true }, /memory_id or context_id/],
  ],
}

const graph = async () => (await demo.server.call('/v1/graphs/demo')).body

describe.each(Object.entries(CASES))('%s', (name, cases) => {
  test.each(cases)('%j', async (given, sentence) => {
    const before = await graph()
    const { text, isError } = await demo.host.call(name, given)
    expect(isError, text).toBe(true)
    expect(text).toMatch(sentence)
    expect(text).not.toMatch(/went wrong|is not Loregraph|undefined|\[object/)
    expect(text.length).toBeLessThan(1_000)
    expect(await graph()).toEqual(before)
  })
})

test('a tool that does not exist', async () => {
  await expect(demo.host.call('nothing')).rejects.toThrow(/nothing/)
})
