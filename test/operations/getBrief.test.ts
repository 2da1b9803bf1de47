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

describe('400 Bad Request', () => {
  test.each([
    [{ max_chars: 199 }, '/query/max_chars'],
    [{ max_chars: 20_001 }, '/query/max_chars'],
    [{ task: '' }, '/query/task'],
    [{ task: 'x'.repeat(601) }, '/query/task'],
    [{ page: 0 }, '/query/page'],
  ])('%j is refused by name', async (query, at) => {
    const call = { path, query: query as Record<string, string | number> }
    const { body } = await api.refused('getBrief', call, 400, 'invalid_request')
    expect(body.errors?.map((error) => error.path)).toEqual([at])
  })
})

describeRefusals(api, 'getBrief', () => ({ path }))
