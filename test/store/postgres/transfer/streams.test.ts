import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { PastEvent } from '../../../../src/domain/events/recording.js'
import type { PostgresStore } from '../../../../src/store/postgres/store.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../../support/postgres.js'
import { ask, at, event, exported, FIRST, inPages, record } from '../../support.js'

const POOL_SIZE = 2
const CLIENTS = 3 * POOL_SIZE
/** More than one page of an export. */
const MANY = Array.from({ length: 60 }, (_, i) => event('skill:a', `note ${i}`))
/** So long that an import of some events is received in several slices. */
const LONG = 'lorem ipsum '.repeat(8000)

describePostgres('slow clients of PostgreSQL', () => {
  let database: TestDatabase
  let store: PostgresStore
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    store = await openStore(database.url, { poolSize: POOL_SIZE, connectionTimeout: 1000 })
    await database.empty()
    await store.append('g', MANY, at)
  })
  afterEach(() => store.close())

  const count = async () => (await ask(store, 'g').contextMemories('skill:a', FIRST)).total
  const names = async () => (await store.graphs(undefined, { page: 0, pageSize: 100 })).items
  const left = async () =>
    (
      await database.query(
        'SELECT (SELECT count(*) FROM imports) + (SELECT count(*) FROM import_slices) AS n',
      )
    )[0]?.['n']

  test('B18: more imports than there are connections, none of which goes on: others do not notice', async () => {
    const events = await exported(store, 'g')
    let goOn: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve
    })
    async function* slowly(): AsyncGenerator<readonly PastEvent[]> {
      yield events.slice(0, 7)
      await waiting
      yield events.slice(7)
    }
    const graphs = Array.from({ length: CLIENTS }, (_, i) => `slow-${i}`)
    const importing = graphs.map((graph) => store.importGraph(graph, slowly(), at))
    expect(await count()).toBe(MANY.length)
    await record(store, 'g', event('skill:a', 'beside'))
    expect(await names()).toEqual(['g'])
    goOn()
    await Promise.all(importing)
    for (const graph of graphs) expect(await exported(store, graph)).toEqual(events)
  })

  test('B18: more exports than there are connections, none of which is read on: others do not notice', async () => {
    const before = await exported(store, 'g')
    const exports = await Promise.all(Array.from({ length: CLIENTS }, () => store.exportGraph('g')))
    const iterators = exports.map(({ events }) => events[Symbol.asyncIterator]())
    const firsts = await Promise.all(iterators.map((iterator) => iterator.next()))
    await record(store, 'g', event('skill:a', 'beside'))
    await record(store, 'g', event('skill:a', 'note 3'))
    expect(await count()).toBe(MANY.length + 1)
    for (const [i, iterator] of iterators.entries()) {
      const events: PastEvent[] = [...(firsts[i]?.value ?? [])]
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
        events.push(...next.value)
      expect(events).toEqual(before)
    }
  })

  test.each(['a memory', 'the graph', 'the graph, which is then made again'])(
    'an export ends with an error when %s is erased before its end: no part of it is as another was',
    async (what) => {
      const { events } = await store.exportGraph('g')
      const iterator = events[Symbol.asyncIterator]()
      const first = await iterator.next()
      const memoryId = (first.value as readonly PastEvent[]).at(-1)?.memoryId ?? ''
      await store.erase('g', what === 'a memory' ? { memoryId } : { everything: true }, { dryRun: false })
      if (what.endsWith('again')) await store.append('g', MANY, at)
      await expect(iterator.next()).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringContaining('erased'),
      })
    },
  )

  test('an import of several slices is whole, and nothing of what was received stays beside the graph', async () => {
    await store.append(
      'long',
      Array.from({ length: 12 }, (_, i) => event('skill:a', `${i} ${LONG}`)),
      at,
    )
    const events = await exported(store, 'long')
    let staged: unknown
    async function* looking(): AsyncGenerator<readonly PastEvent[]> {
      for (const event of events) yield [event]
      staged = await left()
    }
    expect(await store.importGraph('copy', looking(), at)).toEqual({ events: 12, memories: 12 })
    expect(Number(staged)).toBeGreaterThan(2)
    expect(Number(await left())).toBe(0)
    expect(await exported(store, 'copy')).toEqual(events)
  })

  test('an import that ends in an error leaves nothing: no graph, and none of its slices', async () => {
    await store.append(
      'long',
      Array.from({ length: 6 }, (_, i) => event('skill:a', `${i} ${LONG}`)),
      at,
    )
    const events = await exported(store, 'long')
    async function* failing(): AsyncGenerator<readonly PastEvent[]> {
      yield events
      throw new Error('The client has gone.')
    }
    await expect(store.importGraph('copy', failing(), at)).rejects.toThrow('The client has gone.')
    await expect(store.importGraph('copy', inPages([...events, ...events]), at)).rejects.toMatchObject({
      code: 'invalid_import',
    })
    expect(Number(await left())).toBe(0)
    expect(await names()).toEqual(['g', 'long'])
  })

  test('a graph that is there is not waited for: the import is refused before its events are asked for', async () => {
    async function* never(): AsyncGenerator<readonly PastEvent[]> {
      await new Promise(() => undefined)
    }
    await expect(store.importGraph('g', never(), at)).rejects.toMatchObject({ code: 'graph_exists' })
  })

  test('a graph whose import stands still is recorded into meanwhile, and the import is refused', async () => {
    const events = await exported(store, 'g')
    let goOn: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve
    })
    async function* slowly(): AsyncGenerator<readonly PastEvent[]> {
      yield events.slice(0, 7)
      await waiting
      yield events.slice(7)
    }
    const importing = store.importGraph('copy', slowly(), at)
    importing.catch(() => undefined)
    await expect.poll(left).not.toBe(0)
    await record(store, 'copy', event('skill:b', 'meanwhile'))
    goOn()
    await expect(importing).rejects.toMatchObject({ code: 'graph_exists' })
    expect(await exported(store, 'copy')).toHaveLength(1)
  })

  test('of two imports of one graph, the one that ends first makes it, and the other is refused', async () => {
    const events = await exported(store, 'g')
    const both = await Promise.allSettled([1, 2].map(() => store.importGraph('copy', inPages(events), at)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'graph_exists' }) }),
    )
  })

  test('what a process that was killed had received is removed by the next that starts; that of the living stays', async () => {
    await database.query(
      `WITH made AS (INSERT INTO imports (import_id, alive_until) VALUES
          (gen_random_uuid(), now() - interval '1 second'), (gen_random_uuid(), now() + interval '1 minute')
        RETURNING import_id)
      INSERT INTO import_slices SELECT import_id, 0, '[]' FROM made`,
    )
    await (await openStore(database.url)).close()
    expect(Number(await left())).toBe(2)
  })

  test('an import that is being made a graph of for longer than any keeps is left alone, and holds up no start', async () => {
    await database.query(
      `WITH made AS (INSERT INTO imports (import_id, alive_until) VALUES (gen_random_uuid(), now() - interval '1 second')
        RETURNING import_id)
      INSERT INTO import_slices SELECT import_id, 0, '[]' FROM made`,
    )
    const importing = new pg.Client({ connectionString: database.url })
    await importing.connect()
    await importing.query('BEGIN; SELECT 1 FROM imports FOR UPDATE')
    await (await openStore(database.url)).close()
    expect(Number(await left())).toBeGreaterThan(0)
    await importing.query('ROLLBACK')
    await importing.end()
    await (await openStore(database.url)).close()
    expect(Number(await left())).toBe(0)
  })

  test('an import whose slices are gone, as after a crash of the database, is refused and not cut short', async () => {
    await store.append(
      'long',
      Array.from({ length: 6 }, (_, i) => event('skill:a', `${i} ${LONG}`)),
      at,
    )
    const events = await exported(store, 'long')
    async function* losing(): AsyncGenerator<readonly PastEvent[]> {
      yield events
      await vi.waitFor(async () => expect(Number(await left())).toBeGreaterThan(0), 30_000)
      await database.query('DELETE FROM imports')
    }
    await expect(store.importGraph('copy', losing(), at)).rejects.toMatchObject({
      code: 'storage_unavailable',
    })
    expect(await names()).toEqual(['g', 'long'])
  })
})
