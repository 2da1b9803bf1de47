import { afterAll, beforeAll } from 'vitest'
import { TextCache } from '../../../src/domain/text-cache.js'
import { storeContract } from '../../store/contract.js'
import { benchOf } from '../../store/support.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../support/postgres.js'
import { runsOf } from '../../support/runs.js'

/** Each takes longer than on files, and the two stores are held against each other besides. */
const RUNS = runsOf({ quick: 4, full: 16 })

describePostgres('PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    await (await openStore(database.url)).close()
  })
  afterAll(() => database.drop())

  storeContract(
    'the PostgreSQL store',
    async (now, meaning) => {
      await database.empty()
      const texts = new TextCache()
      return benchOf(texts, () =>
        openStore(database.url, { now, poolSize: 4, texts, ...(meaning && { meaning }) }),
      )
    },
    RUNS,
  )
})
