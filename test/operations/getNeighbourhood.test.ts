import { describe, expect, test } from 'vitest'
import { type EventParts, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'
import { PROTOTYPE_NAMES } from '../support/words.js'

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
  test('field by field', async () => {
    expect(await around({ limit: 2 })).toEqual({
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

  test('type and name are folded, and names of the object prototype are ordinary', async () => {
    expect(ids(await around({}, { ...hooks, context_type: ' SKILL', name: 'React Hooks' }))).toHaveLength(4)
    for (const name of PROTOTYPE_NAMES) {
      const related_to = PROTOTYPE_NAMES.map((other) => `${other}:${name}`)
      await api.record({ graph_id: name, context_id: `${name}:${name}`, payload: { text: name }, related_to })
      const body = await around({}, { graph_id: name, context_type: name, name })
      expect(body.relationships).toHaveLength(PROTOTYPE_NAMES.length)
    }
  })

  test('the same bytes after a restart', async () => {
    const call = { path: hooks, query: { depth: 3 } }
    const before = (await api.ok('getNeighbourhood', call)).text
    await api.server.restart()
    expect((await api.ok('getNeighbourhood', call)).text).toBe(before)
  })
})

describe('400 Bad Request', () => {
  test.each([
    [{ depth: 0 }, '/query/depth'],
    [{ depth: 4 }, '/query/depth'],
    [{ depth: '1e0' }, '/query/depth'],
    [{ limit: 0 }, '/query/limit'],
    [{ limit: 1001 }, '/query/limit'],
    [{ limit: 'all' }, '/query/limit'],
    [{ page: 0 }, '/query/page'],
  ])('%j is refused by name', async (query, path) => {
    const call = { path: hooks, query: query as Record<string, string | number> }
    const { body } = await api.refused('getNeighbourhood', call, 400, 'invalid_request')
    expect(body.errors?.map((error) => error.path)).toEqual([path])
  })

  test.each([
    ['graph_id', 'a b'],
    ['context_type', 'a:b'],
    ['name', 'x'.repeat(201)],
  ])('%s %j', async (part, value) => {
    const path = { ...hooks, [part]: value }
    const { body } = await api.refused('getNeighbourhood', { path }, 400, 'invalid_request')
    expect(body.errors?.map((error) => error.path)).toEqual([`/path/${part}`])
  })
})

describe('404 Not Found', () => {
  test('a context that does not exist', async () => {
    for (const name of ['nothing', 'hasownproperty'])
      await api.refused('getNeighbourhood', { path: { ...hooks, name } }, 404, 'context_not_found')
  })
})

describeRefusals(api, 'getNeighbourhood', () => ({ path: hooks }))
