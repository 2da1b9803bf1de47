import { describe, expect, test } from 'vitest'
import { MOMENT, useApi } from '../support/api.js'
import { describeRefusals, expectDryRunParameter } from '../support/refusals.js'

let kept = ''
const api = useApi(async (it) => {
  kept = await it.record({ context_id: 'skill:kept', payload: { text: 'kept' } })
})

const NOTHING = 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'
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

  test('links of others to it go with it; what it had replaced is current again', async () => {
    const context_id = 'decision:runner'
    const old = await api.record({ context_id, payload: { text: 'use jest' }, source: 'agent' })
    const change = {
      context_id,
      payload: { text: 'use vitest' },
      source: 'user',
      contradicts: [old],
    } as const
    const replacing = await api.record(change)
    expect((await api.ok('getMemory', memory(old))).body.status).toBe('superseded')
    const echo = await api.record({
      context_id: 'skill:echo',
      payload: { text: 'yes' },
      reinforces: [replacing],
    })
    const { body } = await api.ok('deleteMemory', memory(replacing))
    expect(body).toMatchObject({ memories: 1, relationships: 2, memory_ids: [replacing] })
    expect((await api.ok('getMemory', memory(old))).body).toMatchObject({
      status: 'current',
      superseded_by: [],
    })
    expect((await api.ok('getMemory', memory(echo))).body.links.reinforces).toEqual([])
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

describe('400 Bad Request', () => {
  test('dry_run is true or false, and nothing is erased otherwise', async () => {
    await expectDryRunParameter(api, 'deleteMemory', memory(kept))
    await api.ok('getMemory', memory(kept))
  })

  test('what is no id', async () => {
    for (const id of ['x', 'skill:kept', kept.toLowerCase()])
      await api.refused('deleteMemory', memory(id), 400, 'invalid_request')
  })
})

describe('404 Not Found', () => {
  test('a graph or a memory that does not exist, also in a dry run', async () => {
    for (const query of [{}, { dry_run: 'true' }]) {
      await api.refused('deleteMemory', { ...memory(kept, 'none'), query }, 404, 'graph_not_found')
      await api.refused('deleteMemory', { ...memory(NOTHING), query }, 404, 'memory_not_found')
    }
  })
})

describeRefusals(
  api,
  'deleteMemory',
  () => memory(kept),
  () => ({ ...memory(kept), query: { dry_run: 'true' } }),
)
