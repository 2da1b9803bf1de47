import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MemoKind, TextCache } from '../../../../src/domain/text-cache.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../../support/postgres.js'
import { ask, at, event, FIRST } from '../../support.js'

const POOL_SIZE = 3
/** More than one page of the cursor, the same event among them. */
const TEXTS = Array.from({ length: 60 }, (_, i) => `note ${i % 50}`)
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
  }, 60_000)

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
