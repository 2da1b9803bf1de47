import { describe, expect, test } from 'vitest'
import { linksOf, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const GRAPHS = ['B', '__proto__', 'a', 'c']
const api = useApi(async (it) => {
  for (const graph_id of ['c', 'a', '__proto__', 'B']) await it.record({ graph_id, payload: { text: 'x' } })
})
const listed = (graphs: readonly { graph_id: string }[]) => graphs.map(({ graph_id }) => graph_id)

describe('200: the graphs', () => {
  test('by id, a page at a time', async () => {
    const all = await api.ok('listGraphs', {})
    expect(all.body).toEqual({
      graphs: GRAPHS.map((graph_id) => ({ graph_id })),
      total: 4,
      page: 0,
      page_size: 100,
    })
    const page = await api.ok('listGraphs', { query: { page: 1, page_size: 2 } })
    expect(listed(page.body.graphs)).toEqual(['a', 'c'])
    expect(linksOf(page)['prev']).toBe('/v1/graphs?page=0&page_size=2')
    expect((await api.ok('listGraphs', { query: { page: 5 } })).body).toMatchObject({ graphs: [], total: 4 })
  })

  test('C1: a pinned key sees the graphs that it reaches, and no trace of others', async () => {
    const { headers } = await api.server.key({ graphs: ['c', 'a', 'not_there'] })
    const { body } = await api.ok('listGraphs', { headers })
    expect([listed(body.graphs), body.total]).toEqual([['a', 'c'], 2])
    const none = await api.server.key({ graphs: ['not_there'] })
    expect((await api.ok('listGraphs', { headers: none.headers })).body).toMatchObject({
      graphs: [],
      total: 0,
    })
  })
})

describe('200: read for meaning', () => {
  const reading = useApi(async (it) => void (await it.record({ payload: { text: 'x' } })), { meaning: 'on' })

  test('what is unread is counted, and left out once nothing is', async () => {
    await reading.server.store.caughtUp('demo')
    expect((await reading.ok('listGraphs', {})).body.graphs).toEqual([{ graph_id: 'demo' }])
  })
})

describeRefusals(api, 'listGraphs', () => ({}))
