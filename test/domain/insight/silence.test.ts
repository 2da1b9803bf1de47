import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recall } from '../../../src/domain/insight/recall.js'
import { type OpenMeaning, openMeaning } from '../../../src/service/meaning/open-meaning.js'
import { type JsonStore, openJsonStore } from '../../../src/store/json/store.js'
import { at, event } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'
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
  let meaning: OpenMeaning
  let store: JsonStore
  beforeAll(async () => {
    const opened = await openMeaning('on', { log: SILENT })
    if (opened === undefined) throw new Error('This machine cannot read for meaning.')
    meaning = opened
    const folder = temporaryFolder()
    store = await openJsonStore({ folder, now: () => new Date(), randomBytes, log: SILENT, meaning })
    await store.append(
      'team',
      TEAM.map((text) => event('fact:general', text)),
      at,
    )
    await store.caughtUp('team')
  })
  afterAll(async () => {
    await store.close()
    await meaning.close()
  })

  const prompt = async (query: string, read: boolean) => {
    const vector = read ? await meaning.vectorOf(query) : undefined
    return store.read('team', (graph) =>
      recall(graph, engine, { query, limit: 5, minConfidence: 'medium', ...(vector && { vector }) }),
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
