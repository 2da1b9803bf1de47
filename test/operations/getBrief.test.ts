import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const path = { graph_id: 'demo' }
const context_id = 'decision:test_runner'

const api = useApi(async (it) => {
  const jest = await it.record({ event_kind: 'decision', context_id, payload: { decision: 'Use jest' } })
  await it.record({ context_id: 'tool:ci', payload: { text: 'CI runs jest in band' }, extends: [jest] })
  await it.record({
    event_kind: 'decision',
    ...{ context_id, source: 'user', payload: { decision: 'Use vitest' }, contradicts: [jest] },
  })
  const slow = { context_id: 'error:payments', payload: { text: 'Payments fail since the bank is slow' } }
  const bank = await it.record({ ...slow, source: 'user' })
  await it.record({
    context_id: 'error:payments',
    payload: { text: 'The pool is full' },
    contradicts: [bank],
  })
  await it.record({ context_id: 'skill:hooks', payload: { text: 'Effects return a cleanup function' } })
})

const brief = async (query: Record<string, string | number> = {}, graph_id = 'demo') =>
  (await api.ok('getBrief', { path: { graph_id }, query })).body.brief
const withoutDates = (text: string) => text.replace(/\d{4}-\d\d-\d\d/g, 'DATE')

describe('200: what to know before starting work', () => {
  test('what stands, what is disputed and what is stale, word for word', async () => {
    expect(withoutDates(await brief())).toBe(`## What stands
- decision: Use vitest (decision:test_runner, recorded DATE by user)
- Effects return a cleanup function (skill:hooks, recorded DATE by agent)

## Disputed (1)
- Payments fail since the bank is slow (error:payments, recorded DATE by user)
  against it: The pool is full (error:payments, recorded DATE by agent)

## Stale (1)
- CI runs jest in band (tool:ci, recorded DATE by agent); what it builds on in decision:test_runner was replaced
`)
  })

  test('with a task, first what bears on it, or that nothing does', async () => {
    const told = await brief({ task: 'Which cleanup do effects need?' })
    expect(told).toMatch(/^## For this task\n- Effects return a cleanup function \(skill:hooks/)
    expect(told).toContain('## What stands\n- decision: Use vitest')
    expect(await brief({ task: 'zebra' })).toMatch(
      /^Nothing is recorded that bears on this task\.\n\n## What/,
    )
  })

  describe('200: a contradiction of a context as a whole', () => {
    const context_id = 'service:api'
    const port = { context_id, source: 'user', payload: { text: 'The API listens on port 8080' } } as const
    const against = async (graph_id: string, text: string, context: string) => {
      await api.record({ graph_id, ...port })
      await api.record({ graph_id, context_id: context, payload: { text }, contradicts: [context_id] })
      const { body } = await api.ok('listDisputes', { path: { graph_id } })
      return { disputes: body.disputes.map(({ since }) => since), told: await brief({}, graph_id) }
    }

    test.each([
      ['same', context_id],
      ['other', 'incident:one'],
    ])(
      'from the %s context: what it bears on is open, in the brief as in the list',
      async (graph, context) => {
        const text = 'The API listens on port 9090'
        const { disputes, told } = await against(`whole-${graph}`, text, context)
        expect(disputes.length).toBe(1)
        expect(withoutDates(told)).toBe(`Nothing is recorded that stands undisputed.

## Disputed (1)
- The API listens on port 8080 (service:api, recorded DATE by user)
  against it: The API listens on port 9090 (${context}, recorded DATE by agent)
`)
      },
    )

    test('each of several memories that it bears on is a pair of its own, in both', async () => {
      const graph_id = 'whole-several'
      await api.record({ graph_id, ...port, payload: { text: 'The API listens on port 8081' } })
      const { disputes, told } = await against(graph_id, 'The API listens on port 9090', 'incident:one')
      expect([disputes.length, told.match(/against it/g)?.length]).toEqual([2, 2])
      expect(told).toContain('## Disputed (2)\n')
    })

    test('one that bears on none is no pair, in neither', async () => {
      const { disputes, told } = await against('whole-none', 'Cats sleep all day', context_id)
      expect(disputes).toEqual([])
      expect(told).toContain('Nothing is recorded that is disputed or stale.')
    })

    test('once a better source has settled it, it is open in neither', async () => {
      const graph_id = 'whole-settled'
      const text = 'The API listens on port 9090'
      await against(graph_id, text, context_id)
      const again = { context_id, source: 'user', payload: { text }, contradicts: [context_id] } as const
      await api.ok('recordEvent', { body: { graph_id, event_kind: 'fact', ...again } })
      expect((await api.ok('listDisputes', { path: { graph_id } })).body.disputes).toEqual([])
      const told = await brief({}, graph_id)
      expect(told).toMatch(/^## What stands\n- The API listens on port 9090 .*\n\nNothing .* stale\.\n$/)
    })
  })

  test('never more characters than asked for, and 2,000 unless asked', async () => {
    const graph_id = 'long'
    for (let i = 0; i < 40; i++)
      await api.record({ graph_id, payload: { text: `Note ${i}: ${'words and more words, '.repeat(30)}` } })
    for (const max_chars of [200, 201, 500, 1999, 20_000])
      expect((await brief({ max_chars }, graph_id)).length).toBeLessThanOrEqual(max_chars)
    const told = await brief({}, graph_id)
    expect(told.length).toBeLessThanOrEqual(2000)
    expect(told.length).toBeGreaterThan(1000)
  })

  test('the same bytes again, and after a restart', async () => {
    const before = (await api.ok('getBrief', { path })).text
    expect((await api.ok('getBrief', { path })).text).toBe(before)
    await api.server.restart()
    expect((await api.ok('getBrief', { path })).text).toBe(before)
  })
})

describeRefusals(api, 'getBrief', () => ({ path }))
