import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastPlaceOf, linksOf, MOMENT, useApi } from '../support/api.js'
import { describeRefusals, expectNotModified } from '../support/refusals.js'
import { PROTOTYPE_NAMES } from '../support/words.js'

const demo = { graph_id: 'demo' }

const api = useApi(async (it) => {
  for (const context_id of [
    'skill:react_hooks',
    'skill:React Hooks',
    'skill:react_performance',
    'skill:preact',
    'skill:hooks_in_react',
    'error:react_crash',
    'error:a/b',
    'react:vue',
    'tool:react',
  ])
    await it.record({ context_id, payload: { text: context_id } })
  await it.record({ context_id: 'tool:ci', payload: { text: 'x' }, extends: ['decision:only_linked'] })
})

const search = async (q: string, query: Record<string, number> = {}) => {
  const { body } = await api.ok('browseContexts', { path: demo, query: { q, ...query } })
  return body.contexts?.map(({ context_id }) => context_id)
}

describe('200 without q: the context types of the graph', () => {
  test('by name, each with its number of contexts; a type that is only linked to counts', async () => {
    const { body } = await api.ok('browseContexts', { path: demo })
    expect(body).toEqual({
      context_types: [
        { context_type: 'decision', count: 1 },
        { context_type: 'error', count: 2 },
        { context_type: 'react', count: 1 },
        { context_type: 'skill', count: 4 },
        { context_type: 'tool', count: 2 },
      ],
      total: 5,
      page: 0,
      page_size: 100,
    })
  })

  test('pages join to the whole list by way of Link, and total stays the same', async () => {
    const first = await api.ok('browseContexts', { path: demo, query: { page_size: 2 } })
    expect(first.body.context_types?.map((it) => it.context_type)).toEqual(['decision', 'error'])
    const asOf = await lastPlaceOf(api, 'demo')
    const at = (page: number) => `/v1/contexts/demo?as_of=${asOf}&page=${page}&page_size=2`
    expect(linksOf(first)).toEqual({ first: at(0), next: at(1), last: at(2) })
    const second = await api.ok('browseContexts', { path: demo, query: { page: 1, page_size: 2 } })
    expect(second.body).toEqual({
      context_types: [
        { context_type: 'react', count: 1 },
        { context_type: 'skill', count: 4 },
      ],
      total: 5,
      page: 1,
      page_size: 2,
    })
    expect(linksOf(second)).toEqual({ first: at(0), prev: at(0), next: at(2), last: at(2) })
    const third = await api.ok('browseContexts', { path: demo, query: { page: 2, page_size: 2 } })
    expect(third.body.context_types).toEqual([{ context_type: 'tool', count: 2 }])
    expect(linksOf(third)).toEqual({ first: at(0), prev: at(1), last: at(2) })
  })

  test('a page past the end is empty', async () => {
    const { body } = await api.ok('browseContexts', {
      path: demo,
      query: { page: 1_000_000, page_size: 500 },
    })
    expect(body).toEqual({ context_types: [], total: 5, page: 1_000_000, page_size: 500 })
  })

  test('C5: names of the object prototype are ordinary graphs and types', async () => {
    for (const name of PROTOTYPE_NAMES) {
      await api.record({ graph_id: name, context_id: `${name}:${name}`, payload: { text: name } })
      const { body } = await api.ok('browseContexts', { path: { graph_id: name } })
      expect(body.context_types).toEqual([{ context_type: name.toLowerCase(), count: 1 }])
      const found = await api.ok('browseContexts', { path: { graph_id: name }, query: { q: name } })
      expect(found.body.total).toBe(1)
    }
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('200 with q: the contexts that match', () => {
  test('each with its id, type, name, count and time, and nothing else', async () => {
    const { body } = await api.ok('browseContexts', { path: demo, query: { q: 'react hooks' } })
    expect(body).toEqual({
      contexts: [
        {
          context_id: 'skill:react_hooks',
          context_type: 'skill',
          context_name: 'react_hooks',
          memory_count: 2,
          updated_at: MOMENT,
        },
        expect.objectContaining({ context_id: 'skill:hooks_in_react', memory_count: 1 }),
      ],
      total: 2,
      page: 0,
      page_size: 100,
    })
  })

  test('ranked: the name is q, starts with q, every term starts a word, the rest; ties by context_id', async () => {
    expect(await search('react')).toEqual([
      'tool:react',
      'error:react_crash',
      'skill:react_hooks',
      'skill:react_performance',
      'react:vue',
      'skill:hooks_in_react',
      'skill:preact',
    ])
    expect(await search('vue')).toEqual(['react:vue'])
    expect(await search('preact')).toEqual(['skill:preact'])
  })

  test('every term must occur, in the type or in the name, in any order', async () => {
    expect(await search('hooks skill')).toEqual(['skill:hooks_in_react', 'skill:react_hooks'])
    expect(await search('react nothing')).toEqual([])
    expect(await search('skill:react')).toEqual([
      'skill:hooks_in_react',
      'skill:react_hooks',
      'skill:react_performance',
      'skill:preact',
    ])
  })

  test('q is folded like a name and parted at white space and _ - . : /', async () => {
    for (const q of [
      'React Hooks',
      'REACT_HOOKS',
      ' react  hooks ',
      'ｒｅａｃｔ　ｈｏｏｋｓ',
      'react-hooks',
      'react.hooks',
      'react:hooks',
      'react/hooks',
    ])
      expect(await search(q), q).toEqual(
        /^[\w ]+$|　/.test(q)
          ? ['skill:react_hooks', 'skill:hooks_in_react']
          : ['skill:hooks_in_react', 'skill:react_hooks'],
      )
    expect(await search('a/b')).toEqual(['error:a/b'])
  })

  test('C7: q is text, never an expression; what matches nothing is an empty list', async () => {
    for (const q of [
      '.*',
      '(a+)+$',
      '[',
      '\\',
      '^react',
      'react$',
      '|',
      '🦊',
      '‮',
      ' ',
      '　',
      '%',
      "'",
      '*',
      '?',
      '#',
      '&',
    ])
      expect(await search(q), q).toEqual([])
    expect(await search('_')).toContain('skill:react_hooks')
  })

  test('pages keep the order, and Link keeps q', async () => {
    expect(await search('react', { page: 1, page_size: 2 })).toEqual([
      'skill:react_hooks',
      'skill:react_performance',
    ])
    expect(await search('react', { page: 9, page_size: 2 })).toEqual([])
    const answer = await api.ok('browseContexts', { path: demo, query: { q: 'react &=', page_size: 2 } })
    expect(linksOf(answer)['first']).toBe('/v1/contexts/demo?q=react%20%26%3D&page=0&page_size=2')
  })

  test('another graph is never searched', async () => {
    await api.record({ graph_id: 'other', context_id: 'skill:react_secret', payload: { text: 'x' } })
    expect(await search('react_secret')).toEqual([])
  })

  test('q present ⇔ contexts present and context_types absent', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((q) => !q.includes('\0'))
    await fc.assert(
      fc.asyncProperty(fc.option(text, { nil: undefined }), fc.nat(3), async (q, page) => {
        const query = q === undefined ? { page } : { q, page }
        const { body } = await api.ok('browseContexts', { path: demo, query })
        expect(['context_types' in body, 'contexts' in body]).toEqual([q === undefined, q !== undefined])
      }),
      { numRuns: 100 },
    )
  })
})

describe('200 again after a restart', () => {
  test('the same bytes', async () => {
    const calls = [{ path: demo }, { path: demo, query: { q: 'react', page_size: 3 } }]
    const texts = async () =>
      Promise.all(calls.map(async (call) => (await api.ok('browseContexts', call)).text))
    const before = await texts()
    await api.server.restart()
    expect(await texts()).toEqual(before)
  })
})

describe('304 Not Modified', () => {
  test('for the tag of the answer, with q and without', async () => {
    await expectNotModified(api, 'browseContexts', { path: demo, query: { q: 'react' } })
  })
})

describe('400 Bad Request', () => {
  test.each([
    [{ page: -1 }, '/query/page'],
    [{ page: '1e1' }, '/query/page'],
    [{ page: '1e999' }, '/query/page'],
    [{ page: '+1' }, '/query/page'],
    [{ page: '01' }, '/query/page'],
    [{ page: 1_000_001 }, '/query/page'],
    [{ page_size: 0 }, '/query/page_size'],
    [{ page_size: 501 }, '/query/page_size'],
    [{ page_size: 'many' }, '/query/page_size'],
    [{ q: '' }, '/query/q'],
    [{ q: 'x'.repeat(257) }, '/query/q'],
    [{ q: 'a\0b' }, '/query/q'],
    [{ q: '\ud800' }, '/query/q'],
    [{ limit: 3 }, '/query/limit'],
    [{ Q: 'react' }, '/query/Q'],
    [{ __proto__x: '1' }, '/query/__proto__x'],
  ])('%j is refused by name', async (query, path) => {
    const { body } = await api.refused('browseContexts', { path: demo, query }, 400, 'invalid_request')
    expect(body.errors?.map((error) => error.path)).toEqual([path])
    expect(body.detail).toContain(path)
  })

  test.each(['.hidden', 'a b', 'a/b', 'a:b', '🦊', 'x'.repeat(129), '..', '%2e'])(
    'graph_id %j',
    async (graph_id) => {
      const { body } = await api.refused('browseContexts', { path: { graph_id } }, 400, 'invalid_request')
      expect(body.errors?.map((error) => error.path)).toEqual(['/path/graph_id'])
    },
  )

  test('C3: the longest q and graph_id are accepted', async () => {
    expect(await search('x'.repeat(256))).toEqual([])
    expect(await search('🦊'.repeat(256))).toEqual([])
    await api.refused('browseContexts', { path: { graph_id: 'x'.repeat(128) } }, 404, 'graph_not_found')
  })
})

describe('404 Not Found', () => {
  test('a graph that does not exist, with q and without; upper and lower case differ', async () => {
    for (const graph_id of ['nothing', 'Demo', 'toLocaleString', '-'])
      for (const query of [{}, { q: 'react' }])
        await api.refused('browseContexts', { path: { graph_id }, query }, 404, 'graph_not_found')
  })
})

describeRefusals(api, 'browseContexts', () => ({ path: demo }))
