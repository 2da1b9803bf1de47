import { describe, expect, test } from 'vitest'
import { readCases } from '../../../src/cli/cases/case-file.js'
import { questionFor, toYaml, worthACase } from '../../../src/cli/cases/draft.js'

describe('a question made from a memory', () => {
  test.each([
    [
      'decision:test_runner',
      { decision: 'Use vitest', reason: 'quick' },
      'What is the decision and the reason of test runner?',
    ],
    ['decision:test_runner', { test_runner: 'vitest', reason: 'quick' }, 'What is the test runner?'],
    ['tool:ci', { text: 'The CI has two slow cores' }, 'What do we know of ci: two slow cores?'],
    ['fact:general', { data: 'Maria owns the search' }, 'What do we know of Maria owns search?'],
  ])('%s %j', (context_id, payload, question) =>
    expect(questionFor({ context_id, payload, text: Object.values(payload).join('; ') })).toBe(question),
  )
})

test('worth a case: the latest decisions, what was stated most, the latest', async () => {
  const line = (memory_id: string, event_kind: string, reinforced: readonly string[] = []) => ({
    ...{ memory_id, event_kind },
    decided: { reinforces: reinforced.map((id) => ({ memory_id: id, effect: 'reinforces' })) },
  })
  const lines = [
    { loregraph: 2, graph_id: 'g' },
    line('a', 'decision'),
    line('b', 'fact'),
    line('c', 'fact', ['b']),
    line('d', 'decision', ['b']),
    line('c', 'fact'),
    { count: 5, sha256: '' },
  ]
  async function* chunks() {
    yield Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
  expect(await worthACase(chunks())).toEqual([
    ['d', 'a'],
    ['b', 'c'],
    ['c', 'd', 'b', 'a'],
  ])
})

test('what is drafted can be read', () => {
  const one = { graph: 'g', mustNot: [], limit: 5 }
  const memory = 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'
  const cases = [
    { ...one, ask: 'What is the "key": #1?\u0007', must: [memory], confidence: ['high' as const] },
    { ...one, ask: '- no', must: [memory], confidence: ['high' as const, 'medium' as const] },
    { ...one, ask: 'yes', must: [memory], confidence: [] },
  ]
  expect(readCases(toYaml('g', cases), 'draft.yaml')).toEqual(cases)
})
