import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { PostgresStore } from '../../src/store/postgres/store.js'
import { ask, event, record } from '../store/support.js'
import { createDatabase, openStore, type TestDatabase } from '../support/postgres.js'
import { PostgresServer } from '../support/postgres-server.js'

/** Longer than any clock that a store might go by. */
const LATER_MS = 10_500

describe.skipIf(process.env['TEST_DATABASE_URL'] !== undefined)('a standby of PostgreSQL', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let database: TestDatabase
  let replica: string
  beforeAll(async () => {
    primary = await PostgresServer.create()
    standby = await primary.standby()
    database = await createDatabase(primary.url())
    replica = standby.url(new URL(database.url).pathname.slice(1))
  }, 120_000)
  afterAll(async () => {
    await database.drop()
    await standby.remove()
    await primary.remove()
  })

  async function open(replicaUrl?: string): Promise<PostgresStore> {
    const store = await openStore(database.url, { replicaUrl })
    onTestFinished(() => store.close())
    return store
  }

  /** Until what was written so far has been replayed, and then not on until the test ends. */
  async function pause(): Promise<() => Promise<void>> {
    const { pool, query } = await onStandby()
    const [place] = await database.query('SELECT pg_current_wal_insert_lsn()::text AS place')
    await vi.waitFor(
      async () =>
        expect(await query('SELECT pg_last_wal_replay_lsn() >= $1 AS done', [place?.['place']])).toEqual([
          { done: true },
        ]),
      30_000,
    )
    await query('SELECT pg_wal_replay_pause()')
    const resume = async () => {
      await query('SELECT pg_wal_replay_resume()')
    }
    onTestFinished(async () => {
      await resume()
      await pool.end()
    })
    return resume
  }

  async function onStandby() {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: standby.url(), max: 1 })
    pool.on('error', () => undefined)
    return { pool, query: async (text: string, values?: unknown[]) => (await pool.query(text, values)).rows }
  }

  const later = () => new Promise((resolve) => setTimeout(resolve, LATER_MS))

  test('what was erased stays gone, in every process, however long the standby lags', async () => {
    const store = await open(replica)
    const other = await open(replica)
    const { memoryId } = await record(store, 'g', event('customer:mueller', 'IBAN DE00 1234'))
    await record(store, 'g', event('customer:other', 'something else'))
    const resume = await pause()
    expect(await ask(other, 'g').memory(memoryId)).toMatchObject({ memoryId })
    await store.erase('g', { memoryId }, { dryRun: false })
    for (const one of [store, other])
      await expect(ask(one, 'g').memory(memoryId)).rejects.toMatchObject({ code: 'memory_not_found' })
    await later()
    for (const one of [store, other])
      await expect(
        ask(one, 'g').contextMemories('customer:mueller', { page: 0, pageSize: 9 }),
      ).rejects.toMatchObject({
        code: 'context_not_found',
      })
    expect((await ask(store, 'g').contextTypes({ page: 0, pageSize: 9 })).items).toEqual([
      { contextType: 'customer', count: 1 },
    ])
    expect((await ask(other, 'g').contextTypes({ page: 0, pageSize: 9 })).items).toEqual([
      { contextType: 'customer', count: 1 },
    ])
    await resume()
  }, 120_000)

  test('a process without a standby erases: those with one do not read it from there', async () => {
    const eraser = await open()
    const other = await open(replica)
    const { memoryId } = await record(eraser, 'h', event('skill:a', 'to be erased'))
    await record(eraser, 'h', event('skill:a', 'to stay'))
    await pause()
    await eraser.erase('h', { memoryId }, { dryRun: false })
    expect(await ask(other, 'h').context('skill:a')).toMatchObject({ memoryCount: 1 })
    await later()
    expect(await ask(other, 'h').context('skill:a')).toMatchObject({ memoryCount: 1 })
  }, 120_000)

  test('a process sees what it wrote itself, however long the standby lags; the standby answers for the rest', async () => {
    const store = await open(replica)
    await record(store, 'mine', event('skill:a', 'one'))
    await record(store, 'rest', event('skill:a', 'one'))
    const writer = await open()
    await pause()
    await vi.waitFor(async () => {
      await record(writer, 'rest', event('skill:a', `more ${Math.random()}`))
      // Only the standby does not know of it.
      expect(await ask(store, 'rest').context('skill:a')).toMatchObject({ memoryCount: 1 })
    }, 30_000)
    await record(store, 'mine', event('skill:a', 'two'))
    expect(await ask(store, 'mine').context('skill:a')).toMatchObject({ memoryCount: 2 })
    await later()
    expect(await ask(store, 'mine').context('skill:a')).toMatchObject({ memoryCount: 2 })
    expect(await ask(store, 'rest').context('skill:a')).toMatchObject({ memoryCount: 1 })
  }, 120_000)

  test('what the standby lacks, and all when it is no standby or is gone, is asked of the primary', async () => {
    const writer = await open()
    const store = await open(replica)
    await pause()
    await record(writer, 'new', event('skill:a', 'one'))
    expect(await ask(store, 'new').context('skill:a')).toMatchObject({ memoryCount: 1 })
    const other = await createDatabase(primary.url())
    const wrong = await openStore(database.url, { replicaUrl: other.url })
    expect(await ask(wrong, 'new').context('skill:a')).toMatchObject({ memoryCount: 1 })
    await wrong.close()
    await other.drop()
    const gone = await openStore(database.url, { replicaUrl: other.url })
    expect(await ask(gone, 'new').context('skill:a')).toMatchObject({ memoryCount: 1 })
    await gone.close()
  }, 120_000)
})
