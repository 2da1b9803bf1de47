import { afterEach, beforeEach, expect, test } from 'vitest'
import { unusable } from '../../../src/log/postgres/schema.js'
import { createDatabase, describePostgres, type TestDatabase } from '../../support/postgres.js'
import { add, openLog, textsOf } from './support.js'

test('an older PostgreSQL is refused with a sentence that names its version and the least one', () => {
  const server = { encoding: 'UTF8', commits: 'on' }
  expect(unusable({ ...server, version: '13.23' })).toMatch(/PostgreSQL 13\.23; the least .* is 14\.$/)
  expect(unusable({ ...server, version: '9.6.24' })).toMatch(/9\.6\.24/)
  expect(unusable({ ...server, version: '14.0 (Debian 14.0-1)' })).toBeUndefined()
})

describePostgres('the start', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createDatabase()
  })
  afterEach(() => database.drop())

  const refused = (message: RegExp) => ({ exitCode: 78, message: expect.stringMatching(message) })

  test('D15: a database of 0.2 is refused with a sentence that says how to bring it over, and left alone', async () => {
    await database.query(
      'CREATE TABLE schema_version (version integer NOT NULL); CREATE TABLE settings (name text)',
    )
    await expect(openLog(database.url)).rejects.toMatchObject(
      refused(/0\.2.*Nothing was changed.*export.*import.*\.$/),
    )
    const tables = await database.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
    expect(tables).toHaveLength(2)
  })

  test('D15: a database of a newer version is refused, and left alone', async () => {
    await (await openLog(database.url)).close()
    await database.query(`UPDATE settings SET value = '2' WHERE name = 'schema_version'`)
    await expect(openLog(database.url)).rejects.toMatchObject(refused(/version 2, .* version 1\. Nothing/))
  })

  test('a database of something else is refused', async () => {
    await database.query('CREATE TABLE settings (name text, value text)')
    await expect(openLog(database.url)).rejects.toMatchObject(refused(/not of Loregraph/))
  })

  test('another encoding than UTF-8 is refused', async () => {
    await database.query(`CREATE DATABASE latin_log ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    const url = new URL(database.url)
    url.pathname = '/latin_log'
    await expect(openLog(url.href)).rejects.toMatchObject(refused(/has the encoding LATIN1.*'UTF8'/))
    await database.query('DROP DATABASE latin_log')
  })

  test('a user whose commits do not wait for the disk is refused', async () => {
    await database.query(
      'CREATE ROLE log_hasty LOGIN SUPERUSER; ALTER ROLE log_hasty SET synchronous_commit = off',
    )
    const url = new URL(database.url)
    url.username = 'log_hasty'
    await expect(openLog(url.href)).rejects.toMatchObject(refused(/synchronous_commit = off.*ALTER ROLE/))
    await database.query('DROP ROLE log_hasty')
  })

  test('a user who may not make tables is refused', async () => {
    await database.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE log_reader LOGIN')
    const url = new URL(database.url)
    url.username = 'log_reader'
    await expect(openLog(url.href)).rejects.toMatchObject(refused(/log_reader .* may not make tables/))
    await database.query('DROP ROLE log_reader')
  })

  test('a server that is not there is worth another try: exit code 75', async () => {
    await expect(openLog('postgres://127.0.0.1:1/nowhere')).rejects.toMatchObject({
      exitCode: 75,
      message: expect.stringMatching(/^The database of DATABASE_URL cannot be used: .*\.$/),
    })
  })

  test('several processes that start at once on an empty database make it once', async () => {
    const logs = await Promise.all(Array.from({ length: 4 }, () => openLog(database.url)))
    for (const [i, log] of logs.entries()) await add(log, 'g', String(i))
    expect(await textsOf(await openAgain(), 'g')).toEqual(['0', '1', '2', '3'])
    await Promise.all(logs.map((log) => log.close()))
  })

  test('every key of a graph starts with graph_id, and there are five tables', async () => {
    await (await openLog(database.url)).close()
    const tables = await database.query(
      `SELECT tablename AS table FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
    )
    expect(tables.map(({ table }) => table)).toEqual(['entries', 'graphs', 'keys', 'settings', 'vectors'])
    const indexes = await database.query(
      `SELECT t.relname AS table, a.attname AS first FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
        WHERE t.relname IN ('entries', 'graphs', 'vectors')`,
    )
    expect(indexes.map(({ first }) => first)).toEqual(['graph_id', 'graph_id', 'graph_id'])
    expect(await database.query(`SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'`)).toEqual([])
  })

  test('the root secret: of two processes that start at once one shows it, and both have its hash', async () => {
    const [one, two] = [await openLog(database.url), await openLog(database.url)]
    expect(await one.rootSecret.read()).toBeUndefined()
    expect(await one.rootSecret.keep('unseen', async () => false)).toBeUndefined()
    const shown: string[] = []
    const keep = (log: typeof one, hash: string) =>
      log.rootSecret.keep(hash, async () => {
        shown.push(hash)
        return true
      })
    const kept = await Promise.all([keep(one, 'first'), keep(two, 'second')])
    expect(shown).toHaveLength(1)
    expect(kept).toEqual([shown[0], shown[0]])
    await Promise.all([one.close(), two.close()])
  })

  async function openAgain() {
    const log = await openLog(database.url)
    closing.push(log)
    return log
  }
  const closing: Awaited<ReturnType<typeof openLog>>[] = []
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((log) => log.close()))
  })
})
