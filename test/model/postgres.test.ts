import { afterAll, beforeAll } from 'vitest'
import { createDatabase, describePostgres, type TestDatabase } from '../support/postgres.js'
import { postgresWorld } from './postgres-world.js'
import { modelSuite } from './suite.js'

describePostgres('in PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  modelSuite('the service over PostgreSQL', () => postgresWorld(database))
})
