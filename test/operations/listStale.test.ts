import { describe, expect, test } from 'vitest'
import { linksOf, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const path = { graph_id: 'demo' }
const ids = { jest: '', configuration: '', plugin: '', vitest: '' }

const api = useApi(async (it) => {
  const context_id = 'decision:test_runner'
  ids.jest = await it.record({ context_id, payload: { decision: 'Use jest' } })
  ids.configuration = await it.record({ payload: { decision: 'One jest file' }, extends: [ids.jest] })
  ids.plugin = await it.record({ payload: { fact: 'It needs a plugin' }, extends: [ids.configuration] })
  ids.vitest = await it.record({ context_id, payload: { decision: 'Use vitest' }, contradicts: [ids.jest] })
})

const list = async (query: Record<string, number> = {}) => (await api.ok('listStale', { path, query })).body

describe('200: the stale memories', () => {
  test('each with what it builds on that was replaced, and by what; the latest first', async () => {
    const { stale, ...page } = await list()
    expect(page).toEqual({ total: 2, page: 0, page_size: 100, more_stale: false })
    const because = [{ memory_id: ids.jest, context_id: 'decision:test_runner', superseded_by: [ids.vitest] }]
    expect(stale.map(({ memory, because }) => [memory.memory_id, memory.status, because])).toEqual([
      [ids.plugin, 'stale', because],
      [ids.configuration, 'stale', because],
    ])
    const [first] = stale
    const memory_id = ids.plugin
    expect(first?.memory).toEqual((await api.ok('getMemory', { path: { ...path, memory_id } })).body)
  })

  test('a page at a time', async () => {
    const answer = await api.ok('listStale', { path, query: { page: 1, page_size: 1 } })
    expect(answer.body.stale.map(({ memory }) => memory.memory_id)).toEqual([ids.configuration])
    expect(linksOf(answer)['prev']).toBe('/v1/graphs/demo/stale?page=0&page_size=1')
    expect(await list({ page: 9 })).toEqual({
      ...{ stale: [], total: 2, page: 9, page_size: 100 },
      more_stale: false,
    })
  })
})

describeRefusals(api, 'listStale', () => ({ path }))
