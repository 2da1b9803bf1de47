import { describe, expect, test } from 'vitest'
import { MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

let kept = ''
const api = useApi(async (it) => {
  kept = await it.record({ context_id: 'skill:kept', payload: { text: 'kept' } })
})

const memory = (memory_id: string, graph_id = 'demo') => ({ path: { graph_id, memory_id } })
const exported = async () => (await api.server.fetch('/v1/graphs/demo/events')).text()

describe('200: erased, or what would be', () => {
  test('the receipt says exactly what goes; the dry run says it before and erases nothing', async () => {
    const id = await api.record({
      context_id: 'skill:gone',
      payload: { text: 'vanishing' },
      extends: ['skill:kept'],
    })
    const before = await exported()
    const dry = await api.ok('deleteMemory', { ...memory(id), query: { dry_run: 'true' } })
    expect(dry.body).toEqual({
      dry_run: true,
      graph_id: 'demo',
      memories: 1,
      relationships: 1,
      contexts: 1,
      memory_ids: [id],
      key_id: 'root',
    })
    expect(await exported()).toBe(before)
    const { body } = await api.ok('deleteMemory', { ...memory(id), query: { dry_run: 'false' } })
    expect(body).toEqual({ ...dry.body, dry_run: false, erased_at: MOMENT })
    await api.refused('getMemory', memory(id), 404, 'memory_not_found')
    expect(await exported()).not.toContain('vanishing')
    await api.server.restart()
    await api.refused('getMemory', memory(id), 404, 'memory_not_found')
    expect(await exported()).not.toContain('vanishing')
  })

  test('the receipt and the audit name the key; the audit has counts and never a text', async () => {
    const id = await api.record({ context_id: 'skill:audit', payload: { text: 'unspeakable' } })
    const key = await api.server.key({ scopes: ['write'], graphs: ['demo'] })
    const dry = await api.ok('deleteMemory', {
      ...memory(id),
      query: { dry_run: 'true' },
      headers: key.headers,
    })
    const audits = (request: unknown) =>
      api.server.lines.filter((line) => line['msg'] === 'audit' && line['id'] === request)
    expect(audits(dry.headers['x-request-id'])).toEqual([])
    const answer = await api.ok('deleteMemory', { ...memory(id), headers: key.headers })
    expect(answer.body.key_id).toBe(key.key_id)
    expect(audits(answer.headers['x-request-id'])).toEqual([
      expect.objectContaining({
        level: 30,
        key: key.key_id,
        erased: 'demo',
        memories: 1,
        relationships: 0,
        contexts: 1,
      }),
    ])
    expect(JSON.stringify(api.server.lines)).not.toContain('unspeakable')
  })
})

describeRefusals(api, 'deleteMemory', () => memory(kept))
