import { expect, test } from 'vitest'
import { createDatabase, describePostgres, openStore } from '../../support/postgres.js'
import { at, event } from '../support.js'

const GRAPHS = 30
const BATCHES = 3
const EVENTS = 100
const LINKS = 50

describePostgres('statistics that know only small graphs', () => {
  test('a graph that grows quickly is looked up by the ids that are asked for, not read as a whole', async () => {
    const database = await createDatabase()
    const store = await openStore(database.url)
    const names = Array.from({ length: 10 }, (_, i) => `a:b${i}`)
    for (let graph = 0; graph < GRAPHS; graph++)
      await store.append(
        `small${graph}`,
        names.map((name) => event(name, `in ${name}`)),
        at,
      )
    for (const table of ['contexts', 'memories'])
      await database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
    await database.query('ANALYZE')
    for (let batch = 0; batch < BATCHES; batch++) {
      const events = Array.from({ length: EVENTS }, (_, i) => {
        const links = Array.from({ length: LINKS }, (_, k) => ({
          kind: 'related-to' as const,
          target: `leaf:n${(batch * EVENTS + i) * LINKS + k}`,
        }))
        return event(`hub:c${i}`, `link ${batch} ${i}`, { links })
      })
      await store.append('large', events, at)
    }
    await store.close()
    const looked = await database.query(
      `SELECT sum(idx_tup_read)::integer AS read FROM pg_stat_user_indexes WHERE relname = 'contexts'`,
    )
    await database.drop()
    // Each of the 15,000 links looks for its context, which is seldom there.
    expect(looked[0]?.['read']).toBeLessThan(100_000)
  }, 120_000)
})
