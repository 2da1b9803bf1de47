import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MemoKind, TextCache } from '../../../../src/domain/text-cache.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../../support/postgres.js'
import { ask, at, contradicts, event, extending, FIRST } from '../../support.js'

const POOL_SIZE = 3
/** More than one page of the cursor, the same event among them. */
const TEXTS = Array.from({ length: 60 }, (_, i) => `note ${i % 50}`)
const MANY = 3000
const LENGTHS: MemoKind<number> = { most: 100 }

describePostgres('erasures on PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  test('as many at once as the pool has connections, and more, all succeed', async () => {
    const store = await openStore(database.url, { poolSize: POOL_SIZE })
    const graphs = Array.from({ length: 3 * POOL_SIZE }, (_, i) => `g${i}`)
    const events = TEXTS.map((text) => event('skill:a', text))
    const receipts = await Promise.all(graphs.map((graph) => store.append(graph, events, at)))
    const erased = await Promise.all(
      graphs.map((graph, i) =>
        store.erase(graph, { memoryId: receipts[i]?.[7]?.memoryId ?? '' }, { dryRun: false }),
      ),
    )
    expect(erased).toEqual(graphs.map(() => expect.objectContaining({ memories: 1 })))
    for (const graph of graphs) {
      const { items, total } = await ask(store, graph).contextMemories('skill:a', FIRST)
      expect(total).toBe(49)
      expect(items.map(({ text }) => text)).not.toContain('note 7')
      expect(items.filter(({ timesSeen }) => timesSeen === 2)).toHaveLength(9)
    }
    await store.close()
  }, 120_000)

  test('one memory of many: what has nothing to do with it is not written', async () => {
    const first = await openStore(database.url)
    for (let i = 0; i < MANY; i += 1000)
      await first.append(
        'many',
        Array.from({ length: 1000 }, (_, j) => memory(i + j)),
        at,
      )
    const [old] = (await ask(first, 'many').contextMemories('skill:name_7', FIRST)).items
    const [, linked] = (await ask(first, 'many').contextMemories('skill:name_70', FIRST)).items
    const touching = event('tool:x', 'against it', contradicts(old?.memoryId ?? '', 'skill:name_7'))
    await first.append('many', [touching], at)
    await database.query('ANALYZE')
    await first.close()
    await storesGone()
    const before = await rowsWritten()
    const store = await openStore(database.url)
    for (const one of [old, linked])
      expect(await store.erase('many', { memoryId: one?.memoryId ?? '' }, { dryRun: false })).toMatchObject({
        memories: 1,
      })
    await store.close()
    await storesGone()
    const written = (await rowsWritten()) - before
    expect(written).toBeGreaterThan(2)
    expect(written).toBeLessThan(200)
  }, 120_000)

  test('an index of words that was made by other rules is made anew', async () => {
    const store = await openStore(database.url)
    const texts = ['the cache holds entries', 'the cache is cold', 'deploys on friday']
    const receipts = await store.append(
      'foreign',
      texts.map((text) => event('skill:a', text)),
      at,
    )
    await database.query(`UPDATE postings SET term = 'caches' WHERE graph_id = 'foreign' AND term = 'cach'`)
    await database.query(`UPDATE terms SET term = 'caches' WHERE graph_id = 'foreign' AND term = 'cach'`)
    await store.erase('foreign', { memoryId: receipts[0]?.memoryId ?? '' }, { dryRun: false })
    const found = async (term: string) =>
      (await ask(store, 'foreign').retrieve({ terms: [term], limit: 5 })).found.map(
        ({ memory }) => memory.text,
      )
    expect(await found('caches')).toEqual([])
    expect(await found('cach')).toEqual(['the cache is cold'])
    await store.close()
  })

  /** In all tables, as far as connections that ended have counted. */
  /** What a connection has counted is there for others when the server has let it go, a little after it was closed. */
  function storesGone(): Promise<void> {
    return vi.waitFor(async () => {
      const others = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
          AND pid <> pg_backend_pid()`,
      )
      expect(others).toEqual([])
    }, 20_000)
  }

  async function rowsWritten(): Promise<number> {
    const [row] = await database.query(
      'SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::integer AS rows FROM pg_stat_user_tables',
    )
    return Number(row?.['rows'])
  }

  test('texts that another process may have erased are forgotten within two minutes of their last use', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const texts = new TextCache()
      const store = await openStore(database.url, { texts })
      texts.memo(LENGTHS).set('erased elsewhere', 16)
      vi.advanceTimersByTime(120_000)
      expect(texts.memo(LENGTHS).get('erased elsewhere')).toBeUndefined()
      await store.close()
    } finally {
      vi.useRealTimers()
    }
  })
})

function memory(i: number) {
  const links = i % 10 === 0 ? extending(`skill:name_${(i * 7) % 300}`) : {}
  return event(`skill:name_${i % 300}`, `the cache number ${i} holds ${i % 97} entries`, links)
}
