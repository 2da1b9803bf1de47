import { describe, expect, test } from 'vitest'
import { lastPlaceOf, linksOf, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'
import { PROTOTYPE_NAMES } from '../support/words.js'

const skills = { graph_id: 'demo', context_type: 'skill' }

const api = useApi(async (it) => {
  for (const name of ['b', 'c', 'a/b', 'a', 'B', '10', '9', 'é', 'a:b'])
    await it.record({ context_id: `skill:${name}`, payload: { text: name } })
  await it.record({
    context_id: 'tool:ci',
    payload: { text: 'x' },
    related_to: ['skill:linked', 'Two Words:x'],
  })
})

const names = async (context_type: string, query: Record<string, number> = {}) => {
  const { body } = await api.ok('listContexts', { path: { graph_id: 'demo', context_type }, query })
  return body.contexts.map((context) => context.context_name)
}

describe('200: the contexts of the type', () => {
  test('each with its id, type, name, count and time, and nothing else', async () => {
    const { body } = await api.ok('listContexts', { path: { graph_id: 'demo', context_type: 'tool' } })
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

  test('by name; two spellings of one name are one context', async () => {
    expect(await names('skill')).toEqual(['10', '9', 'a', 'a/b', 'a:b', 'b', 'c', 'linked', 'é'])
    const { body } = await api.ok('listContexts', { path: skills })
    expect(body.contexts.map((it) => it.memory_count)).toEqual([1, 1, 1, 1, 1, 2, 1, 0, 1])
  })

  test('a context that is only the target of a link is there, with no memories', async () => {
    const { body } = await api.ok('listContexts', { path: { graph_id: 'demo', context_type: 'two_words' } })
    expect(body.contexts).toEqual([
      {
        context_id: 'two_words:x',
        context_type: 'two_words',
        context_name: 'x',
        memory_count: 0,
        updated_at: MOMENT,
      },
    ])
  })

  test('the type is folded like any name', async () => {
    for (const type of ['SKILL', ' skill ', 'ｓｋｉｌｌ']) expect(await names(type), type).toHaveLength(9)
    for (const type of ['Two Words', 'two_words', 'TWO \u3000 WORDS'])
      expect(await names(type), type).toEqual(['x'])
  })

  test('a type that no context has is an empty list', async () => {
    for (const context_type of ['nothing', 'a/b', '...', '%2f', '🦊', 'toString', 'x'.repeat(64)]) {
      const { body } = await api.ok('listContexts', { path: { graph_id: 'demo', context_type } })
      expect(body, context_type).toEqual({ contexts: [], total: 0, page: 0, page_size: 100 })
    }
  })

  test('pages join to the whole list by way of Link, and total stays the same', async () => {
    const whole = await names('skill')
    const asOf = await lastPlaceOf(api, 'demo')
    for (const size of [1, 2, 4, 9, 10]) {
      const pages: string[] = []
      for (let page: number | undefined = 0; page !== undefined; ) {
        const answer = await api.ok('listContexts', { path: skills, query: { page, page_size: size } })
        expect(answer.body).toMatchObject({ total: 9, page, page_size: size })
        pages.push(...answer.body.contexts.map((context) => context.context_name))
        const { next } = linksOf(answer)
        if (next !== undefined)
          expect(next).toBe(`/v1/contexts/demo/skill?as_of=${asOf}&page=${page + 1}&page_size=${size}`)
        page = next === undefined ? undefined : page + 1
      }
      expect(pages).toEqual(whole)
    }
  })

  test('a page past the end is empty, and Link leads back', async () => {
    const answer = await api.ok('listContexts', { path: skills, query: { page: 1_000_000, page_size: 2 } })
    expect(answer.body).toEqual({ contexts: [], total: 9, page: 1_000_000, page_size: 2 })
    const asOf = await lastPlaceOf(api, 'demo')
    const at = (page: number) => `/v1/contexts/demo/skill?as_of=${asOf}&page=${page}&page_size=2`
    expect(linksOf(answer)).toEqual({ first: at(0), prev: at(4), last: at(4) })
  })

  test('C5: names of the object prototype are ordinary types and names', async () => {
    for (const name of PROTOTYPE_NAMES) {
      const path = { graph_id: name, context_type: name }
      await api.record({ graph_id: name, context_id: `${name}:${name}`, payload: { text: name } })
      expect((await api.ok('listContexts', { path })).body.contexts).toEqual([
        {
          context_id: `${name}:${name}`.toLowerCase(),
          context_type: name.toLowerCase(),
          context_name: name.toLowerCase(),
          memory_count: 1,
          updated_at: MOMENT,
        },
      ])
    }
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

describe('200 again after a restart', () => {
  test('the same bytes', async () => {
    const before = (await api.ok('listContexts', { path: skills })).text
    await api.server.restart()
    expect((await api.ok('listContexts', { path: skills })).text).toBe(before)
  })
})

describe('400 Bad Request', () => {
  test.each([
    ['a:b', 'invalid_request'],
    ['a：b', 'invalid_request'],
    ['\u2a74', 'invalid_request'],
    [' ', 'invalid_request'],
    ['\u3000', 'invalid_request'],
    ['a\u202eb', 'invalid_request'],
    ['a\u200fb', 'invalid_request'],
    ['a\u0007b', 'invalid_request'],
    ['a\nb', 'invalid_request'],
    ['x'.repeat(65), 'invalid_request'],
    ['ﷺ'.repeat(4), 'invalid_name'],
  ])('context_type %j', async (context_type, code) => {
    const path = { graph_id: 'demo', context_type }
    const { body } = await api.refused('listContexts', { path }, 400, code)
    expect(body.errors?.map((error) => error.path)).toEqual(['/path/context_type'])
  })

  test.each(['a\0b', '\ud800', 'x\udc00'])('context_type %j cannot be text', async (context_type) => {
    await api.refused('listContexts', { path: { graph_id: 'demo', context_type } }, 400, 'invalid_request')
  })

  test.each([
    [{ page: 'x' }, '/query/page'],
    [{ page: '1.0' }, '/query/page'],
    [{ page: 1_000_001 }, '/query/page'],
    [{ page_size: 0 }, '/query/page_size'],
    [{ page_size: 501 }, '/query/page_size'],
    [{ q: 'a' }, '/query/q'],
  ])('%j is refused by name', async (query, path) => {
    const { body } = await api.refused('listContexts', { path: skills, query }, 400, 'invalid_request')
    expect(body.errors?.map((error) => error.path)).toEqual([path])
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
