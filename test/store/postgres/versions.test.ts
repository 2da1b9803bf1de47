import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queryTerms } from '../../../src/domain/search/text-analysis.js'
import { unusable } from '../../../src/store/postgres/migrations/check-server.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../support/postgres.js'
import { olderPostgres, PostgresServer } from '../../support/postgres-server.js'
import { ask, at, event, everything, exported, FIRST, inPages } from '../support.js'

const isThere = existsSync(olderPostgres(14)) || process.env['CI'] !== undefined
if (!isThere) console.error('NOT TESTED: PostgreSQL 14, because it is not installed; .ci/run says how.')

describe.skipIf(process.env['TEST_DATABASE_URL'] !== undefined || !isThere)(
  'the oldest PostgreSQL that can be used',
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await PostgresServer.create(undefined, 14)
    }, 120_000)
    afterAll(() => server.remove())

    test('makes the tables, records, finds, erases, exports and imports', async () => {
      const database = await createDatabase(server.url())
      expect(await database.query('SHOW server_version')).toMatchObject([
        { server_version: expect.stringMatching(/^14\./) },
      ])
      const store = await openStore(database.url)
      const [first] = await store.append('g', [event('skill:a', 'The cache is cold.')], at)
      const links = [{ kind: 'contradiction' as const, target: first?.memoryId ?? '' }]
      await store.append(
        'g',
        [event('skill:b', 'The cache is warm.', { links }), event('tool:c', 'A port.')],
        at,
      )
      const found = await ask(store, 'g').retrieve({ terms: queryTerms('warm cache'), limit: 5 })
      expect(found).not.toEqual([])
      expect((await ask(store, 'g').relationships('skill:b', {})).length).toBe(1)
      expect((await ask(store, 'g').contextTypes(FIRST)).total).toBe(2)
      await store.importGraph('copy', inPages(await exported(store, 'g')), at)
      expect(await everything(store, 'copy')).toEqual(await everything(store, 'g'))
      await store.erase('g', { memoryId: first?.memoryId ?? '' }, { dryRun: false })
      expect(await exported(store, 'g')).toHaveLength(2)
      await store.erase('copy', { everything: true }, { dryRun: false })
      await store.close()
      await database.drop()
    }, 120_000)
  },
)

test('an older PostgreSQL is refused with a sentence that names its version and the least one', () => {
  expect(unusable({ version: '13.23', encoding: 'UTF8' })).toMatch(/PostgreSQL 13\.23; the least .* is 14\.$/)
  expect(unusable({ version: '9.6.24', encoding: 'UTF8' })).toMatch(/9\.6\.24/)
  expect(unusable({ version: '14.0 (Debian 14.0-1)', encoding: 'UTF8' })).toBeUndefined()
})

describePostgres('a database that cannot be used is refused at the start', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createDatabase()
  })
  afterEach(() => database.drop())

  test('another encoding than UTF-8', async () => {
    await database.query(`CREATE DATABASE latin_texts ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    const url = new URL(database.url)
    url.pathname = '/latin_texts'
    await expect(openStore(url.href)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/has the encoding LATIN1.*'UTF8'/),
    })
    await database.query('DROP DATABASE latin_texts')
  })

  test('a user who may not make tables', async () => {
    await database.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE reader_only LOGIN')
    const url = new URL(database.url)
    url.username = 'reader_only'
    await expect(openStore(url.href)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/^The user reader_only .* may not make tables in the schema public\./),
    })
    await database.query('DROP ROLE reader_only')
  })
})
