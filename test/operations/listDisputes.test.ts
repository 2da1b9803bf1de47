import { describe, expect, test } from 'vitest'
import { linksOf, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const path = { graph_id: 'demo' }
const ids = { port: '', against: '', host: '', other: '' }

const api = useApi(async (it) => {
  const say = (context_id: string, text: string, source: 'user' | 'agent', contradicts: string[] = []) =>
    it.record({ context_id, payload: { text }, source, contradicts })
  ids.port = await say('fact:port', 'The API listens on port 8080', 'user')
  ids.against = await say('fact:port', 'The API listens on port 9090', 'agent', [ids.port])
  ids.host = await say('fact:host', 'The API runs on host a', 'user')
  ids.other = await say('fact:host', 'The API runs on host b', 'agent', [ids.host])
})

const list = async (query: Record<string, number> = {}) =>
  (await api.ok('listDisputes', { path, query })).body

describe('200: the open contradictions', () => {
  test('both sides as memories, and since when both are on record; the latest first', async () => {
    const { disputes, ...page } = await list()
    expect(page).toEqual({ total: 2, page: 0, page_size: 100 })
    expect(disputes.map(({ earlier, later }) => [earlier.memory_id, later.memory_id])).toEqual([
      [ids.host, ids.other],
      [ids.port, ids.against],
    ])
    for (const { since, earlier, later } of disputes) {
      expect(since).toBe(later.recorded_at)
      for (const memory of [earlier, later]) {
        const memory_id = memory.memory_id
        expect(memory).toEqual((await api.ok('getMemory', { path: { ...path, memory_id } })).body)
      }
    }
  })

  test('a page at a time', async () => {
    const answer = await api.ok('listDisputes', { path, query: { page: 1, page_size: 1 } })
    expect(answer.body.disputes.map(({ later }) => later.memory_id)).toEqual([ids.against])
    expect(linksOf(answer)['prev']).toBe('/v1/graphs/demo/disputes?page=0&page_size=1')
    expect(await list({ page: 9 })).toEqual({ disputes: [], total: 2, page: 9, page_size: 100 })
  })
})

describeRefusals(api, 'listDisputes', () => ({ path }))
