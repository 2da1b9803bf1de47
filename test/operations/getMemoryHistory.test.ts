import { describe, expect, test } from 'vitest'
import { linksOf, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const context_id = 'decision:test_runner'
const ids = { jest: '', vitest: '', faster: '' }

const api = useApi(async (it) => {
  ids.jest = await it.record({ context_id, payload: { decision: 'Use jest' } })
  const decided = { context_id, payload: { decision: 'Use vitest' } }
  ids.vitest = await it.record({ ...decided, source: 'user', contradicts: [ids.jest] })
  ids.faster = await it.record({
    payload: { fact: 'It is faster' },
    source: 'executor',
    reinforces: [ids.vitest],
  })
  const again = { graph_id: 'demo', event_kind: 'fact', ...decided, related_to: ['skill:typescript'] }
  await it.ok('recordEvent', { body: again }, 200)
})

const path = () => ({ graph_id: 'demo', memory_id: ids.vitest })
const NO_LINKS = { reinforces: [], extends: [], contradicts: [], related_to: [] }

describe('200: every statement of the memory', () => {
  test('field by field', async () => {
    const { body } = await api.ok('getMemoryHistory', { path: path() })
    const times = { recorded_at: MOMENT, occurred_at: MOMENT }
    expect(body).toEqual({
      memory_id: ids.vitest,
      statements: [
        {
          ...{ place: 2, event_id: ids.vitest, own: true, source: 'user', ...times },
          links: { ...NO_LINKS, contradicts: [ids.jest] },
          bears_on: [{ memory_id: ids.jest, context_id, effect: 'supersedes' }],
        },
        {
          ...{ place: 3, event_id: ids.faster, own: false, source: 'executor', ...times },
          links: { ...NO_LINKS, reinforces: [ids.vitest] },
          bears_on: [{ memory_id: ids.vitest, context_id, effect: 'reinforces' }],
        },
        {
          ...{ place: 4, event_id: ids.vitest, own: true, source: 'agent', ...times },
          links: { ...NO_LINKS, related_to: ['skill:typescript'] },
          bears_on: [],
        },
      ],
      supersedes: [{ memory_id: ids.jest, place: 2, recorded_at: MOMENT, source: 'user' }],
      superseded_by: [],
      spells: [{ valid_from: MOMENT }],
      total: 3,
      page: 0,
      page_size: 100,
    })
    const [first] = body.statements
    expect(body.supersedes[0]?.recorded_at).toBe(first?.recorded_at)
  })

  test('what replaced it, by the place and the time at which it no longer stood', async () => {
    const { body } = await api.ok('getMemoryHistory', { path: { ...path(), memory_id: ids.jest } })
    expect(body.superseded_by).toEqual([
      { memory_id: ids.vitest, place: 2, recorded_at: MOMENT, source: 'user' },
    ])
    expect(body.spells).toEqual([{ valid_from: MOMENT, valid_to: MOMENT, by: ids.vitest }])
  })

  test('spells that adjoin are one, with what replaced the last of them', async () => {
    const oncall = { graph_id: 'rota', context_id: 'decision:on_call' }
    const ana = { ...oncall, event_kind: 'decision', payload: { who: 'Ana' } } as const
    const first = { ...ana, timestamp: '2020-03-01', valid_until: '2020-03-08' }
    const { event_id: memory_id } = (await api.ok('recordEvent', { body: first }, 201)).body
    await api.ok('recordEvent', { body: { ...ana, valid_from: '2020-03-09' } }, 200)
    const by = await api.record({
      ...oncall,
      payload: { who: 'Ben' },
      contradicts: [memory_id],
      valid_from: '2020-04-01',
    })
    const { body } = await api.ok('getMemoryHistory', { path: { graph_id: 'rota', memory_id } })
    expect(body.spells).toEqual([
      { valid_from: '2020-03-01T00:00:00.000Z', valid_to: '2020-04-01T00:00:00.000Z', by },
    ])
  })

  test('a page at a time', async () => {
    const answer = await api.ok('getMemoryHistory', { path: path(), query: { page: 1, page_size: 2 } })
    expect(answer.body.statements.map(({ place }) => place)).toEqual([4])
    expect([answer.body.total, answer.body.supersedes.length]).toEqual([3, 1])
    expect(linksOf(answer)['prev']).toBe(`/v1/memories/demo/${ids.vitest}/history?page=0&page_size=2`)
  })
})

describeRefusals(api, 'getMemoryHistory', () => ({ path: path() }))
