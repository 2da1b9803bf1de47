import { describe, expect, test } from 'vitest'
import { lastPlaceOf, linksOf, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const runner = { graph_id: 'demo', context_type: 'decision', name: 'test_runner' }
let jest = ''
let vitest = ''

const api = useApi(async (it) => {
  jest = await it.record({
    context_id: 'decision:test_runner',
    event_kind: 'decision',
    payload: { decision: 'Use jest' },
  })
  vitest = await it.record({
    context_id: 'Decision:Test Runner',
    event_kind: 'decision',
    source: 'user',
    payload: { decision: 'Use vitest', reason: 'it runs TypeScript' },
    contradicts: [jest],
    related_to: ['skill:typescript', 'decision:test_runner'],
    timestamp: '2026-03-02T10:30:00+01:00',
  })
  for (let i = 0; i < 5; i++) await it.record({ context_id: 'skill:many', payload: { text: `number ${i}` } })
})

const get = (context_type: string, name: string) =>
  api.ok('getContext', { path: { graph_id: 'demo', context_type, name } })

describe('200: the context and its memories', () => {
  test('field by field, the newest memory first', async () => {
    const { body } = await api.ok('getContext', { path: runner })
    const noLinks = { reinforces: [], extends: [], contradicts: [], related_to: [] }
    expect(body).toEqual({
      context_id: 'decision:test_runner',
      context_type: 'decision',
      context_name: 'test_runner',
      memory_count: 2,
      created_at: MOMENT,
      updated_at: MOMENT,
      memories: [
        {
          memory_id: vitest,
          context_id: 'decision:test_runner',
          text: 'decision: Use vitest; reason: it runs TypeScript',
          payload: { decision: 'Use vitest', reason: 'it runs TypeScript' },
          event_kind: 'decision',
          source: 'user',
          confidence: 0.7,
          status: 'current',
          occurred_at: '2026-03-02T09:30:00.000Z',
          recorded_at: MOMENT,
          place: expect.any(Number),
          recorded_by: 'root',
          links: {
            ...noLinks,
            contradicts: [jest],
            related_to: ['skill:typescript', 'decision:test_runner'],
          },
          superseded_by: [],
          supersedes: [jest],
          disputed_by: [],
          times_seen: 1,
          last_stated_at: MOMENT,
        },
        {
          memory_id: jest,
          context_id: 'decision:test_runner',
          text: 'decision: Use jest',
          payload: { decision: 'Use jest' },
          event_kind: 'decision',
          source: 'agent',
          confidence: 0.2,
          status: 'superseded',
          occurred_at: MOMENT,
          recorded_at: MOMENT,
          place: expect.any(Number),
          recorded_by: 'root',
          links: noLinks,
          superseded_by: [vitest],
          supersedes: [],
          disputed_by: [],
          times_seen: 1,
          last_stated_at: MOMENT,
        },
      ],
      total: 2,
      page: 0,
      page_size: 100,
    })
    expect(body.created_at).toBe(body.memories[1]?.recorded_at)
    expect(body.updated_at).toBe(body.memories[0]?.recorded_at)
  })

  test('a memory reads the same here and in getMemory', async () => {
    const { body } = await api.ok('getContext', { path: runner })
    for (const memory of body.memories) {
      const path = { graph_id: 'demo', memory_id: memory.memory_id }
      expect((await api.ok('getMemory', { path })).body).toEqual(memory)
    }
  })

  test('pages of memories, newest first; total counts them all', async () => {
    const path = { graph_id: 'demo', context_type: 'skill', name: 'many' }
    const page = async (number: number) => {
      const answer = await api.ok('getContext', { path, query: { page: number, page_size: 2 } })
      expect(answer.body).toMatchObject({ memory_count: 5, total: 5, page: number, page_size: 2 })
      return { texts: answer.body.memories.map((memory) => memory.text), links: linksOf(answer) }
    }
    const asOf = await lastPlaceOf(api, 'demo')
    // Not what was true when the last of them was recorded: valid_at keeps the links to this moment.
    const at = (number: number) =>
      expect.stringMatching(
        new RegExp(
          `^/v1/contexts/demo/skill/many\\?as_of=${asOf}&valid_at=2[^&]+Z&page=${number}&page_size=2$`,
        ),
      )
    expect(await page(0)).toEqual({
      texts: ['number 4', 'number 3'],
      links: { first: at(0), next: at(1), last: at(2) },
    })
    expect(await page(1)).toEqual({
      texts: ['number 2', 'number 1'],
      links: { first: at(0), prev: at(0), next: at(2), last: at(2) },
    })
    expect(await page(2)).toEqual({ texts: ['number 0'], links: { first: at(0), prev: at(1), last: at(2) } })
    expect(await page(7)).toEqual({ texts: [], links: { first: at(0), prev: at(2), last: at(2) } })
  })

  test('C8: every spelling that folds to the name is the same context', async () => {
    const { text } = await api.ok('getContext', { path: runner })
    for (const name of ['Test Runner', 'TEST_RUNNER', ' test\u00a0 runner ', 'ｔｅｓｔ＿ｒｕｎｎｅｒ'])
      for (const type of ['Decision', ' decision'])
        expect((await get(type, name)).text, `${type}:${name}`).toBe(text)
    await api.record({ context_id: 'place:Cafe\u0301', payload: { text: 'x' } })
    expect((await get('place', 'CAF\u00c9')).body.context_name).toBe('caf\u00e9')
  })

  test.each([
    'a/b',
    '...',
    '.a',
    '../x',
    '%2f',
    'a%2fb',
    'a?b',
    'a#b',
    'a&b=c',
    'a:b',
    '::',
    '🦊',
    'a+b',
    '(a+)+$',
    '<b>',
    '"',
    'relationships',
  ])('a name is data: %s', async (name) => {
    await api.record({ context_id: `odd:${name}`, payload: { text: name } })
    const answer = await get('odd', name)
    expect(answer.body).toMatchObject({ context_id: `odd:${name}`, context_name: name, memory_count: 1 })
    expect(answer.body.memories[0]?.payload).toEqual({ text: name })
  })
})

describe('304 Not Modified', () => {
  test('not once a memory of it has been replaced, though nothing was recorded in it', async () => {
    const id = await api.record({ context_id: 'port:web', payload: { text: 'the port is 80' } })
    const path = { graph_id: 'demo', context_type: 'port', name: 'web' }
    const etag = String((await api.ok('getContext', { path })).headers['etag'])
    await api.record({ context_id: 'port:other', payload: { text: 'it is 81' }, contradicts: [id] })
    const answer = await api.call('getContext', { path, headers: { 'If-None-Match': etag } })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ memories: [{ memory_id: id, status: 'superseded' }] })
  })
})

describe('400 Bad Request', () => {
  test('a name that is too long once it is folded', async () => {
    const { body } = await api.refused(
      'getContext',
      { path: { ...runner, name: 'ﷺ'.repeat(12) } },
      400,
      'invalid_name',
    )
    expect(body.errors?.map((error) => error.path)).toEqual(['/path/name'])
  })

  test('C3: the longest name is accepted', async () => {
    await api.refused('getContext', { path: { ...runner, name: 'x'.repeat(200) } }, 404, 'context_not_found')
    await api.refused('getContext', { path: { ...runner, name: '🦊'.repeat(200) } }, 404, 'context_not_found')
  })
})

describeRefusals(api, 'getContext', () => ({ path: runner }))
