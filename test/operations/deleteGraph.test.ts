import { describe, expect, test } from 'vitest'
import { MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi(async (it) => {
  await it.record({ graph_id: 'kept', payload: { text: 'kept' } })
})

const graph = (graph_id: string) => ({ path: { graph_id } })
const kept = graph('kept')

describe('200: erased, or what would be', () => {
  test('everything in it, and nothing beside it; its name can be used anew', async () => {
    const first = await api.record({ context_id: 'skill:a', payload: { text: 'one' }, extends: ['skill:b'] })
    const second = await api.record({ context_id: 'skill:b', payload: { text: 'two' }, reinforces: [first] })
    const dry = await api.ok('deleteGraph', { ...graph('demo'), query: { dry_run: 'true' } })
    expect(dry.body).toEqual({
      dry_run: true,
      graph_id: 'demo',
      memories: 2,
      relationships: 2,
      contexts: 2,
      memory_ids: [first, second],
      key_id: 'root',
    })
    expect((await api.ok('browseContexts', graph('demo'))).body.total).toBe(1)
    const { body } = await api.ok('deleteGraph', graph('demo'))
    expect(body).toEqual({ ...dry.body, dry_run: false, erased_at: MOMENT })
    const gone = () => api.refused('browseContexts', graph('demo'), 404, 'graph_not_found')
    await gone()
    await api.server.restart()
    await gone()
    expect((await api.ok('listGraphs', {})).body.graphs).toEqual([{ graph_id: 'kept' }])
    await api.record({ payload: { text: 'anew' } })
    expect((await api.ok('browseContexts', graph('demo'))).body.context_types).toEqual([
      { context_type: 'fact', count: 1 },
    ])
  })

  test('the audit says who and how much', async () => {
    await api.record({ graph_id: 'doomed', payload: { text: 'x' } })
    const key = await api.server.key({ scopes: ['admin'], graphs: ['doomed'] })
    const { headers, body } = await api.ok('deleteGraph', { ...graph('doomed'), headers: key.headers })
    expect(body.key_id).toBe(key.key_id)
    expect(api.server.lines).toContainEqual(
      expect.objectContaining({
        msg: 'audit',
        id: headers['x-request-id'],
        key: key.key_id,
        erased: 'doomed',
        memories: 1,
      }),
    )
  })
})

describeRefusals(api, 'deleteGraph', () => kept)
