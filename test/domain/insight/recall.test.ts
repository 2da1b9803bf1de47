import { beforeAll, describe, expect, test } from 'vitest'
import type { AnswerReader } from '../../../src/domain/insight/answer-reader.js'
import { event } from '../../store/support.js'
import { type Graph, UNSURE, useGraphs } from './support.js'

/** Everything here is found by the encoder and read by the reader that ship, unless a test brings another. */
const graphs = useGraphs({ isRead: true })

const TEAM = [
  'We deploy to production on Tuesdays and Thursdays, never on Fridays',
  'The staging database is restored from production every Monday night',
  'Use pnpm, not npm, in the web repository',
  'Feature flags live in LaunchDarkly; remove a flag within a month of full rollout',
  'On-call changes on Wednesday at noon; the rota is in PagerDuty',
  'We decided against GraphQL because caching was too hard',
  'Maria owns the search service',
]

/** A reader that counts what it is asked, and thinks the same of everything. */
function countingReader(logit: number): AnswerReader & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async logitsOf(question, texts) {
      asked.push(question)
      return texts.map(() => logit)
    },
  }
}

let team: Graph
beforeAll(async () => {
  team = await graphs.graphOf(...TEAM.map((text) => event('fact:general', text)))
})

describe('a recall', () => {
  test.each([undefined, 'low'] as const)('with a confidence of %s at least is never read', async (wanted) => {
    const reader = countingReader(9)
    const { ranked, answered } = await team.recall('When do we deploy?', wanted, { reader })
    expect(reader.asked).toEqual([])
    expect(ranked[0]?.memory.text).toContain('Tuesdays')
    expect(answered).toBeUndefined()
  })

  test.each(['medium', 'high'] as const)(
    'with a confidence of %s at least is read, and says so',
    async (wanted) => {
      const reader = countingReader(-9)
      const { ranked, answered } = await team.recall('When do we deploy?', wanted, { reader })
      expect(reader.asked).toContain('When do we deploy?')
      expect(ranked).toEqual([])
      expect(answered).toBeTypeOf('boolean')
    },
  )

  test('with medium at least is nothing where nothing answers', async () => {
    expect(await team.recall('When do we deploy?', 'medium', { models: UNSURE })).toEqual({
      ranked: [],
      level: 'low',
      answered: false,
    })
  })

  test('is in the order of retrieval, read or not', async () => {
    const idsOf = async (wanted?: 'medium') =>
      (await team.recall('Who owns search?', wanted)).ranked.map(({ memory }) => memory.memoryId)
    expect(await idsOf('medium')).toEqual(await idsOf())
  })

  test('rejects with what the reader rejects with', async () => {
    const reader: AnswerReader = { logitsOf: () => Promise.reject(new Error('overloaded')) }
    await expect(team.recall('Who owns search?', 'medium', { reader })).rejects.toThrow('overloaded')
    await expect(team.recall('Who owns search?', 'low', { reader })).resolves.toBeDefined()
  })
})

/** What an agent's hook recalls for each prompt. */
describe('with a confidence of medium at least', () => {
  test.each([
    ['When do we deploy?', 'Tuesdays'],
    ['Can I deploy on Friday?', 'never on Fridays'],
    ['Who owns search?', 'Maria'],
    ['Why do we not use GraphQL?', 'caching'],
  ])('what is known is recalled: %s', async (query, words) => {
    const { ranked, answered } = await team.recall(query, 'medium')
    expect(ranked[0]?.memory.text).toContain(words)
    expect(answered).toBe(true)
  })

  test.each([
    'Add a dark mode toggle to the settings page',
    'What is the WiFi password?',
    'Which cloud provider do we use?',
    'Why is the login page slow?',
    'run the tests',
    'explain this function',
    'please continue',
    'thanks, that works!',
    'ok',
  ])('a prompt that nothing answers is left alone: %s', async (query) => {
    expect(await team.recall(query, 'medium')).toMatchObject({ ranked: [], level: 'low' })
  })
})
