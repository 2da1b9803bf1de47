import { describe, expect, test } from 'vitest'
import { linksOf, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const flat = { graph_id: 'demo', context_type: 'contract', name: 'flat' }
const ids = { first: '', raised: '', planned: '', dearer: '' }

const api = useApi(
  async (it) => {
    const say = (rent: string, valid_from: string, more = {}) =>
      it.record({ context_id: 'contract:flat', payload: { rent }, valid_from, ...more })
    ids.first = await say('950 euros', '2023-01-01')
    ids.raised = await say('990 euros', '2025-01-01', { contradicts: [ids.first] })
    ids.planned = await say('1050 euros', '2027-01-01', { contradicts: [ids.raised] })
    const menu = { context_id: 'menu:risotto', source: 'user' } as const
    const payload = { dish: 'Risotto', price: 18.5, vegan: true }
    const dish = await it.record({ ...menu, payload, timestamp: '2026-01-01' })
    ids.dearer = await it.record({
      ...{ ...menu, payload: { price: 19.8 }, contradicts: [`${dish}#/price`] },
      timestamp: '2026-02-01',
    })
    for (const [day, weight] of [
      ['2026-02-01', 9.1],
      ['2026-01-01', 8.7],
    ] as const)
      await it.record({ context_id: 'cat:mia', payload: { weight }, timestamp: day })
  },
  { now: () => new Date('2026-03-02T09:30:00Z') },
)

describe('200: what stood when, in the order of the world', () => {
  test('field by field', async () => {
    expect((await api.ok('getContextTimeline', { path: flat })).body).toEqual({
      context_id: 'contract:flat',
      timeline: [
        {
          memory_id: ids.first,
          text: 'rent: 950 euros',
          valid_from: '2023-01-01T00:00:00.000Z',
          valid_to: '2025-01-01T00:00:00.000Z',
          by: ids.raised,
          status: 'superseded',
        },
        {
          memory_id: ids.raised,
          text: 'rent: 990 euros',
          valid_from: '2025-01-01T00:00:00.000Z',
          valid_to: '2027-01-01T00:00:00.000Z',
          by: ids.planned,
          status: 'current',
        },
        {
          memory_id: ids.planned,
          text: 'rent: 1050 euros',
          valid_from: '2027-01-01T00:00:00.000Z',
          status: 'planned',
        },
      ],
      total: 3,
      page: 0,
      page_size: 100,
    })
  })

  test('a field that was replaced alone has times of its own', async () => {
    const path = { graph_id: 'demo', context_type: 'menu', name: 'risotto' }
    const { body } = await api.ok('getContextTimeline', { path })
    const begun = '2026-01-01T00:00:00.000Z'
    const field = body.timeline.filter((item) => item.field !== undefined)
    expect(field).toMatchObject([
      { field: 'price', text: '18.5', valid_from: begun, by: ids.dearer, status: 'current' },
    ])
    const [whole] = body.timeline.filter((item) => item.field === undefined)
    expect(whole).toMatchObject({ memory_id: field[0]?.memory_id, valid_from: begun })
    expect(whole).not.toHaveProperty('valid_to')
  })

  test('readings that nobody linked are a series, and end nothing', async () => {
    const path = { graph_id: 'demo', context_type: 'cat', name: 'mia' }
    const { body } = await api.ok('getContextTimeline', { path })
    expect(body.timeline).toMatchObject([
      { text: 'weight: 8.7', valid_from: '2026-01-01T00:00:00.000Z', series: true, status: 'current' },
      { text: 'weight: 9.1', valid_from: '2026-02-01T00:00:00.000Z', series: true, status: 'current' },
    ])
    for (const item of body.timeline) expect(item).not.toHaveProperty('valid_to')
  })

  test('a page at a time', async () => {
    const answer = await api.ok('getContextTimeline', { path: flat, query: { page: 1, page_size: 2 } })
    expect(answer.body.timeline.map(({ memory_id }) => memory_id)).toEqual([ids.planned])
    expect(answer.body).toMatchObject({ total: 3, page: 1, page_size: 2 })
    expect(linksOf(answer)['prev']).toBe('/v1/contexts/demo/contract/flat/timeline?page=0&page_size=2')
  })

  test('the same bytes after a restart', async () => {
    const before = (await api.ok('getContextTimeline', { path: flat })).text
    await api.server.restart()
    expect((await api.ok('getContextTimeline', { path: flat })).text).toBe(before)
  })
})

describe('404 Not Found', () => {
  test('a context that nothing names', async () => {
    const path = { ...flat, name: 'house' }
    await api.refused('getContextTimeline', { path }, 404, 'context_not_found')
  })
})

describeRefusals(api, 'getContextTimeline', () => ({ path: flat }))
