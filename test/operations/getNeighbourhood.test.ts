import { describe, expect, test } from 'vitest'
import { type EventParts, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const hooks = { graph_id: 'demo', context_type: 'skill', name: 'react_hooks' }
let count = 0

const api = useApi(async (it) => {
  const say = (context_id: string, links: EventParts) =>
    it.record({ context_id, payload: { text: `statement ${count++}` }, ...links })
  await say('skill:react_hooks', { reinforces: ['skill:react_performance'], related_to: ['skill:a'] })
  await say('skill:react_hooks', { reinforces: ['skill:React Performance'] })
  await say('skill:react_performance', { extends: ['skill:far'] })
  await say('error:loop', { contradicts: ['skill:react_hooks'] })
})

const around = async (query: Record<string, string | number> = {}, path = hooks) =>
  (await api.ok('getNeighbourhood', { path, query })).body

const ids = (body: Awaited<ReturnType<typeof around>>) =>
  body.contexts.map(({ context_id, distance }) => [context_id, distance])

describe('200: the context, those around it, and the links among them', () => {
  test('field by field; type and name are folded', async () => {
    const path = { ...hooks, context_type: ' SKILL', name: 'React Hooks' }
    expect(await around({ limit: 2 }, path)).toEqual({
      context_id: 'skill:react_hooks',
      contexts: [
        {
          context_id: 'skill:react_hooks',
          context_type: 'skill',
          context_name: 'react_hooks',
          memory_count: 2,
          distance: 0,
        },
        {
          context_id: 'skill:react_performance',
          context_type: 'skill',
          context_name: 'react_performance',
          memory_count: 1,
          distance: 1,
        },
      ],
      relationships: [
        {
          from: 'skill:react_hooks',
          to: 'skill:react_performance',
          kind: 'reinforcement',
          weight: 2,
          first_seen: MOMENT,
          last_seen: MOMENT,
        },
      ],
      left_out: { contexts: 2, relationships: 0, unexplored: 0 },
    })
  })

  test('one link away unless depth says otherwise, and at most 100 contexts unless limit does', async () => {
    const near = [
      ['skill:react_hooks', 0],
      ['skill:react_performance', 1],
      ['error:loop', 1],
      ['skill:a', 1],
    ]
    expect(ids(await around())).toEqual(near)
    expect(ids(await around({ depth: 3, limit: 1000 }))).toEqual([...near, ['skill:far', 2]])
    const related_to = Array.from({ length: 50 }, (_, i) => `leaf:${i}`)
    for (const part of ['x', 'y', 'z'])
      await api.record({
        context_id: 'hub:all',
        payload: { text: part },
        related_to: related_to.map((leaf) => leaf + part),
      })
    const hub = { graph_id: 'demo', context_type: 'hub', name: 'all' }
    const some = await around({}, hub)
    expect([some.contexts.length, some.relationships.length, some.left_out.contexts]).toEqual([100, 99, 51])
    expect((await around({ limit: 151 }, hub)).left_out).toEqual({
      contexts: 0,
      relationships: 0,
      unexplored: 0,
    })
  })
})

describeRefusals(api, 'getNeighbourhood', () => ({ path: hooks }))
