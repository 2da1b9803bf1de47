import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readGraphs, toNewMemory } from '../../scripts/quality/graphs.js'
import { loadDemo } from '../../src/service/demo-graph.js'
import { overHttp } from '../support/mcp.js'
import { runsOf } from '../support/runs.js'
import { startTestServer, type TestServer } from '../support/server.js'

const graphs = await readGraphs()
/** Every n-th task is asked. */
const EVERY = runsOf({ quick: 6, full: 1 })
/** Far below the 25,000 tokens at which hosts cut. */
const MAX_CHARS = 20_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await loadDemo(server.store)
  for (const { graph_id, events } of graphs)
    await server.store.append(
      graph_id,
      events.map((event) => toNewMemory(event)),
      (i) => `/events/${i}`,
    )
})
afterAll(() => server.stop())

const questions = [
  ...graphs.map(
    ({ graph_id, tasks }) =>
      [graph_id, tasks.filter((_, i) => i % EVERY === 0).map(({ task }) => task)] as const,
  ),
  ['demo', ['Which test runner do we use?', 'Why is the checkout slow?', 'test']] as const,
]

describe.each(questions)('no result about %s is above its budget', (graph, tasks) => {
  test('recall', async () => {
    const host = await overHttp(`${server.url}/mcp/${graph}`, server.secret)
    for (const [i, query] of tasks.entries()) {
      expect((await host.call('recall', { query, limit: 50 })).text.length).toBeLessThanOrEqual(4_000)
      const max_chars = 100 + ((i * 137) % 1_900)
      const { text } = await host.call('recall', { query, limit: 20, max_chars })
      expect(text.length).toBeLessThanOrEqual(max_chars)
    }
    await host.close()
  })

  test('insight and browse', async () => {
    const host = await overHttp(`${server.url}/mcp/${graph}`, server.secret)
    for (const task of tasks.slice(0, 10))
      expect((await host.call('insight', { task, explain: true })).text.length).toBeLessThan(MAX_CHARS)
    const { text } = await host.call('browse')
    for (const [, type = ''] of text.matchAll(/^- ([^:]+):/gm)) {
      const { text: list } = await host.call('browse', { type })
      expect(list.split('\n').length).toBeLessThanOrEqual(50)
      const [, context_id] = /^- ([^:]+:[^:]+):/m.exec(list) ?? []
      const { text: one } = await host.call('browse', { context_id })
      expect(one.split('\n').length).toBeLessThanOrEqual(50)
      expect(one.length).toBeLessThan(MAX_CHARS)
    }
    await host.close()
  })
})
