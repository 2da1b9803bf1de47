import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { retrying } from '../../src/mcp/retry.js'
import { loadDemo } from '../../src/service/demo-graph.js'
import { type Host, overHttp } from '../support/mcp.js'
import { startTestServer, type TestServer } from '../support/server.js'

const SENTENCE = 'The relay of the post room must be cleaned every Tuesday before the mail comes in. '

let server: TestServer
let host: Host
beforeAll(async () => {
  server = await startTestServer({ meaning: 'on' })
  await loadDemo(server.store)
  host = await overHttp(`${server.url}/mcp/demo?erase=true`, server.secret)
})
afterAll(async () => {
  await host.close()
  await server.stop()
})

async function recorded(given: Record<string, unknown>): Promise<string> {
  return /mem_\w{26}/.exec((await host.call('record', given)).text)?.[0] ?? ''
}

describe('the data of an answer holds every fact of its text', () => {
  /** Ids, days, figures, names of contexts, and the words of memories. */
  const FACTS = [
    /mem_\w{26}/g,
    /\d{4}-\d\d-\d\d/g,
    /\b0\.\d\d/g,
    /\b[a-z]+:[a-z_]+\b/g,
    /^- (?:\*\*.*?\*\* )?(.*)$/gm,
  ]
  /** Lines of our own words, made from what the other patterns find. */
  const OURS = /^(?:It |has to do |builds on |is |confirms |contradicts |\S+: \d+ |\d{4}-)/
  const hold = (data: unknown, text: string) => {
    const held = JSON.stringify(data)
    const numbers = [...held.matchAll(/\b\d\.\d+/g)].map(([number]) => Number(number).toFixed(2))
    for (const [whole, words = whole] of FACTS.flatMap((fact) => [...text.matchAll(fact)])) {
      const fact = words.replace(
        /^\w+: \[.*?\] for: |^(?:supports|extends|contradicts|superseded): |^mem_\w+ in \S+ /,
        '',
      )
      expect(held.includes(fact) || numbers.includes(fact) || OURS.test(fact), fact).toBe(true)
    }
  }

  test.each([
    ['recall', { query: 'Why do payments time out?' }],
    ['recall', { query: 'jest test runner', limit: 10 }],
    ['recall', { query: 'test', limit: 10, max_chars: 600 }],
    ['insight', { task: 'Which test runner do we use?', explain: true }],
    ['record', { text: 'The runner is vitest 4.', contradicts: ['decision:test_runner'] }],
    ['browse', {}],
    ['browse', { type: 'decision' }],
    ['browse', { q: 'runner' }],
    ['browse', { context_id: 'decision:test_runner' }],
    ['brief', {}],
    ['brief', { task: 'Why do payments time out?' }],
    ['forget', { context_id: 'decision:test_runner' }],
  ])('%s %j', async (name, given) => {
    const { data, text, isError } = await host.call(name, given)
    expect(isError, text).toBe(false)
    hold(data, text)
  })

  test('every tool has a title and says what its data holds', async () => {
    const { tools } = await host.client.listTools()
    for (const { title, outputSchema } of tools) {
      expect(title).toMatch(/^[A-Z]/)
      expect(outputSchema).toMatchObject({ type: 'object' })
    }
  })

  test('what was shortened to fit is shortened there, too', async () => {
    const { data } = await host.call('recall', { query: 'test', limit: 50, max_chars: 300 })
    expect(JSON.stringify(data).length).toBeLessThan(2_000)
    expect(data?.['note']).toMatch(/left out for want of room/)
  })
})

describe('recall is quiet when most likely nothing answers', () => {
  const query = 'kubernetes ingress TLS'
  const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('- '))

  test('two memories at most, and a head that says so', async () => {
    const { text, data } = await host.call('recall', { query })
    expect(text).toMatch(/^Probably nothing recorded answers this\./)
    expect(lines(text).length).toBeLessThanOrEqual(2)
    expect(data).toMatchObject({ confidence: 'low' })
  })

  test('whoever says how many, or how sure, is told them all', async () => {
    for (const more of [{ limit: 5 }, { min_confidence: 'low' }])
      expect(lines((await host.call('recall', { query, ...more })).text)).toHaveLength(5)
  })
})

test('a graph that does not exist yet is an empty one, and stays so until something is recorded', async () => {
  const own = await overHttp(`${server.url}/mcp/brand-new`, server.secret)
  const calls = [
    ['recall', { query: 'a' }],
    ['recall', { query: 'a', as_of: '2020-01-01', min_confidence: 'high' }],
    ['insight', { task: 'a' }],
    ['browse', {}],
    ['browse', { type: 'decision' }],
    ['browse', { q: 'a' }],
    ['brief', {}],
  ] as const
  for (const [name, given] of calls) {
    const { text, isError } = await own.call(name, given)
    expect(isError, text).toBe(false)
    expect(text).toMatch(/Nothing recorded answers this\.|: none\.\n$|^Nothing is recorded yet\.$/)
  }
  const { messages } = await own.client.getPrompt({ name: 'brief', arguments: {} })
  expect(messages[0]?.content).toMatchObject({ text: 'Nothing is recorded yet.' })
  expect((await server.call('/v1/graphs/brand-new')).status).toBe(404)
  await own.close()
})

describe('browse reads a memory as a whole', () => {
  test('by its id, however long, with what replaced it', async () => {
    const text = SENTENCE.repeat(60).trim()
    const memory_id = await recorded({ text, context_id: 'room:post' })
    const cut = await host.call('browse', { context_id: 'room:post' })
    expect(cut.text).toContain('What ends with … is whole with memory_id.')
    const later = await recorded({ text: 'The post room is closed.', contradicts: [memory_id] })
    for (const given of [{ memory_id }, { context_id: memory_id }]) {
      const read = await host.call('browse', given)
      expect(read.text).toContain(text)
      expect(read.text).toContain(`- It was replaced by ${later} on `)
      expect(read.text).toMatch(/\n1 statement of it:\n- \d{4}-\d\d-\d\d by agent\n$/)
      expect(read.data).toMatchObject({
        memories: [{ memory_id, text, status: 'superseded' }],
        superseded_by: [{ memory_id: later }],
        statements: [{ event_id: memory_id }],
      })
    }
    const { contents } = await host.client.readResource({ uri: `loregraph://demo/memory/${memory_id}` })
    expect(JSON.stringify(contents)).toContain(text)
  })

  test('one that is not there', async () => {
    const none = 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'
    const { text, isError } = await host.call('browse', { memory_id: none })
    expect([text, isError]).toEqual([`The graph has no memory ${none}.`, true])
    const uri = `loregraph://demo/memory/${none}`
    await expect(host.client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
  })
})

describe('what a busy service put off is asked once more', () => {
  const answers = (...all: Response[]) => {
    const asked: string[] = []
    const fetch = async (request: Request) => {
      asked.push(await request.text())
      return all[asked.length - 1] ?? new Response('past the end')
    }
    return { asked, fetch }
  }
  const ask = (fetch: (request: Request) => Promise<Response>) =>
    retrying(fetch)(new Request('http://a.invalid', { method: 'POST', body: 'body' }))
  const busy = (after: string | undefined) =>
    new Response('', { status: 503, headers: after === undefined ? {} : { 'Retry-After': after } })

  test('with the same body, and no third time', async () => {
    const { asked, fetch } = answers(busy('0'), busy('0'))
    expect((await ask(fetch)).status).toBe(503)
    expect(asked).toEqual(['body', 'body'])
  })

  test.each([
    ['no time is named', busy(undefined)],
    ['it would be long', busy('60')],
    ['a date is named', busy('Fri, 31 Dec 2027 23:59:59 GMT')],
    ['it is another refusal', new Response('', { status: 429, headers: { 'Retry-After': '0' } })],
  ])('not where %s', async (_, answer) => {
    const { asked, fetch } = answers(answer)
    expect(await ask(fetch)).toBe(answer)
    expect(asked).toHaveLength(1)
  })
})
