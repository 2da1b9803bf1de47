import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PastEvent } from '../../../../src/domain/events/recording.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../../support/postgres.js'
import { event, exported, inPages, record } from '../../support.js'

const MANY = 4000
const CONNECTIONS = `SELECT count(*)::integer AS number FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
const LOOKS = `SELECT sum(idx_tup_read)::integer AS number FROM pg_stat_user_indexes WHERE relname = 'memories'`

describePostgres('a graph that is filled in one transaction', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  async function numberOf(statement: string): Promise<number> {
    const [row] = await database.query(statement)
    return Number(row?.['number'])
  }

  test('is not read whole for each row, though a vacuum that sees none of its rows runs beside it', async () => {
    const store = await openStore(database.url)
    await record(store, 'small', event('skill:a', 'one'))
    const [one] = await exported(store, 'small')
    if (one === undefined) throw new Error('A graph with an event exports it.')
    let isDone = false
    const importing = store
      .importGraph('g', inPages(Array.from({ length: MANY }, (_, i) => pastEvent(one, i))), String)
      .finally(() => {
        isDone = true
      })
    let vacuums = 0
    for (; !isDone; vacuums++) await database.query('VACUUM (ANALYZE, SKIP_LOCKED)')
    await importing
    expect(vacuums).toBeGreaterThan(3)
    // What a connection has counted is there for others when it has ended, a moment after it was closed.
    await store.close()
    await expect.poll(() => numberOf(CONNECTIONS), { timeout: 10_000 }).toBe(0)
    const looks = await numberOf(LOOKS)
    expect(looks).toBeGreaterThan(0)
    expect(looks).toBeLessThan(20 * MANY)
  })
})

function pastEvent(like: PastEvent, i: number): PastEvent {
  return { ...like, memoryId: `mem_${i.toString(10).padStart(26, '0')}`, payload: { i }, place: i + 1 }
}
