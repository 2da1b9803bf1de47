import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/contract/operations.js'
import { type Call, useApi } from '../support/api.js'

let first = ''

const api = useApi(async (it) => {
  first = await it.record({
    context_id: 'decision:runner',
    source: 'user',
    payload: { decision: 'Use jest for all tests' },
  })
  await it.record({
    context_id: 'decision:runner',
    source: 'user',
    payload: { decision: 'Use vitest for all tests' },
    contradicts: [first],
  })
  await it.record({
    context_id: 'skill:vitest',
    payload: { text: 'Vitest watches files' },
    related_to: ['tool:vite'],
  })
})

const runner = { graph_id: 'demo', context_type: 'decision', name: 'runner' }
const task = 'Which test runner do we use?'

describe('as_of: the graph as it was', () => {
  test('an insight shows what stood then, and what stands now', async () => {
    const ask = async (as_of?: string) =>
      (await api.ok('generateInsight', { body: { task, graph_id: 'demo', ...(as_of && { as_of }) } })).body
        .insight
    expect(await ask('1')).toBe('decision runner: decision: Use jest for all tests')
    expect(await ask('2')).toContain('Use vitest for all tests')
    expect(await ask()).toBe(await ask('2'))
  })
})

const reads: [OperationId, (as_of: string) => Call][] = [
  ['browseContexts', (as_of) => ({ path: { graph_id: 'demo' }, query: { as_of } })],
  ['listContexts', (as_of) => ({ path: { graph_id: 'demo', context_type: 'decision' }, query: { as_of } })],
  ['getContext', (as_of) => ({ path: runner, query: { as_of } })],
  ['listRelationships', (as_of) => ({ path: runner, query: { as_of } })],
  ['getMemory', (as_of) => ({ path: { graph_id: 'demo', memory_id: first }, query: { as_of } })],
  ['exportGraph', (as_of) => ({ path: { graph_id: 'demo' }, query: { as_of } })],
  ['recallMemories', (as_of) => ({ body: { query: task, graph_id: 'demo', as_of } })],
  ['generateInsight', (as_of) => ({ body: { task, graph_id: 'demo', as_of } })],
]

describe.each(reads)('%s', (id, callAt) => {
  test('before the first event there was no graph', async () => {
    for (const as_of of ['0', '1999-12-31', '1999-12-31T23:59:59Z']) {
      const { body } = await api.refused(id, callAt(as_of), 404, 'graph_not_found')
      expect(body.detail).toBe('There was no graph demo then: its first event was recorded later.')
    }
  })

  test('the future is the present', async () => {
    const now = (await api.ok(id, callAt('3'))).text
    for (const as_of of ['4', '999999999999999', '9999-12-31', '9999-12-31T23:59:59Z'])
      expect((await api.ok(id, callAt(as_of))).text).toBe(now)
  })

  test.each(['0000-01-01T00:00:00+23:59', '2026-02-31', '2026-02-31T00:00:00Z'])(
    'an impossible time is refused with invalid_time: %s',
    async (as_of) => {
      const { body } = await api.refused(id, callAt(as_of), 400, 'invalid_time')
      expect(body.errors?.[0]?.path).toMatch(/\/as_of$/)
    },
  )
})
