import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { NewMemory } from '../../src/domain/model.js'
import { ask, at, event, exported, inPages, record } from '../store/support.js'
import { openStore } from '../support/postgres.js'
import { PostgresServer } from '../support/postgres-server.js'
import { expectBelow } from '../support/quick.js'
import { longestTurn } from '../support/turns.js'
import { MemoryFiles } from './support/memory-files.js'
import { openOn } from './support/scene.js'

/** Twice what is promised: in a test, the work of the test runner and its garbage are counted as well. */
const LONGEST_MS = 100

/** Words that no other text has, as hashes and ids are. */
function createWords(): (count: number) => string {
  let n = 1e9
  return (count) => Array.from({ length: count }, () => `w${(n++).toString(36)}`).join(' ')
}

function largeBatch(): NewMemory[] {
  const words = createWords()
  return Array.from({ length: 100 }, () => event('big:one', words(6000)))
}

describe('a batch of 100 long events whose words no other text has', () => {
  test('is recorded, searched, exported, opened and imported in short turns of the event loop', async () => {
    const events = largeBatch()
    const longest = new Map<string, number>()
    const timed = async (step: string, work: () => Promise<unknown>) => {
      longest.set(step, Math.min(longest.get(step) ?? Number.POSITIVE_INFINITY, await longestTurn(work)))
    }
    const round = async () => {
      const files = new MemoryFiles()
      let store = await openOn(files, { compactBytes: 1e9 })
      await record(store, 'g', event('big:one', 'first'))
      const find = async () => (await ask(store, 'g').retrieve({ terms: ['first'], limit: 5 })).found.length
      await timed('append', () => store.append('g', events, at))
      await timed('search', find)
      let past: Awaited<ReturnType<typeof exported>> = []
      await timed('export', async () => {
        past = await exported(store, 'g')
      })
      expect(past).toHaveLength(101)
      await store.close()
      store = await openOn(files, { compactBytes: 1e9 })
      await timed('opening', find)
      await timed('import', () => store.importGraph('h', inPages(past, 20), at))
      expect(await find()).toBe(1)
      await store.close()
      return Math.max(...longest.values())
    }
    await expectBelow(LONGEST_MS, round, 'the longest turn of any step, each at its best')
  }, 120_000)

  test('is seen as a whole or not at all, also by a search', async () => {
    const events = largeBatch().slice(0, 50)
    const store = await openOn(new MemoryFiles(), { compactBytes: 1e9 })
    await record(store, 'g', event('big:one', 'first'))
    const seen = new Set<string>()
    let isDone = false
    const appending = store.append('g', events, at).finally(() => {
      isDone = true
    })
    const looking = (async () => {
      while (!isDone) {
        const { counted, searched } = await store.read('g', async (graph) => ({
          counted: graph.context('big:one').memoryCount,
          searched: graph.retrieve({ terms: ['first', 'big'], limit: 100 }).found.length,
        }))
        seen.add(`${counted} ${searched}`)
        await turn()
      }
    })()
    await appending
    await looking
    const found = (await ask(store, 'g').retrieve({ terms: ['big'], limit: 100 })).found
    expect(found).toHaveLength(51)
    expect([...seen].filter((both) => both !== '1 1' && both !== '51 51')).toEqual([])
    await store.close()
  }, 120_000)
})

const AREAS = 1500
const linksOf = (i: number) =>
  Array.from({ length: 100 }, (_, j) => ({
    kind: j % 2 === 0 ? ('related-to' as const) : ('extension' as const),
    target: `area:${(i * 7 + j * 13) % AREAS}`,
  }))
const linkedBatch = (name = 'hub') =>
  Array.from({ length: 1000 }, (_, i) => event(`hub:${i % 50}`, `${name} ${i}`, { links: linksOf(i) }))

describe('a batch of 1,000 events with 100 links each', () => {
  test('is recorded in short turns of the event loop', async () => {
    await expectBelow(LONGEST_MS, async () => {
      const store = await openOn(new MemoryFiles(), { compactBytes: 1e9 })
      const longest = await longestTurn(() => store.append('g', linkedBatch(), at))
      await store.close()
      return longest
    })
  }, 120_000)

  test('on PostgreSQL, too, is held against what stands in short turns of the event loop', async () => {
    const server = await PostgresServer.create()
    onTestFinished(() => server.remove())
    const store = await openStore(server.url())
    onTestFinished(() => store.close())
    const standing = Array.from({ length: AREAS }, (_, i) => event(`area:${i}`, `note ${i} of the area`))
    await store.append('g', standing, at)
    let batches = 0
    await expectBelow(LONGEST_MS, () =>
      longestTurn(() => store.append('g', linkedBatch(`hub ${batches++}`), at)),
    )
  }, 120_000)

  test('is seen as a whole or not at all by reads, exports and dry runs, though others have their turn while it is applied', async () => {
    const store = await openOn(new MemoryFiles(), { compactBytes: 1e9 })
    await record(store, 'g', event('hub:0', 'first'))
    const seen = new Set<number>()
    let turns = 0
    let isDone = false
    const counting = async (count: () => Promise<number>) => {
      while (!isDone) {
        seen.add(await count())
        await turn()
      }
    }
    const watching = [
      counting(() => store.read('g', async (graph) => (await graph.counts()).memories)),
      counting(async () => (await exported(store, 'g')).length),
      counting(async () => ((await store.dryRun('g', event('hub:0', 'next'), at)).place ?? 0) - 1),
      (async () => {
        for (; !isDone; turns++) await turn()
      })(),
    ]
    await store.append('g', linkedBatch(), at).finally(() => {
      isDone = true
    })
    await Promise.all(watching)
    expect([...seen].filter((count) => count !== 1 && count !== 1001)).toEqual([])
    expect(seen).toContain(1)
    expect(turns).toBeGreaterThan(10)
    expect((await exported(store, 'g')).length).toBe(1001)
    await store.close()
  }, 120_000)
})

test('an event that contradicts five contexts of a thousand memories each is judged in short turns', async () => {
  const store = await openOn(new MemoryFiles(), { compactBytes: 1e9 })
  for (let context = 0; context < 5; context++)
    await store.append(
      'g',
      Array.from({ length: 1000 }, (_, i) =>
        event(`area:${context}`, `the pump number ${i} of hall ${context} runs at night`),
      ),
      at,
    )
  const links = [0, 1, 2, 3, 4].map((context) => ({
    kind: 'contradiction' as const,
    target: `area:${context}`,
  }))
  let reports = 0
  await expectBelow(LONGEST_MS, () =>
    longestTurn(() =>
      record(store, 'g', event('report:1', `the canteen opens at nine, says report ${reports++}`, { links })),
    ),
  )
  await store.close()
}, 120_000)
