import { describe, expect, test } from 'vitest'
import { type EventParts, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'
import { PROTOTYPE_NAMES } from '../support/words.js'

const hooks = { graph_id: 'demo', context_type: 'skill', name: 'react_hooks' }
let count = 0

const api = useApi(async (it) => {
  const say = (context_id: string, links: EventParts) =>
    it.record({ context_id, payload: { text: `statement ${count++}` }, ...links })
  await say('skill:react_hooks', {
    reinforces: ['skill:react_performance'],
    related_to: ['skill:b', 'Skill:A'],
  })
  const second = await say('skill:react_hooks', {
    reinforces: ['skill:React Performance'],
    extends: ['skill:react'],
  })
  await say('error:loop', { contradicts: ['skill:react_hooks'] })
  await say('error:crash', { contradicts: [second] })
  await say('skill:react', { extends: ['skill:react_hooks'] })
})

const list = async (query: Record<string, string> = {}, path = hooks) =>
  (await api.ok('listRelationships', { path, query })).body

const short = (body: Awaited<ReturnType<typeof list>>) =>
  body.relationships.map(({ kind, direction, context_id, weight }) => [direction, kind, context_id, weight])

const OUTGOING = [
  ['outgoing', 'reinforcement', 'skill:react_performance', 2],
  ['outgoing', 'extension', 'skill:react', 1],
  ['outgoing', 'related-to', 'skill:a', 1],
  ['outgoing', 'related-to', 'skill:b', 1],
]
const INCOMING = [
  ['incoming', 'extension', 'skill:react', 1],
  ['incoming', 'contradiction', 'error:crash', 1],
  ['incoming', 'contradiction', 'error:loop', 1],
]

describe('200: the links of the context', () => {
  test('field by field', async () => {
    const body = await list({ kind: 'reinforcement' })
    expect(body).toEqual({
      context_id: 'skill:react_hooks',
      relationships: [
        {
          kind: 'reinforcement',
          direction: 'outgoing',
          context_id: 'skill:react_performance',
          context_type: 'skill',
          context_name: 'react_performance',
          weight: 2,
          first_seen: MOMENT,
          last_seen: MOMENT,
        },
      ],
      total: 1,
    })
    const [link] = body.relationships
    expect((link?.first_seen ?? '') <= (link?.last_seen ?? '')).toBe(true)
  })

  test('all of them, both directions: outgoing first, then by kind, then by context_id', async () => {
    const body = await list()
    expect(short(body)).toEqual([...OUTGOING, ...INCOMING])
    expect(body.total).toBe(7)
  })

  test('filtered by direction and kind', async () => {
    expect(short(await list({ direction: 'both' }))).toEqual([...OUTGOING, ...INCOMING])
    expect(short(await list({ direction: 'outgoing' }))).toEqual(OUTGOING)
    expect(short(await list({ direction: 'incoming' }))).toEqual(INCOMING)
    for (const kind of ['reinforcement', 'extension', 'contradiction', 'related-to']) {
      const wanted = [...OUTGOING, ...INCOMING].filter((link) => link[1] === kind)
      const body = await list({ kind })
      expect(short(body)).toEqual(wanted)
      expect(body.total).toBe(wanted.length)
    }
    expect(short(await list({ kind: 'extension', direction: 'incoming' }))).toEqual([
      ['incoming', 'extension', 'skill:react', 1],
    ])
    expect(await list({ kind: 'reinforcement', direction: 'incoming' })).toEqual({
      context_id: 'skill:react_hooks',
      relationships: [],
      total: 0,
    })
  })

  test('a link seen from one end is seen from the other, with the same weight and times', async () => {
    const mirror = { outgoing: 'incoming', incoming: 'outgoing' } as const
    for (const link of (await list()).relationships) {
      const path = { graph_id: 'demo', context_type: link.context_type, name: link.context_name }
      const there = (await list({ kind: link.kind, direction: mirror[link.direction] }, path)).relationships
      expect(there).toContainEqual({
        ...link,
        direction: mirror[link.direction],
        context_id: 'skill:react_hooks',
        context_type: 'skill',
        context_name: 'react_hooks',
      })
    }
  })

  test('not paged: more links than a page holds come at once', async () => {
    for (let i = 0; i < 11; i++) {
      const related_to = Array.from({ length: 50 }, (_, k) => `leaf:${i}_${k}`)
      await api.record({ context_id: 'hub:all', payload: { text: `part ${i}` }, related_to })
    }
    const answer = await api.ok('listRelationships', {
      path: { graph_id: 'demo', context_type: 'hub', name: 'all' },
    })
    expect([answer.body.total, answer.body.relationships.length]).toEqual([550, 550])
    expect(answer.headers['link']).toBeUndefined()
  })

  test('a context may link to itself, and shows it at both ends', async () => {
    await api.record({ context_id: 'self:x', payload: { text: 'one' } })
    await api.record({ context_id: 'self:x', payload: { text: 'two' }, contradicts: ['self:x'] })
    expect(short(await list({}, { graph_id: 'demo', context_type: 'self', name: 'x' }))).toEqual([
      ['outgoing', 'contradiction', 'self:x', 1],
      ['incoming', 'contradiction', 'self:x', 1],
    ])
  })

  test('weight counts memories, not mentions: a repeat or a second spelling adds nothing', async () => {
    const event: EventParts = { graph_id: 'weights', context_id: 'a:a', payload: { text: 'same' } }
    const weight = async () => {
      const path = { graph_id: 'weights', context_type: 'a', name: 'a' }
      return (await list({ kind: 'extension' }, path)).relationships.map((link) => link.weight)
    }
    const body = { event_kind: 'fact', ...event, extends: ['b:b', 'B:B'] }
    await api.ok('recordEvent', { body }, 201)
    expect(await weight()).toEqual([1])
    await api.ok('recordEvent', { body }, 200)
    expect(await weight()).toEqual([1])
    for (const count of [2, 3, 4, 5]) {
      await api.record({ ...event, payload: { text: `another ${count}` }, extends: ['b:b'] })
      expect(await weight()).toEqual([count])
    }
  })

  test('a context without links, and one that is only linked to', async () => {
    await api.record({ context_id: 'lone:wolf', payload: { text: 'x' } })
    const lone = { graph_id: 'demo', context_type: 'lone', name: 'wolf' }
    expect(await list({}, lone)).toEqual({ context_id: 'lone:wolf', relationships: [], total: 0 })
    expect(short(await list({}, { ...hooks, name: 'b' }))).toEqual([
      ['incoming', 'related-to', 'skill:react_hooks', 1],
    ])
  })

  test('type and name are folded; a percent-encoded slash is data', async () => {
    expect((await list({}, { ...hooks, context_type: ' SKILL', name: 'React Hooks' })).total).toBe(7)
    await api.record({ context_id: 'file:src/main.ts', payload: { text: 'x' }, extends: ['file:src/app.ts'] })
    const path = { graph_id: 'demo', context_type: 'file', name: 'src/main.ts' }
    expect(short(await list({}, path))).toEqual([['outgoing', 'extension', 'file:src/app.ts', 1]])
  })

  test('C5: names of the object prototype are ordinary ends of a link', async () => {
    for (const name of PROTOTYPE_NAMES) {
      const related_to = PROTOTYPE_NAMES.map((other) => `${other}:${name}`)
      await api.record({ graph_id: name, context_id: `${name}:${name}`, payload: { text: name }, related_to })
      const body = await list({}, { graph_id: name, context_type: name, name })
      expect(body.relationships.filter((link) => link.direction === 'outgoing')).toHaveLength(
        PROTOTYPE_NAMES.length,
      )
    }
  })
})

describe('200 again after a restart', () => {
  test('the same bytes', async () => {
    const before = (await api.ok('listRelationships', { path: hooks })).text
    await api.server.restart()
    expect((await api.ok('listRelationships', { path: hooks })).text).toBe(before)
  })
})

describe('400 Bad Request', () => {
  test.each([
    [{ kind: 'friend' }, '/query/kind'],
    [{ kind: 'Reinforcement' }, '/query/kind'],
    [{ kind: 'related_to' }, '/query/kind'],
    [{ kind: 'constructor' }, '/query/kind'],
    [{ kind: '' }, '/query/kind'],
    [{ direction: 'sideways' }, '/query/direction'],
    [{ page: 0 }, '/query/page'],
    [{ page_size: 10 }, '/query/page_size'],
  ])('%j is refused by name', async (query, path) => {
    const { body } = await api.refused('listRelationships', { path: hooks, query }, 400, 'invalid_request')
    expect(body.errors?.map((error) => error.path)).toEqual([path])
  })

  test('a parameter given twice', async () => {
    const response = await api.server.fetch(
      '/v1/contexts/demo/skill/react_hooks/relationships?kind=extension&kind=contradiction',
    )
    expect(response.status).toBe(400)
  })

  test.each([
    ['graph_id', 'a b'],
    ['context_type', 'a:b'],
    ['name', 'x'.repeat(201)],
    ['name', '\u202e'],
  ])('%s %j', async (part, value) => {
    const { body } = await api.refused(
      'listRelationships',
      { path: { ...hooks, [part]: value } },
      400,
      'invalid_request',
    )
    expect(body.errors?.map((error) => error.path)).toEqual([`/path/${part}`])
  })
})

describe('404 Not Found', () => {
  test('a context that does not exist', async () => {
    for (const name of ['nothing', 'hasownproperty'])
      await api.refused('listRelationships', { path: { ...hooks, name } }, 404, 'context_not_found')
  })
})

describeRefusals(api, 'listRelationships', () => ({ path: hooks }))
