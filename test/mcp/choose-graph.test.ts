import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadDemo } from '../../src/service/demo-graph.js'
import { type Host, overHttp } from '../support/mcp.js'
import { startTestServer, type TestServer } from '../support/server.js'

let server: TestServer
const hosts: Host[] = []
beforeAll(async () => {
  server = await startTestServer()
  await loadDemo(server.store)
  const about = (graph_id: string) => ({
    json: { graph_id, event_kind: 'fact', payload: { text: `This is said of ${graph_id} alone.` } },
  })
  for (const graph_id of ['one', 'two']) await server.call('/v1/events', about(graph_id))
})
afterAll(async () => {
  for (const host of hosts) await host.close()
  await server.stop()
})

async function hostFor(graphs?: readonly string[]): Promise<Host> {
  const { secret } =
    graphs === undefined ? server : await server.key({ scopes: ['read', 'write'], graphs: [...graphs] })
  const host = await overHttp(`${server.url}/mcp?erase=true`, secret)
  hosts.push(host)
  return host
}

/** Each tool with what it needs. */
const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['recall', { query: 'What is said?' }],
  ['insight', { task: 'What is said?' }],
  ['record', { text: 'Something that was learned.' }],
  ['browse', {}],
  ['brief', {}],
  ['forget', { context_id: 'note:none', confirm: true }],
]

const graphs = async () => (await server.call('/v1/graphs')).body

describe.each(CALLS)('%s', (name, given) => {
  test('works in the graph that a call names', async () => {
    const host = await hostFor(['one', 'two'])
    const { text, isError } = await host.call(name, { ...given, graph: 'one' })
    expect(text).not.toMatch(/Ignored|several graphs/)
    expect(isError, text).toBe(name === 'forget')
  })

  test.each([
    ['no graph is named', {}, /^There are several graphs\. .*: one, two\.$/],
    ['it does not reach that graph', { graph: 'demo' }, /^There is no graph "demo" that .*: one, two\.$/],
    ['the name is that of no graph', { graph: '../demo' }, /^There is no graph "\.\.\/demo".*: one, two\.$/],
    ['the name is no string', { graph: 5 }, /graph must be a string\./],
  ])('of a key for two graphs: %s, and nothing is done', async (_, more, sentence) => {
    const host = await hostFor(['one', 'two'])
    const before = await graphs()
    const { text, isError } = await host.call(name, { ...given, ...more })
    expect([isError, text]).toEqual([true, expect.stringMatching(sentence)])
    expect(await graphs()).toEqual(before)
  })

  test.each(['onne', '..', '.', 'a/b', 'one?x=1', '%2e%2e', 'x'.repeat(200)])(
    'of a key for all graphs: %j begins no new one',
    async (graph) => {
      const host = await hostFor()
      const before = await graphs()
      const { text, isError } = await host.call(name, { ...given, graph })
      expect([isError, text]).toEqual([
        true,
        expect.stringMatching(/^There is no graph .*: demo, one, two\.$/),
      ])
      expect(await graphs()).toEqual(before)
    },
  )
})

test('what is recorded in one graph is not told of another', async () => {
  const host = await hostFor(['one', 'two'])
  const { text } = await host.call('recall', { query: 'What is said alone?', graph: 'two' })
  expect(text).toContain('This is said of two alone.')
  expect(text).not.toContain('of one')
})

test('a graph of the key that does not exist yet is empty, and begins with what is recorded', async () => {
  const host = await hostFor(['one', 'new'])
  expect((await host.call('browse', { graph: 'new' })).text).toBe('Types of contexts in new: none.\n')
  const { isError } = await host.call('record', { text: 'This one is new.', graph: 'new' })
  expect(isError).toBe(false)
  expect((await host.call('recall', { query: 'new', graph: 'new', limit: 5 })).text).toContain('is new')
})

test('where the connection names a graph, a call stays in it and is told so', async () => {
  const host = await overHttp(`${server.url}/mcp/one`, server.secret)
  hosts.push(host)
  const { text } = await host.call('browse', { graph: 'two' })
  expect(text).toContain('Types of contexts in one')
  expect(text).toContain('Ignored, since this tool has no such argument: "graph".')
})

test('resources, completions and the brief are those of the graph that is named', async () => {
  const { client } = await hostFor(['demo', 'one'])
  const { contents } = await client.readResource({ uri: 'loregraph://demo/decision/test_runner' })
  expect(JSON.stringify(contents)).toContain('**decision:test_runner**')
  await expect(client.readResource({ uri: 'loregraph://two/note/none' })).rejects.toMatchObject({
    code: -32602,
  })
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'loregraph://{graph}/{type}/{name}' },
    argument: { name: 'graph', value: '' },
  })
  expect(completion.values).toEqual(['demo', 'one'])
  const { messages } = await client.getPrompt({ name: 'brief', arguments: { graph: 'one' } })
  expect(JSON.stringify(messages)).toContain('said of one alone')
})

test('an empty service says that there is no graph, and how one is named', async () => {
  const empty = await startTestServer()
  const host = await overHttp(`${empty.url}/mcp`, empty.secret)
  const { text, isError } = await host.call('recall', { query: 'anything' })
  expect([isError, text]).toEqual([true, expect.stringMatching(/^There is no graph yet.*\/mcp\/demo/)])
  await host.close()
  await empty.stop()
})
