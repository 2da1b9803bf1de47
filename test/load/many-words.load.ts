import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, at, event, FIRST } from '../store/support.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../support/postgres.js'

const EVENTS = 40
const WORDS = 6000
/** Less than writing so many words at once takes. */
const STATEMENT_MS = 1500

describePostgres('a batch of many different words', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  test('is recorded, though all of them together take longer than a statement may', async () => {
    const store = await openStore(database.url, { statementTimeout: STATEMENT_MS })
    let n = 0
    const text = () => Array.from({ length: WORDS }, () => `w${(n++).toString(36)}`).join(' ')
    const events = Array.from({ length: EVENTS }, () => event('big:one', text()))
    const held = monitorEventLoopDelay({ resolution: 10 })
    held.enable()
    await store.append('g', events, at)
    held.disable()
    // The whole of it takes some seconds; others of the process wait for a hundredth of that, on a machine to itself.
    expect(held.max / 1e6).toBeLessThan(300)
    expect((await ask(store, 'g').contextMemories('big:one', FIRST)).total).toBe(EVENTS)
    const [terms] = await database.query('SELECT count(*)::integer AS n FROM terms')
    // Some have the same stem.
    expect(terms?.['n']).toBeGreaterThan(0.99 * EVENTS * WORDS)
    await store.close()
  }, 120_000)
})
