import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GraphId } from '../../../../src/domain/model.js'
import { Database } from '../../../../src/store/postgres/connection/database.js'
import type { Session } from '../../../../src/store/postgres/connection/session.js'
import { CodeCache } from '../../../../src/store/postgres/meanings/code-cache.js'
import { readingOf } from '../../../../src/store/postgres/meanings/reading.js'
import type { PostgresStore } from '../../../../src/store/postgres/store.js'
import { vectorOf, WordMeaning } from '../../../support/meaning.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../../support/postgres.js'
import { SILENT } from '../../../support/silent.js'
import { at, event } from '../../support.js'

describePostgres('the codes in memory', () => {
  let postgres: TestDatabase
  let database: Database
  let meaning: WordMeaning
  let store: PostgresStore
  beforeAll(async () => {
    postgres = await createDatabase()
    meaning = await WordMeaning.create()
    store = await openStore(postgres.url, { meaning })
    database = new Database({ url: postgres.url, log: SILENT })
  })
  afterAll(async () => {
    await store.close()
    await database.close()
    await postgres.drop()
  })

  async function fill(graphId: GraphId, count: number, from = 0) {
    const events = Array.from({ length: count }, (_, i) => event('skill:a', `note ${from + i}`))
    const receipts = await store.append(graphId, events, at)
    await store.caughtUp(graphId)
    return receipts
  }

  /** How many codes a session finds of a graph. */
  async function count(cache: CodeCache, session: Session, graphId: GraphId): Promise<number> {
    const reading = await readingOf(session, graphId)
    if (reading === undefined) return 0
    const codes = await cache.of(session, graphId, reading)
    return codes.nearest(meaning.scan, vectorOf('note'), reading.memories, 1_000).length
  }

  test('the graphs that were asked last are kept, as many codes as there is room for', async () => {
    const cache = new CodeCache(50)
    for (const graph of ['a', 'b', 'c']) await fill(graph, 20)
    await fill('large', 60)
    const ask = (graph: GraphId) => database.read((session) => count(cache, session, graph))
    expect([await ask('a'), await ask('b'), await ask('a'), cache.size]).toEqual([20, 20, 20, 40])
    expect([await ask('c'), cache.size]).toEqual([20, 40])
    expect([await ask('a'), cache.size]).toEqual([20, 40])
    expect([await ask('large'), cache.size]).toEqual([60, 60])
    expect([await ask('b'), cache.size]).toEqual([20, 20])
  })

  test('a session finds what its snapshot holds, whatever others have loaded since', async () => {
    const cache = new CodeCache()
    const receipts = await fill('moving', 10)
    await database.read(async (before) => {
      expect(await count(cache, before, 'moving')).toBe(10)
      await fill('moving', 10, 10)
      await database.read(async (between) => {
        expect(await count(cache, between, 'moving')).toBe(20)
        expect(await count(cache, before, 'moving')).toBe(10)
        await store.erase('moving', { memoryId: receipts[3]?.memoryId ?? '' }, { dryRun: false })
        expect(await database.read((session) => count(cache, session, 'moving'))).toBe(19)
        expect(await count(cache, between, 'moving')).toBe(20)
        expect(await count(cache, before, 'moving')).toBe(10)
        expect(cache.size).toBe(19)
      })
    })
  })

  test('several sessions at once load a graph once', async () => {
    const cache = new CodeCache()
    await fill('shared', 30)
    const counts = await Promise.all(
      Array.from({ length: 5 }, () => database.read((session) => count(cache, session, 'shared'))),
    )
    expect(counts).toEqual([30, 30, 30, 30, 30])
    expect(cache.size).toBe(30)
  })

  test('what another process has erased from does not stay in memory, though nobody asks', async () => {
    const cache = new CodeCache()
    const receipts = await fill('erased', 10)
    await fill('kept', 5)
    for (const graph of ['erased', 'kept']) await database.read((session) => count(cache, session, graph))
    await cache.forgetOutdated(database)
    expect(cache.size).toBe(15)
    await store.erase('erased', { memoryId: receipts[0]?.memoryId ?? '' }, { dryRun: false })
    await cache.forgetOutdated(database)
    expect(cache.size).toBe(5)
    await store.erase('kept', { everything: true }, { dryRun: false })
    await cache.forgetOutdated(database)
    expect(cache.size).toBe(0)
  })
})
