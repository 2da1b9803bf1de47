import { describe, expect, test } from 'vitest'
import { MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi(async (it) => {
  await it.record({ context_id: 'skill:kept', payload: { text: 'kept' } })
})

const context = (context_type: string, name: string, graph_id = 'demo') => ({
  path: { graph_id, context_type, name },
})
const kept = context('skill', 'kept')
const exported = async () => (await api.server.fetch('/v1/graphs/demo/events')).text()

describe('200: erased, or what would be', () => {
  test('all its memories and their links; the dry run says so before and erases nothing', async () => {
    const record = (text: string) =>
      api.record({
        context_id: 'skill:Gone Soon',
        payload: { text },
        related_to: ['skill:kept', 'tool:only_here'],
      })
    const memory_ids = [await record('vanishing one'), await record('vanishing two')]
    const before = await exported()
    const call = context('Skill', 'gone soon')
    const dry = await api.ok('deleteContext', { ...call, query: { dry_run: 'true' } })
    expect(dry.body).toEqual({
      dry_run: true,
      graph_id: 'demo',
      memories: 2,
      relationships: 4,
      contexts: 2,
      memory_ids,
      key_id: 'root',
    })
    expect(await exported()).toBe(before)
    const { body } = await api.ok('deleteContext', call)
    expect(body).toEqual({ ...dry.body, dry_run: false, erased_at: MOMENT })
    await api.refused('getContext', call, 404, 'context_not_found')
    await api.refused('getContext', context('tool', 'only_here'), 404, 'context_not_found')
    await api.server.restart()
    await api.refused('getContext', call, 404, 'context_not_found')
    expect(await exported()).not.toContain('vanishing')
  })
})

describeRefusals(api, 'deleteContext', () => kept)
