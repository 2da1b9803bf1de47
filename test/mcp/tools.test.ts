import { describe, expect, test } from 'vitest'
import { CLIENTS, overHttp } from '../support/mcp.js'
import { overDemo } from '../support/mcp-demo.js'

const MEMORY = /mem_[0-9A-Z]{26}/

const demo = overDemo()

const graph = async () => (await demo.server.call('/v1/graphs/demo')).body

async function recorded(text: string, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await demo.host.call('record', { text, ...more })
  expect(answer.isError, answer.text).toBe(false)
  return MEMORY.exec(answer.text)?.[0] ?? ''
}

describe.each(CLIENTS)('a client of %s over HTTP', (kind) => {
  test('lists and calls every tool', async () => {
    const own = await overHttp(`${demo.server.url}/mcp/demo?erase=true`, demo.server.secret, kind)
    try {
      expect((await own.tools()).map(({ name }) => name)).toEqual([
        'recall',
        'insight',
        'record',
        'browse',
        'brief',
        'forget',
      ])
      expect((await own.call('recall', { query: 'Which test runner do we use?' })).text).toContain('vitest')
      expect((await own.call('insight', { task: 'Which test runner do we use?' })).text).toMatch(
        /^\*\*Insight:\*\* .*vitest[\s\S]*\*\*Confidence:\*\* (high|medium|low)/,
      )
      const { text } = await own.call('record', { text: `The linter of ${kind} is biome.` })
      expect(text).toMatch(/^Recorded as mem_/)
      expect((await own.call('browse')).text).toContain('- decision: 8 contexts')
      const { text: gone } = await own.call('forget', { memory_id: MEMORY.exec(text)?.[0], confirm: true })
      expect(gone).toMatch(/^Erased for good: 1 memory/)
    } finally {
      await own.close()
    }
  })
})

describe('recall', () => {
  test('answers with text, a line of provenance each, and the confidence', async () => {
    const { text } = await demo.host.call('recall', { query: 'Which test runner do we use?', limit: 2 })
    const [head, first, origin] = text.split('\n')
    expect(head).toMatch(/^Recalled, .*(high|medium|low)/)
    expect(first).toBe('- test runner: vitest; reason: it runs TypeScript without a build')
    expect(origin).toMatch(
      /^ {2}decision:test_runner · mem_\w{26} · decision by executor, trust 0\.85 · of 2026-03-11, recorded 2026-03-02, may be outdated$/,
    )
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(2)
  })

  test('what is disputed says so first, and by what', async () => {
    const { text } = await demo.host.call('recall', { query: 'Why do payments time out?' })
    const sides = text.match(/^- \*\*Disputed by mem_\w{26}:\*\* Payments time out /gm)
    expect(sides).toHaveLength(2)
  })

  test('what was replaced says so first', async () => {
    const { text } = await demo.host.call('recall', { query: 'jest test runner' })
    expect(text).toContain('- **Replaced since:** test runner: jest')
  })

  test('it says so when nothing is sure enough', async () => {
    expect(
      await demo.host.call('recall', { query: 'how to bake bread', min_confidence: 'medium' }),
    ).toMatchObject({
      text: 'Nothing recorded answers this.\n',
      isError: false,
    })
  })

  test('max_chars is kept, and the answer says how many were left out', async () => {
    const whole = await demo.host.call('recall', { query: 'test', limit: 10 })
    for (const max_chars of [100, 160, 300, 600]) {
      const { text } = await demo.host.call('recall', { query: 'test', limit: 10, max_chars })
      expect(text.length).toBeLessThanOrEqual(max_chars)
      const told = text.split('\n').filter((line) => line.startsWith('- ')).length
      const all = whole.text.split('\n').filter((line) => line.startsWith('- ')).length
      expect(text).toContain(`${all - told} more were left out`)
    }
  })

  test('a query that is too long is cut, never refused', async () => {
    const query = `Which test runner do we use? ${'😀'.repeat(5000)}`
    const { text, isError } = await demo.host.call('recall', { query })
    expect(isError).toBe(false)
    expect(text).toContain('vitest')
  })

  test('as_of and context_types reach the service', async () => {
    const then = await demo.host.call('recall', { query: 'test runner', as_of: '2026-01-31T00:00:00Z' })
    expect(then.text).toContain('- test runner: jest')
    const other = await demo.host.call('recall', { query: 'test runner', context_types: ['skill'] })
    expect(other.text).not.toContain('decision:test_runner')
    const both = ['skill', 'decision:test_runner']
    const joined = await demo.host.call('recall', { query: 'test runner', context_types: both })
    expect(joined.text).toContain('decision:test_runner')
  })

  test('a day is taken as its end', async () => {
    const asked = async (as_of: string) =>
      (await demo.host.call('recall', { query: 'test runner', as_of })).text
    expect(await asked('2026-03-02')).toBe(await asked('2026-03-02T23:59:59.999Z'))
    expect(await asked('2026-03-02')).not.toBe(await asked('2026-03-02T00:00:00Z'))
  })
})

describe('insight', () => {
  test('with explain, every fact of the REST answer is in the text', async () => {
    const task = 'Which test runner do we use?'
    const { text } = await demo.host.call('insight', { task, explain: true })
    const { body } = await demo.server.call('/v1/memories/insights', {
      json: { task, explain: true, graph_id: 'demo' },
    })
    expect(body['evidence']).not.toHaveLength(0)
    for (const fact of leaves(body))
      for (const line of typeof fact === 'number' ? [fact.toFixed(2)] : fact.split('\n'))
        expect(text).toContain(line)
  })
})

/** The texts and numbers of an answer. */
function leaves(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}

describe('record', () => {
  test('says what it replaced, in its words, and what is similar', async () => {
    const first = await recorded('The cache of the build server holds 10 GB.', { context_id: 'tool:cache' })
    const next = await demo.host.call('record', {
      text: 'The cache of the build server holds 20 GB.',
      context_id: 'tool:cache',
      contradicts: [first],
    })
    expect(next.text).toContain(
      `- It replaces ${first} in tool:cache: The cache of the build server holds 10 GB.`,
    )
    const third = await demo.host.call('record', { text: 'The cache of the build server holds 30 GB.' })
    expect(third.text).toMatch(/Similar, and not touched[\s\S]*mem_\w+ in tool:cache: The cache .* 20 GB/)
  })

  test('the same call again changes nothing', async () => {
    const event = { text: 'Releases are cut on Tuesdays.', event_kind: 'decision' }
    const first = await recorded(event.text, event)
    const before = await demo.server.call(`/v1/memories/demo/${first}`)
    expect(await recorded(event.text, event)).toBe(first)
    expect((await demo.server.call(`/v1/memories/demo/${first}`)).body).toEqual(before.body)
  })

  test('what comes back after it was replaced stands again', async () => {
    const up = await recorded('The mail relay is up.', { context_id: 'tool:relay' })
    const down = await recorded('The mail relay is down.', { context_id: 'tool:relay', contradicts: [up] })
    await recorded('The mail relay is up.', { context_id: 'tool:relay' })
    expect((await demo.server.call(`/v1/memories/demo/${up}`)).body).toMatchObject({ status: 'current' })
    expect((await demo.server.call(`/v1/memories/demo/${down}`)).body).toMatchObject({ status: 'superseded' })
  })

  test('what was erased can be recorded again', async () => {
    const first = await recorded('The wiki moved.')
    await demo.host.call('forget', { memory_id: first, confirm: true })
    const again = await recorded('The wiki moved.')
    expect((await demo.server.call(`/v1/memories/demo/${again}`)).status).toBe(200)
    expect(await recorded('The wiki moved.')).toBe(again)
    expect((await demo.server.call(`/v1/memories/demo/${again}`)).body).toMatchObject({ times_seen: 1 })
    await demo.host.call('forget', { memory_id: again, confirm: true })
    expect(await recorded('The wiki moved.')).not.toBe(again)
  })

  test('text is short for the payload { text }, and the kind is fact', async () => {
    const id = await recorded('Lunch is at noon.')
    const { body } = await demo.server.call(`/v1/memories/demo/${id}`)
    expect(body).toMatchObject({
      payload: { text: 'Lunch is at noon.' },
      event_kind: 'fact',
      context_id: 'fact:general',
    })
  })

  test('a payload of its own', async () => {
    const { text } = await demo.host.call('record', { payload: { port: 7400 }, event_kind: 'observation' })
    expect(text).toMatch(/^Recorded as mem_\w+ in observation:general \(observation, trust/)
  })
})

describe('several records in one call', () => {
  const records = [
    {
      text: 'The depot opens at 7.',
      context_id: 'place:depot',
      valid_from: '2026-01-05',
      valid_until: '2099-03-01',
    },
    { payload: { shelf: 'B', note: null }, event_kind: 'observation', timestamp: '2026-01-05', text: '' },
  ]

  test('are each told as one is, and recorded once', async () => {
    const call = { records, related_to: ['place:yard'], text: null }
    const { text, data } = await demo.host.call('record', call)
    expect(text).toMatch(
      /^Recorded as mem_\w+ in place:depot .*\nRecorded as mem_\w+ in observation:general /,
    )
    const [depot, shelf] = [...text.matchAll(/mem_\w{26}/g)].map(String)
    expect(data?.['results']).toMatchObject([{ event_id: depot }, { event_id: shelf }])
    expect((await demo.server.call(`/v1/memories/demo/${depot}`)).body).toMatchObject({
      valid_from: '2026-01-05T00:00:00.000Z',
      valid_until: '2099-03-02T00:00:00.000Z',
      links: { related_to: ['place:yard'] },
    })
    const kept = await demo.server.call(`/v1/memories/demo/${shelf}`)
    expect(kept.body).toMatchObject({
      payload: { shelf: 'B', note: null },
      occurred_at: '2026-01-05T00:00:00.000Z',
      links: { related_to: ['place:yard'] },
    })
    await demo.host.call('record', call)
    expect((await demo.server.call(`/v1/memories/demo/${shelf}`)).body).toEqual(kept.body)
  })

  test.each([
    [
      { records: [{ text: 'a' }, { text: 'b', contradicts: ['none'] }] },
      /^records\/1: .*Nothing was recorded\.$/s,
    ],
    [{ records: [{ text: 'a' }, {}] }, /^records\/1: Give what was learned either as text or as payload/],
    [{ records: [{ text: 'a' }, { text: 5 }] }, /records\/1\/text must be a string\./],
    [{ records: [{ text: 'a' }], text: 'b' }, /text or payload, or several as records: not both/],
    [{ records: Array(21).fill({ text: 'a' }) }, /records must have at most 20 items/],
  ])('all or none: %j', async (given, sentence) => {
    const before = await graph()
    const { text, isError } = await demo.host.call('record', given)
    expect(isError, text).toBe(true)
    expect(text).toMatch(sentence)
    expect(await graph()).toEqual(before)
  })
})

describe('browse', () => {
  test('types, contexts of a type, names that match, one context', async () => {
    expect((await demo.host.call('browse')).text).toMatch(/^Types of contexts in demo, \d+ in all:\n- /)
    expect((await demo.host.call('browse', { type: 'decision' })).text).toContain(
      '- decision:test_runner: 2 memories',
    )
    expect((await demo.host.call('browse', { q: 'runner' })).text).toContain('- decision:test_runner: ')
    const { text } = await demo.host.call('browse', { context_id: 'Decision:Test Runner' })
    expect(text).toMatch(/^\*\*decision:test_runner\*\*: 2 memories/)
    expect(text).toContain('- has to do with skill:typescript (1)')
  })

  test('at most 50 lines, the rest on further pages', async () => {
    const events = Array.from({ length: 120 }, (_, i) => ({
      event_kind: 'fact',
      context_id: `many:c${String(i).padStart(3, '0')}`,
      payload: { text: `Number ${i}.` },
      related_to: ['many:hub'],
    }))
    await demo.server.call('/v1/events/batch', { json: { graph_id: 'many', events } })
    await demo.server.call('/v1/events/batch', {
      json: { graph_id: 'many', events: events.map((event) => ({ ...event, context_id: 'many:hub' })) },
    })
    const own = await overHttp(`${demo.server.url}/mcp/many`, demo.server.secret)
    const seen = new Set<string>()
    for (const page of [0, 1, 2, 3]) {
      const { text } = await own.call('browse', { type: 'many', page })
      expect(text.split('\n').length).toBeLessThanOrEqual(50)
      for (const [name] of text.matchAll(/many:\w+/g)) seen.add(name)
    }
    expect(seen.size).toBe(121)
    for (const page of [0, 1, 8]) {
      const { text } = await own.call('browse', { context_id: 'many:hub', page })
      expect(text.split('\n').length).toBeLessThanOrEqual(50)
    }
    await own.close()
  })
})

describe('forget', () => {
  test('without confirm nothing goes', async () => {
    const id = await recorded('The coffee machine is broken.')
    const { text } = await demo.host.call('forget', { memory_id: id })
    expect(text).toMatch(/^Nothing was erased\. This would erase 1 memory/)
    expect((await demo.server.call(`/v1/memories/demo/${id}`)).status).toBe(200)
    await demo.host.call('forget', { memory_id: id, confirm: true })
    expect((await demo.server.call(`/v1/memories/demo/${id}`)).status).toBe(404)
  })
})

describe('resources and prompts', () => {
  test('a context is a resource; one of another graph, or none, is not found', async () => {
    const { resourceTemplates } = await demo.host.client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'loregraph://{graph}/{type}/{name}',
    ])
    const { contents } = await demo.host.client.readResource({ uri: 'loregraph://demo/decision/test_runner' })
    expect(JSON.stringify(contents)).toContain('**decision:test_runner**')
    for (const uri of ['loregraph://demo/decision/none', 'loregraph://other/decision/test_runner'])
      await expect(demo.host.client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
  })

  test('the latest memories that stand are listed, and each can be read', async () => {
    const { client } = demo.host
    const about = { context_id: 'note:recent' }
    await demo.host.call('record', { ...about, text: 'The relay is cleaned on Mondays.' })
    const [replaced] = (await client.listResources()).resources
    expect(replaced).toMatchObject({
      uri: expect.stringMatching(/^loregraph:\/\/demo\/memory\/mem_\w{26}$/),
      title: 'The relay is cleaned on Mondays.',
      description: expect.stringMatching(
        /^note:recent, recorded \d{4}-\d\d-\d\d by agent; may be outdated\.$/,
      ),
      mimeType: 'text/markdown',
    })
    const text = `The relay is cleaned on Tuesdays. ${'It takes an hour and needs two people. '.repeat(20)}`
    await demo.host.call('record', { ...about, text, contradicts: [replaced?.name] })
    await demo.host.call('record', { ...about, text, contradicts: [replaced?.name] })
    const { resources } = await client.listResources()
    expect(resources.length).toBeLessThanOrEqual(10)
    expect(new Set(resources.map(({ uri }) => uri)).size).toBe(resources.length)
    expect(resources[0]?.title).toMatch(/^The relay is cleaned on Tuesdays.{0,70}…$/)
    expect(resources.map(({ uri }) => uri)).not.toContain(replaced?.uri)
    for (const { uri, name } of resources) {
      const { contents } = await client.readResource({ uri })
      expect(JSON.stringify(contents)).toContain(name)
    }
  })

  test('of a graph that does not exist, and for a key that may not read, no memory is listed', async () => {
    const { secret } = await demo.server.key({ scopes: ['write'], graphs: ['demo'] })
    for (const [graph, of] of [
      ['none', demo.server.secret],
      ['demo', secret],
    ] as const) {
      const host = await overHttp(`${demo.server.url}/mcp/${graph}`, of)
      expect((await host.client.listResources()).resources).toEqual([])
      await host.close()
    }
  })

  test('the address of a context is completed from what is recorded', async () => {
    const { client } = demo.host
    const complete = async (name: string, value: string, given: Record<string, string> = {}) => {
      const uri = 'loregraph://{graph}/{type}/{name}'
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri },
        argument: { name, value },
        context: { arguments: given },
      })
      return completion.values
    }
    expect(await complete('graph', 'de')).toEqual(['demo'])
    expect(await complete('type', 'DEC')).toEqual(['decision'])
    expect(await complete('name', 'test', { type: 'decision' })).toEqual(['test_runner'])
    expect(await complete('name', '', { type: 'decision' })).toContain('test_runner')
    for (const [typed, given] of [
      ['test', {}],
      ['test', { type: 'none' }],
      ['_', { type: '' }],
    ] as const)
      expect(await complete('name', typed, given)).toEqual([])
  })

  test('the prompt and the tool brief are the brief of the graph', async () => {
    const { messages } = await demo.host.client.getPrompt({
      name: 'brief',
      arguments: { task: 'speed up the tests' },
    })
    const { body } = await demo.server.call('/v1/graphs/demo/brief?task=speed+up+the+tests')
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: body['brief'] } }])
    const { text } = await demo.host.call('brief', { task: 'speed up the tests' })
    expect(text).toBe(body['brief'])
  })
})
