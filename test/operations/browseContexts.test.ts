import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

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

describe('200 with q: the contexts that match', () => {
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

  test('another graph is never searched', async () => {
    await api.record({ graph_id: 'other', context_id: 'skill:react_secret', payload: { text: 'x' } })
    expect(await search('react_secret')).toEqual([])
    const there = await api.ok('browseContexts', { path: { graph_id: 'other' }, query: { q: 'react' } })
    expect(there.body.contexts?.map(({ context_id }) => context_id)).toEqual(['skill:react_secret'])
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

describeRefusals(api, 'browseContexts', () => ({ path: demo }))
