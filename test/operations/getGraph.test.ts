import { describe, expect, test } from 'vitest'
import { MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const path = { graph_id: 'demo' }

const api = useApi(async (it) => {
  const old = await it.record({ context_id: 'decision:runner', payload: { text: 'jest' }, source: 'user' })
  await it.record({ context_id: 'skill:tests', payload: { text: 'one file' }, extends: [old] })
  const vitest = { context_id: 'decision:runner', payload: { text: 'vitest' }, contradicts: [old] }
  await it.record({ ...vitest, source: 'validator', event_kind: 'decision' })
  await it.ok('recordEvent', { body: { graph_id: 'demo', ...vitest, event_kind: 'decision' } }, 200)
})

describe('200: the graph in numbers', () => {
  test('field by field', async () => {
    const { body } = await api.ok('getGraph', { path })
    expect(body).toEqual({
      graph_id: 'demo',
      memories: 3,
      contexts: 2,
      relationships: 2,
      statements: 4,
      by_context_type: [
        { context_type: 'decision', contexts: 1, memories: 2 },
        { context_type: 'skill', contexts: 1, memories: 1 },
      ],
      by_event_kind: { fact: 2, action: 0, decision: 1, observation: 0, feedback: 0 },
      by_source: { agent: 2, user: 1, system: 0, validator: 1, executor: 0 },
      by_status: { current: 1, superseded: 1, planned: 0, expired: 0, stale: 1 },
      more_stale: false,
      by_month: [{ month: expect.stringMatching(/^\d{4}-\d\d$/), statements: 4 }],
      first_recorded_at: MOMENT,
      last_recorded_at: MOMENT,
      place: 4,
      unread: 0,
    })
    expect(body.by_month[0]?.month).toBe(body.last_recorded_at?.slice(0, 7))
  })
})

describe('200: read for meaning', () => {
  const reading = useApi(async (it) => void (await it.record({ payload: { text: 'x' } })), { meaning: 'on' })

  test('what is unread is counted until it is read', async () => {
    await reading.server.store.caughtUp('demo')
    expect((await reading.ok('getGraph', { path })).body.unread).toBe(0)
  })
})

describeRefusals(api, 'getGraph', () => ({ path }))
