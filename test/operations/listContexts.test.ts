import { describe, expect, test } from 'vitest'
import { MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const skills = { graph_id: 'demo', context_type: 'skill' }

const api = useApi(async (it) => {
  await it.record({ context_id: 'skill:a', payload: { text: 'a' } })
  await it.record({ context_id: 'tool:ci', payload: { text: 'x' } })
})

describe('200: the contexts of the type', () => {
  test('each with its id, type, name, count and time, and nothing else; the type is folded', async () => {
    const { body } = await api.ok('listContexts', { path: { graph_id: 'demo', context_type: ' ＴOOL' } })
    expect(body).toEqual({
      contexts: [
        {
          context_id: 'tool:ci',
          context_type: 'tool',
          context_name: 'ci',
          memory_count: 1,
          updated_at: MOMENT,
        },
      ],
      total: 1,
      page: 0,
      page_size: 100,
    })
  })

  test('updated_at is when something was last recorded, not when it happened nor when it was linked to', async () => {
    const time = async (name: string) => {
      const { body } = await api.ok('listContexts', { path: { graph_id: 'times', context_type: 'skill' } })
      return body.contexts.find((it) => it.context_name === name)?.updated_at ?? ''
    }
    const old = { graph_id: 'times', context_id: 'skill:a', timestamp: '2001-01-01T00:00:00Z' }
    const begin = new Date().toISOString()
    await api.record({ ...old, payload: { text: 'one' } })
    const first = await time('a')
    expect(first >= begin).toBe(true)
    await api.record({
      graph_id: 'times',
      context_id: 'skill:b',
      payload: { text: 'x' },
      extends: ['skill:a'],
    })
    expect(await time('a')).toBe(first)
    await api.record({ ...old, payload: { text: 'two' } })
    expect((await time('a')) >= (await time('b'))).toBe(true)
  })
})

describe('400 Bad Request', () => {
  test('a type that is too long once it is folded', async () => {
    const path = { graph_id: 'demo', context_type: 'ﷺ'.repeat(4) }
    const { body } = await api.refused('listContexts', { path }, 400, 'invalid_name')
    expect(body.errors?.map((error) => error.path)).toEqual(['/path/context_type'])
  })

  test('C3: the bounds themselves are accepted', async () => {
    for (const query of [
      { page: 0, page_size: 1 },
      { page: 1_000_000, page_size: 500 },
    ])
      await api.ok('listContexts', { path: skills, query })
  })
})

describeRefusals(api, 'listContexts', () => ({ path: skills }))
