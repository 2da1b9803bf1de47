import { describe, expect, test } from 'vitest'
import type { Case } from '../../../src/cli/cases/case-file.js'
import { judge, says } from '../../../src/cli/cases/judge.js'
import type { Insight } from '../../../src/cli/target/api.js'

const [VITEST, JEST, BUILD] = [8, 9, 7].map((n) => `mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8${n}`) as [
  string,
  string,
  string,
]
const evidence = (memory_id: string, text: string, role: 'supports' | 'superseded', relevance: number) => ({
  ...{ memory_id, text, role, relevance },
  context_id: 'decision:test_runner',
  found_by: ['words' as const],
  confidence: 0.7,
})
const ANSWER: Insight = {
  insight: 'Use vitest; it runs TypeScript …\nBefore: Use jest',
  recommendation: 'Once you find out, record it: “Do we use mocha?”',
  confidence: 'medium',
  evidence: [
    evidence(VITEST, 'Use vitest; it runs TypeScript without a build', 'supports', 1),
    evidence(JEST, 'Use jest', 'superseded', 0.6),
    evidence(BUILD, 'The build takes nine minutes', 'supports', 0.1),
  ],
}
const wrong = (more: Partial<Case>) =>
  judge({ ask: 'x', graph: 'g', must: [], mustNot: [], confidence: [], limit: 5, ...more }, ANSWER)

describe('what passes', () => {
  test.each<Partial<Case>>([
    { must: ['vitest'] },
    { must: ['VITEST;', 'TypeScript  without'] },
    { must: ['without a build'] },
    { must: ['jest'] },
    { must: [VITEST, JEST, BUILD] },
    { mustNot: ['jest', JEST] },
    { mustNot: ['nine minutes', 'mocha'] },
    { mustNot: ['mem_01KJPZ6C3RS6ACV2ZXG3FQ2E80'] },
    { confidence: ['high', 'medium'] },
  ])('%j', (more) => expect(wrong(more)).toEqual([]))
})

describe('an answer that begins with', () => {
  const withLines = (insight: string, more: Partial<Case>) =>
    judge(
      { ask: 'x', graph: 'g', must: [], mustNot: [], confidence: [], limit: 5, ...more },
      { ...ANSWER, insight, evidence: [] },
    )

  test('nothing says nothing of what is nearest', () => {
    const nothing = 'Nothing recorded answers this.\nNearest: Use jest'
    expect(withLines(nothing, { mustNot: ['jest'], must: ['nothing recorded'] })).toEqual([])
    expect(withLines(nothing, { must: ['jest'] })).toEqual(['"jest" is missing'])
  })

  test('what has been changed since does not tell it as current', () => {
    const changed = 'Recorded on 5 May 2026, changed since: Use jest'
    expect(withLines(changed, { mustNot: ['jest'] })).toEqual([])
  })
})

describe('what fails, and why', () => {
  test.each<[Partial<Case>, string]>([
    [{ must: ['vite'] }, '"vite" is missing'],
    [{ must: ['nine minutes'] }, '"nine minutes" is missing'],
    [{ must: ['mocha'] }, '"mocha" is missing'],
    [
      { must: ['mem_01KJPZ6C3RS6ACV2ZXG3FQ2E80'] },
      'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E80 is not among the evidence',
    ],
    [{ mustNot: ['Vitest'] }, '"Vitest" is told'],
    [{ mustNot: ['without a build'] }, '"without a build" is told'],
    [{ mustNot: [VITEST] }, `${VITEST} is among the evidence`],
    [{ confidence: ['high', 'low'] }, 'the confidence is medium, not high or low'],
  ])('%j', (more, sentence) => expect(wrong(more)).toEqual([sentence]))

  test('everything at once', () =>
    expect(wrong({ must: ['mocha'], mustNot: ['vitest'], confidence: ['high'] })).toHaveLength(3))
})

describe('words are found whole, in any case and spelling', () => {
  test.each([
    ['Port 8080 is open', 'port 8080'],
    ['Cafe\u0301 at noon', 'CAFÉ'],
    ['（ｖ2.1）', 'v2.1'],
    ['我们在周五部署', '周五'],
    ['runs\n  at\tnoon', 'at noon'],
    ['C++ only', 'c++'],
  ])('%j says %j', (text, words) => expect(says([text], words)).toBe(true))

  test.each([
    ['Port 80801 is open', '8080'],
    ['jester', 'jest'],
    ['the 400 limit', '40'],
    ['', 'x'],
  ])('%j does not say %j', (text, words) => expect(says([text], words)).toBe(false))
})
