import pg from 'pg'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { APPEND } from '../../src/log/postgres/write.js'
import type { PostgresStore } from '../../src/log/postgres-store.js'
import { ask, at, event, FIRST, record, revoke } from '../store/support.js'
import { CuttingProxy } from '../support/cutting-proxy.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../support/postgres.js'
import { PostgresServer } from '../support/postgres-server.js'

const UNAVAILABLE = { code: 'storage_unavailable' }

describePostgres('when PostgreSQL fails', () => {
  let database: TestDatabase
  let store: PostgresStore
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    store = await openStore(database.url, {
      poolSize: 2,
      statementTimeout: 2000,
      connectionTimeout: 1500,
    })
    await database.empty()
    await record(store, 'g', event('skill:a', 'there before'))
  })
  afterEach(() => store.close())

  /** Keeps every writer of the graph waiting until it is called. */
  async function holdGraph(): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`BEGIN; SELECT FROM graphs WHERE graph_id = 'g' FOR UPDATE`)
    const release = () => client.end()
    onTestFinished(release)
    return release
  }

  async function count(): Promise<number> {
    return (await ask(store, 'g').context('skill:a')).memoryCount
  }

  test('a connection that is cut in the middle of a write: refused, nothing recorded, and the next one works', async () => {
    const release = await holdGraph()
    const writing = record(store, 'g', event('skill:a', 'cut'))
    const refused = expect(writing).rejects.toMatchObject(UNAVAILABLE)
    await vi.waitFor(async () => {
      const waiting = await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND application_name = 'loregraph' AND datname = current_database()`,
      )
      expect(waiting).toHaveLength(1)
    }, 30_000)
    await refused
    await release()
    expect(await count()).toBe(1)
    expect(await record(store, 'g', event('skill:a', 'cut'))).toMatchObject({ status: 'recorded' })
  })

  test('a statement that takes too long: refused, nothing recorded; reads go on meanwhile', async () => {
    const release = await holdGraph()
    const refused = expect(record(store, 'g', event('skill:a', 'slow'))).rejects.toMatchObject(UNAVAILABLE)
    expect(await count()).toBe(1)
    await refused
    await release()
    expect(await count()).toBe(1)
    expect(await record(store, 'g', event('skill:a', 'slow'))).toMatchObject({ status: 'recorded' })
  })

  test('no connection left: refused in time, and served again when there is one', async () => {
    await record(store, 'other', event('skill:a', 'there before'))
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('BEGIN; SELECT FROM graphs FOR UPDATE')
    const waiting = ['g', 'other'].map((graph) => record(store, graph, event('skill:a', 'held')))
    const held = Promise.all(waiting.map((one) => expect(one).resolves.toMatchObject({ status: 'recorded' })))
    await vi.waitFor(() => expect(store.stats().connections).toMatchObject({ open: 2, idle: 0 }), 30_000)
    await expect(ask(store, 'g').contextTypes(FIRST)).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: 'The database cannot be used at the moment; nothing was read.',
    })
    await client.query('COMMIT')
    await held
    expect(await count()).toBe(2)
  })

  test('a database that takes no writes: reads go on, health tells, and writes go on by themselves afterwards', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    const other = await openStore(database.url)
    onTestFinished(() => other.close())
    await expect(record(other, 'g', event('skill:a', 'x'))).rejects.toMatchObject(UNAVAILABLE)
    expect(await ask(other, 'g').context('skill:a')).toMatchObject({ memoryCount: 1 })
    await vi.waitFor(() => expect(other.health()).toMatchObject({ writable: false }), { timeout: 60_000 })
    // A session that may read only can still say that those after it may not.
    await database.query(
      `BEGIN; SET TRANSACTION READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`,
    )
    await vi.waitFor(() => expect(other.health()).toEqual({ writable: true }), { timeout: 60_000 })
    expect(await record(other, 'g', event('skill:a', 'x'))).toMatchObject({ status: 'recorded' })
  })

  test('an answer to a write that never comes: whether it was made is looked up, and it is recorded once', async () => {
    const proxy = await CuttingProxy.start(database.url)
    const other = await openStore(proxy.url)
    onTestFinished(async () => {
      await other.close()
      await proxy.stop()
    })
    expect(await ask(other, 'g').context('skill:a')).toMatchObject({ memoryCount: 1 })
    proxy.cutNext('after', APPEND.name)
    expect(await record(other, 'g', event('skill:a', 'who knows'))).toMatchObject({ status: 'recorded' })
    expect(proxy.cuts).toBe(1)
    expect(await count()).toBe(2)
    expect(await record(other, 'g', event('skill:a', 'who knows'))).toMatchObject({ status: 'duplicate' })
    expect((await ask(store, 'g').contextMemories('skill:a', FIRST)).items[0]).toMatchObject({ timesSeen: 2 })
  })

  test('two processes: one order, duplicates known to both, an Idempotency-Key done once', async () => {
    const other = await openStore(database.url)
    onTestFinished(() => other.close())
    const both = [store, other]
    const once = { key: 'k'.repeat(64), body: 'b'.repeat(64) }
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        both[i % 2]?.append('g', [event('skill:b', `n${i >> 1}`), event('skill:c', `n${i}`)], at),
      ),
    )
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => both[i % 2]?.append('g', [event('skill:d', 'once')], at, once)),
    )
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'still_running' })
    expect(await ask(other, 'g').context('skill:b')).toMatchObject({ memoryCount: 20 })
    expect(await ask(other, 'g').context('skill:c')).toMatchObject({ memoryCount: 40 })
    const { items } = await ask(store, 'g').contextMemories('skill:b', FIRST)
    expect(items.map(({ timesSeen }) => timesSeen)).toEqual(items.map(() => 2))
    expect((await ask(store, 'g').contextMemories('skill:d', FIRST)).items).toMatchObject([{ timesSeen: 1 }])
    const places = await database.query(
      `SELECT sum(count)::int AS count, max(position + count - 1)::int AS last FROM entries`,
    )
    expect(places).toEqual([{ count: 82, last: 82 }])
  })

  test('C10: a key that was revoked in one process is not found in another', async () => {
    const other = await openStore(database.url)
    onTestFinished(() => other.close())
    const key = {
      keyId: 'key_1',
      name: 'x',
      scopes: ['read'] as const,
      createdAt: '2025-01-01T00:00:00.000Z',
    }
    await store.keys.add(key, 'h'.repeat(64))
    expect(await other.keys.find('h'.repeat(64))).toEqual(key)
    await revoke(store, 'key_1')
    expect(await other.keys.find('h'.repeat(64))).toBeUndefined()
  })

  test('the root secret is made once, however many processes start at the same time', async () => {
    const stores = await Promise.all(Array.from({ length: 3 }, () => openStore(database.url)))
    onTestFinished(() => Promise.all(stores.map((one) => one.close())).then(() => undefined))
    expect(await stores[0]?.rootSecret.read()).toBeUndefined()
    // One that nobody was shown is not in force.
    expect(await stores[0]?.rootSecret.keep('unseen', async () => false)).toBeUndefined()
    const shown: number[] = []
    const found = await Promise.all(
      stores.map((one, i) => one.rootSecret.keep(`hash ${i}`, async () => shown.push(i) > 0)),
    )
    expect(found).toEqual(stores.map(() => `hash ${shown[0]}`))
    expect(shown).toHaveLength(1)
  })
})

describe.skipIf(process.env['TEST_DATABASE_URL'] !== undefined)('PostgreSQL that is restarted', () => {
  test('503 meanwhile, health tells, and everything goes on without a restart of ours', async () => {
    const server = await PostgresServer.create()
    onTestFinished(() => server.remove())
    const store = await openStore(server.url())
    onTestFinished(() => store.close())
    await record(store, 'g', event('skill:a', 'one'))
    await server.stop('SIGQUIT')
    await expect(record(store, 'g', event('skill:a', 'two'))).rejects.toMatchObject(UNAVAILABLE)
    const undone = (verb: string) => ({
      ...UNAVAILABLE,
      message: expect.stringContaining(`nothing was ${verb}.`),
    })
    await expect(ask(store, 'g').context('skill:a')).rejects.toMatchObject(undone('read'))
    const erasing = store.erase('g', { everything: true }, { dryRun: false })
    await expect(erasing).rejects.toMatchObject(undone('read'))
    await vi.waitFor(() => expect(store.health()).toMatchObject({ writable: false }), { timeout: 60_000 })
    await server.start()
    expect(await ask(store, 'g').context('skill:a')).toMatchObject({ memoryCount: 1 })
    expect(await record(store, 'g', event('skill:a', 'two'))).toMatchObject({ status: 'recorded' })
    await vi.waitFor(() => expect(store.health()).toEqual({ writable: true }), { timeout: 60_000 })
  })
})
