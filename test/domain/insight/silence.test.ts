import { describe, expect, test } from 'vitest'
import { recall } from '../../../src/domain/insight/recall.js'
import { event } from '../../store/support.js'
import { useEncodedGraph } from './encoded-graph.js'
import { engine } from './support.js'

const TEAM = [
  'We deploy to production on Tuesdays and Thursdays, never on Fridays',
  'The staging database is restored from production every Monday night',
  'Use pnpm, not npm, in the web repository',
  'Feature flags live in LaunchDarkly; remove a flag within a month of full rollout',
  'The payments service retries a failed charge three times with exponential backoff',
  'On-call changes on Wednesday at noon; the rota is in PagerDuty',
  'Secrets are stored in Vault under teams/checkout',
  'The API rate limit is 600 requests a minute per customer',
  'We decided against GraphQL because caching was too hard',
  'Maria owns the search service',
]

/** What an agent's hook recalls for each prompt, with the encoder that ships. */
describe('with a confidence of medium at least', () => {
  const graph = useEncodedGraph(TEAM.map((text) => event('fact:general', text)))

  const prompt = async (query: string, read: boolean) => {
    const vector = read ? await graph.vectorOf(query) : undefined
    return graph.read((reader) =>
      recall(reader, engine, { query, limit: 5, minConfidence: 'medium', ...(vector && { vector }) }),
    )
  }

  test.each([
    ['When do we deploy?', 'Tuesdays'],
    ['Can I deploy on Friday?', 'never on Fridays'],
    ['Who owns search?', 'Maria'],
    ['Why do we not use GraphQL?', 'caching'],
  ])('what is known is recalled: %s', async (query, words) => {
    expect((await prompt(query, true)).ranked[0]?.memory.text).toContain(words)
  })

  test('who owns another service is not who owns this one', async () => {
    expect(await prompt('Who owns the billing service?', true)).toEqual({ ranked: [], confidence: 'low' })
  })

  test.each([
    'Add a dark mode toggle to the settings page',
    'Refactor the date picker to use hooks',
    'What is the WiFi password?',
    'Which cloud provider do we use?',
    'Why is the login page slow?',
    'run the tests',
    'commit this',
    'explain this function',
    'please continue',
    'thanks, that works!',
    'ok',
  ])('a prompt that nothing answers is left alone, read for meaning or not: %s', async (query) => {
    for (const read of [true, false])
      expect(await prompt(query, read), `read: ${read}`).toEqual({ ranked: [], confidence: 'low' })
  })
})
