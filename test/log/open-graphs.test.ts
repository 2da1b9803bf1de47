import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PastEvent } from '../../src/domain/events/recording.js'
import { type LogStore, openLogStore } from '../../src/log/store.js'
import type { KeyStore } from '../../src/store/key-store.js'
import type { Logger } from '../../src/store/logger.js'
import { ask, at, event, FIRST, record } from '../store/support.js'
import { MemoryLog } from '../support/memory-log/memory-log.js'
import { MemoryStorage } from '../support/memory-log/memory-storage.js'
import { SILENT } from '../support/silent.js'

const opened: LogStore[] = []

/** Nothing here asks for keys. */
const NO_KEYS: Pick<KeyStore, never> = {}

function open(storage: MemoryStorage, more: Partial<Parameters<typeof openLogStore>[0]> = {}): LogStore {
  const store = openLogStore({
    log: new MemoryLog(storage),
    keys: NO_KEYS as KeyStore,
    health: () => ({ writable: true }),
    now: () => new Date('2026-01-01T00:00:00Z'),
    randomBytes,
    logger: SILENT,
    ...more,
  })
  opened.push(store)
  return store
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

describe('E15: memory', () => {
  test('graphs that are asked one after the other stay within the budget', async () => {
    const storage = new MemoryStorage()
    const writer = open(storage)
    const graphs = Array.from({ length: 12 }, (_, i) => `graph-${i}`)
    for (const graph of graphs) await record(writer, graph, event('skill:a', graph.repeat(200)))
    const budget = 30_000
    const reader = open(storage, { memoryBudget: budget })
    for (const graph of graphs) {
      expect((await ask(reader, graph).contextTypes(FIRST)).total).toBe(1)
      expect(reader.stats().bytes).toBeLessThanOrEqual(budget)
    }
    expect(reader.stats()).toMatchObject({ openings: 12 })
    expect(reader.stats().open).toBeGreaterThan(1)
  })

  test('graphs that grow while they are open make room, too', async () => {
    const budget = 60_000
    const store = open(new MemoryStorage(), { memoryBudget: budget })
    for (let i = 0; i < 10; i++)
      for (const graph of ['one', 'two', 'three'])
        await record(store, graph, event('skill:a', `${i} `.repeat(500)))
    await vi.waitFor(() => expect(store.stats().bytes).toBeLessThanOrEqual(budget))
  })

  describe('a graph that does not fit', () => {
    const fill = async (store: LogStore) => {
      for (let i = 0; i < 20; i++) await record(store, 'large', event(`skill:s${i % 3}`, `${i} `.repeat(300)))
      await record(store, 'large', event('skill:s0', '0 '.repeat(300), { source: 'user' }))
    }
    const exported = async (store: LogStore, part = {}) => {
      const { events, latestAt } = await store.exportGraph('large', part)
      const all: PastEvent[] = []
      for await (const some of events) all.push(...some)
      return { all, latestAt }
    }

    test('is refused to questions and writes, with a code of its own', async () => {
      const storage = new MemoryStorage()
      await fill(open(storage))
      const small = open(storage, { memoryBudget: 20_000 })
      const refused = { code: 'graph_too_large' }
      await expect(ask(small, 'large').contextTypes(FIRST)).rejects.toMatchObject(refused)
      await expect(record(small, 'large', event('skill:a', 'more'))).rejects.toMatchObject(refused)
      expect(await small.graphs(undefined, FIRST)).toMatchObject({ items: ['large'], total: 1 })
    })

    test('is exported, whole and in part, as if it were open', async () => {
      const storage = new MemoryStorage()
      const large = open(storage)
      await fill(large)
      const small = open(storage, { memoryBudget: 20_000 })
      for (const part of [{}, { after: 7 }, { asOf: { place: 9 } }, { after: 3, asOf: { place: 9 } }])
        expect(await exported(small, part)).toEqual(await exported(large, part))
      await expect(exported(small, { asOf: { place: 0 } })).rejects.toMatchObject({ code: 'graph_not_found' })
      expect(small.stats().open).toBe(0)
    })

    test('is erased from and deleted, and closed again', async () => {
      const storage = new MemoryStorage()
      const large = open(storage)
      await fill(large)
      const small = open(storage, { memoryBudget: 20_000 })
      await small.erase('large', { contextId: 'skill:s1' }, { dryRun: false })
      expect((await ask(large, 'large').contextsOfType('skill', FIRST)).total).toBe(2)
      await vi.waitFor(() => expect(small.stats().open).toBe(0))
      await small.erase('large', { everything: true }, { dryRun: false })
      expect(await large.graphs(undefined, FIRST)).toMatchObject({ total: 0 })
    })

    test('one that grew beyond the budget takes no more', async () => {
      const store = open(new MemoryStorage(), { memoryBudget: 20_000 })
      const growing = async () => {
        for (let i = 0; i < 100; i++) await record(store, 'g', event('skill:a', `${i} `.repeat(100)))
      }
      await expect(growing()).rejects.toMatchObject({ code: 'graph_too_large' })
    })
  })

  test('listing the graphs opens none', async () => {
    const storage = new MemoryStorage()
    const writer = open(storage)
    for (const graph of ['a', 'b']) await record(writer, graph, event('skill:a', graph))
    const reader = open(storage)
    expect((await reader.graphs(undefined, FIRST)).items).toEqual(['a', 'b'])
    expect(reader.stats()).toMatchObject({ open: 0, openings: 0 })
  })
})

describe('D11: the clock', () => {
  const warnings = () => {
    const told: string[] = []
    const logger: Logger = { ...SILENT, warn: (_: object, text: string) => told.push(text) }
    return { told, logger }
  }

  test('one that is behind the last event of a graph is said once, and again after it had caught up', async () => {
    const { told, logger } = warnings()
    let now = '2026-01-01T00:00:00Z'
    const store = open(new MemoryStorage(), { now: () => new Date(now), logger })
    const write = (text: string) => record(store, 'g', event('skill:a', text))
    await write('first')
    now = '2025-12-31T00:00:00Z'
    await write('second')
    await write('third')
    expect(told.filter((text) => text.includes('behind the last event'))).toHaveLength(1)
    const { items } = await ask(store, 'g').contextMemories('skill:a', FIRST)
    expect(new Set(items.map(({ recordedAt }) => recordedAt))).toEqual(new Set(['2026-01-01T00:00:00.000Z']))
  })

  test('a step is said once, and steps of some seconds are not', async () => {
    const { told, logger } = warnings()
    let now = Date.parse('2026-01-01T00:00:00Z')
    const store = open(new MemoryStorage(), { now: () => new Date(now), logger })
    const write = (text: string) => record(store, 'g', event('skill:a', text))
    await write('first')
    now += 5_000
    await write('second')
    expect(told).toEqual([])
    now += 10 * 365 * 86_400_000
    await write('third')
    await write('fourth')
    expect(told).toEqual([expect.stringContaining('The clock was set')])
  })

  test('an answer of a time when the clock was ahead does not keep later ones', async () => {
    let now = Date.parse('2036-01-01T00:00:00Z')
    const store = open(new MemoryStorage(), { now: () => new Date(now) })
    const write = (key: string) =>
      store.append('g', [event('skill:a', key)], at, { key, body: key }).then(([receipt]) => receipt?.status)
    await write('ahead')
    now = Date.parse('2026-01-01T00:00:00Z')
    await write('now')
    now += 25 * 3_600_000
    await write('a day later')
    // The key is free again, and the event is known.
    expect(await write('now')).toBe('duplicate')
  })
})

test('graphs that are followed cost one question for all heads, and none is opened for it', async () => {
  const storage = new MemoryStorage()
  const writer = open(storage)
  for (const graph of ['a', 'b', 'c']) await record(writer, graph, event('skill:a', graph))
  const asked: string[] = []
  const log = new MemoryLog(storage, { before: async (operation) => void asked.push(operation) })
  const reader = open(storage, { log, memoryBudget: writer.stats().bytes / 2 })
  const followers = await Promise.all(['a', 'b', 'c'].map((graph) => reader.follow(graph)))
  await vi.waitFor(() => expect(asked).toContain('heads'))
  for (const follower of followers) await follower.news(0)
  const { openings } = reader.stats()
  expect(reader.stats().open).toBeLessThan(3)
  asked.length = 0
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(1))
  expect(new Set(asked)).toEqual(new Set(['heads']))
  await record(writer, 'b', event('skill:a', 'more'))
  expect(await followers[1]?.news(5_000)).toMatchObject({ isChanged: true })
  expect(reader.stats().openings).toBeLessThanOrEqual(openings + 1)
  for (const follower of followers) follower.close()
})

test('a failover that lost a write, and another write in its position, are noticed by who had seen the first', async () => {
  const storage = new MemoryStorage({ maxUndo: 1 })
  const first = open(storage)
  const other = open(storage)
  await record(first, 'g', event('skill:a', 'kept'))
  await record(first, 'g', event('skill:lost', 'lost'))
  storage.failOver(1)
  await record(other, 'g', event('skill:b', 'instead'))
  const contexts = await ask(first, 'g').contextsOfType('skill', FIRST)
  expect(contexts.items.map(({ contextId }) => contextId)).toEqual(['skill:a', 'skill:b'])
})

test('D17: an import that leaves no sequence numbers for what comes after it is refused', async () => {
  const storage = new MemoryStorage()
  const store = open(storage)
  await record(store, 'g', event('skill:a', 'first'))
  const { events } = await store.exportGraph('g')
  const pages: PastEvent[][] = []
  for await (const some of events) pages.push(some.map((one) => ({ ...one, place: Number.MAX_SAFE_INTEGER })))
  const source = (async function* () {
    yield* pages
  })()
  await expect(store.importGraph('copy', source, at)).rejects.toMatchObject({ code: 'invalid_import' })
  expect(await store.graphs(undefined, FIRST)).toMatchObject({ items: ['g'] })
})
