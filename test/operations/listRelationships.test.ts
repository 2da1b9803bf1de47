import { describe, expect, test } from 'vitest'
import { type EventParts, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

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
  test('field by field; type and name are folded', async () => {
    const path = { ...hooks, context_type: ' SKILL', name: 'React Hooks' }
    const body = await list({ kind: 'reinforcement' }, path)
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
})

describeRefusals(api, 'listRelationships', () => ({ path: hooks }))
