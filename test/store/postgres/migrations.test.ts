import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openFileStore } from '../../../src/log/file-store.js'
import { MIGRATIONS, type Migration } from '../../../src/store/postgres/migrations/index.js'
import { migrate } from '../../../src/store/postgres/migrations/migrate.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../support/postgres.js'
import { SILENT } from '../../support/silent.js'
import { at, event, everything, exported, inPages, record } from '../support.js'
import { tablesOf } from './erase/tables.js'

const FIXTURES = new URL('../../fixtures/', import.meta.url)

/** Every row that 0.1.0 wrote of the graphs of `v0.1.0-data` and of one that is rich in links. */
async function restore(database: TestDatabase): Promise<void> {
  const lines = (await readFile(new URL('v0.1.0-postgres.ndjson', FIXTURES), 'utf8')).trim().split('\n')
  for (const line of lines) {
    const { table, row } = JSON.parse(line) as { table: string; row: object }
    const text = `INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, $1)`
    await database.query(text, [JSON.stringify(row)])
  }
}

describePostgres('migrations', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createDatabase()
  })
  afterEach(() => database.drop())

  async function run(migrations?: readonly Migration[]): Promise<number> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    return migrate(client, migrations).finally(() => client.end())
  }

  test.each(MIGRATIONS.map((_, version) => version))('from version %i to the last one', async (version) => {
    if (version > 0) await run(MIGRATIONS.slice(0, version))
    expect(await run()).toBe(MIGRATIONS.length - version)
    expect(await database.query('SELECT version FROM schema_version')).toEqual([
      { version: MIGRATIONS.length },
    ])
    const store = await openStore(database.url)
    expect(await record(store, 'g', event('skill:a', 'x'))).toMatchObject({ status: 'recorded' })
    await store.close()
  })

  test('a database of 0.1.0 is brought over: its links get their outcome by the rules, in order of recording', async () => {
    await run(MIGRATIONS.slice(0, 1))
    await restore(database)
    const warned: string[] = []
    const log = { warn: (_: object, message: string) => void warned.push(message) }
    const store = await openStore(database.url, { log })
    expect(warned).toEqual([expect.stringMatching(/pg_dump first/)])
    const folder = await mkdtemp(join(tmpdir(), 'loregraph-'))
    await cp(new URL('v0.1.0-data', FIXTURES), folder, { recursive: true })
    const json = await openFileStore({ folder, log: SILENT, now: () => new Date(), randomBytes })
    for (const graph of ['demo', 'Other.Graph']) {
      expect(await exported(store, graph)).toEqual(await exported(json, graph))
      expect(await everything(store, graph)).toEqual(await everything(json, graph))
    }
    await json.close()
    await rm(folder, { recursive: true, force: true })
    const events = await exported(store, 'rich')
    expect(events.filter(({ decisions }) => (decisions?.opposes.length ?? 0) > 0).length).toBeGreaterThan(20)
    const undecided = events.map((event) => ({ ...event, place: undefined, decisions: undefined }))
    await store.importGraph('decided', inPages(undecided), at)
    expect(await exported(store, 'decided')).toEqual(events)
    expect(await everything(store, 'decided')).toEqual(await everything(store, 'rich'))
    await store.importGraph('checked', inPages(events), at)
    expect(await everything(store, 'checked')).toEqual(await everything(store, 'rich'))
    // What later migrations add to the tables is what recording would have kept.
    const tables = await tablesOf(database, 'rich')
    expect(tables).toEqual(await tablesOf(database, 'checked'))
    expect(tables['relation_sightings']).not.toEqual([])
    const once = { key: 'a'.repeat(64), body: 'b'.repeat(64) }
    expect(await store.append('kept', [event('skill:a', 'x')], at, once)).toMatchObject([{ bearsOn: [] }])
    expect(await record(store, 'rich', event('skill:new', 'x'))).toMatchObject({ status: 'recorded' })
    await store.close()
  })

  test('a second run does nothing, and several at once do it once', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => run()))
    expect(runs.sort()).toEqual([0, 0, 0, MIGRATIONS.length])
    expect(await run()).toBe(0)
  })

  test('a second process waits for the first, though that takes longer than a statement may', async () => {
    const migrations = [...MIGRATIONS, 'SELECT pg_sleep(3)']
    const first = run(migrations)
    const isHeld = `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND d.datname = current_database()`
    await vi.waitFor(async () => expect(await database.query(isHeld)).toHaveLength(1), 20_000)
    const client = new pg.Client({ connectionString: database.url, query_timeout: 1_000 })
    await client.connect()
    expect(await migrate(client, migrations)).toBe(0)
    expect(await first).toBe(migrations.length)
    await client.end()
  })

  test('one that fails leaves everything as it was', async () => {
    await run()
    const broken = [...MIGRATIONS, 'CREATE TABLE more (x integer); SELECT nonsense']
    await expect(run(broken)).rejects.toThrow(/nonsense/)
    expect(await database.query(`SELECT to_regclass('more') AS found`)).toEqual([{ found: null }])
    expect(await database.query('SELECT version FROM schema_version')).toEqual([
      { version: MIGRATIONS.length },
    ])
  })

  test('a database that is newer than the program is refused with a sentence, and left alone', async () => {
    await run([...MIGRATIONS, 'CREATE TABLE later (x integer)'])
    await expect(openStore(database.url)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(
        new RegExp(`^The database is at version ${MIGRATIONS.length + 1}, .*\\.$`),
      ),
    })
  })

  test('every table, key and index of a graph starts with graph_id', async () => {
    await run()
    const indexes = await database.query(
      `SELECT c.relname AS index, t.relname AS table, a.attname AS first
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
        JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]`,
    )
    expect(indexes.length).toBeGreaterThan(25)
    // A secret is looked up before it is known which graph it reaches.
    // An import is received before there is a graph, and not in its order.
    const ofNoGraph = ['keys', 'settings', 'schema_version', 'imports', 'import_slices']
    for (const { table, first, index } of indexes)
      if (!ofNoGraph.includes(String(table))) expect({ index, first }).toEqual({ index, first: 'graph_id' })
    const tables = await database.query(
      `SELECT tablename AS table FROM pg_tables WHERE schemaname = 'public'
        AND tablename NOT IN (SELECT table_name FROM information_schema.columns WHERE column_name = 'graph_id')`,
    )
    expect(tables.map(({ table }) => table).sort()).toEqual([...ofNoGraph].sort())
    const recipe =
      readFileSync('README.md', 'utf8').match(/\*\*Sharding\.\*\*.*?stay where they are/s)?.[0] ?? ''
    const named = [...recipe.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name)
    const all = await database.query(`SELECT tablename AS table FROM pg_tables WHERE schemaname = 'public'`)
    const without = ['graph_id', 'create_reference_table']
    expect(new Set(named.filter((name) => !without.includes(name ?? '')))).toEqual(
      new Set(all.map(({ table }) => table)),
    )
    expect(await database.query(`SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'`)).toEqual([])
  })
})
