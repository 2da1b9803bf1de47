import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseNameQuery } from '../../../src/domain/names.js'
import type { AsOf, When } from '../../../src/domain/time.js'
import type { Store } from '../../../src/store/store.js'
import { vectorOf, WordMeaning } from '../../support/meaning.js'
import {
  ask,
  at,
  contradicts,
  event,
  everything,
  exported,
  extending,
  inPages,
  type OpenBench,
  record,
} from '../support.js'
import { useStore } from './bench.js'
import { randomSteps, recordSteps, type Steps } from './random.js'

const CERTAIN = { dryRun: false }
const ALL = { page: 0, pageSize: 1000 }
const TERMS = ['cach', 'hold', 'twenti', 'deploi', 'retri', 'skill', 'unheard']
const SCOPE = { types: ['skill'], contextIds: ['fact:d'] }

/** Every answer of a graph, the engine's questions included. */
async function answers(store: Store, graphId: string, when: When = {}): Promise<unknown> {
  const plain = await everything(store, graphId, when)
  const memoryIds = plain.memories.flatMap(({ items }) => items.map(({ memoryId }) => memoryId))
  const asked = await store.readAt(graphId, when, async (graph) => ({
    found: graph.searchContexts(parseNameQuery('a'), ALL),
    retrieved: graph.retrieve({ terms: TERMS, limit: 5 }),
    within: graph.retrieve({ terms: TERMS, limit: 3, scope: SCOPE }),
    weights: graph.weigh(TERMS),
    latest: graph.latest(SCOPE, 3),
    memories: graph.memories([...memoryIds, 'mem_00000000000000000000000000']),
    against: graph.recordsAgainst(memoryIds),
    unread: graph.unread(),
  }))
  return { plain, asked, events: await exported(store, graphId, when.asOf) }
}

/** One in four was told before. */
function note(i: number) {
  const number = i % 4 === 3 ? i >> 1 : i
  return event(`skill:part_${number % 90}`, `note ${number} of round ${number % 13}, part ${number % 7}`)
}

/** Records one step after the other, and gives what the graph answered after each. */
async function recordWatching(store: Store, steps: Steps): Promise<{ answer: unknown; place: number }[]> {
  const seen: { answer: unknown; place: number }[] = []
  const ids: string[] = []
  for (const step of steps) {
    ids.push(...(await recordSteps(store, 'g', [{ ...step, alone: true }], ids)))
    const place = (await exported(store, 'g')).at(-1)?.place ?? 0
    seen.push({ answer: await answers(store, 'g'), place })
  }
  return seen
}

export function asOfContract(open: OpenBench, runs: number): void {
  describe('as of a moment', () => {
    const bench = useStore(open)

    test('every answer is the one that the graph gave then, whatever was recorded since; after a reopening, too', async () => {
      await fc.assert(
        fc.asyncProperty(randomSteps, async (steps) => {
          const seen = await recordWatching(bench.store, steps)
          for await (const store of bench.nowAndReopened())
            for (const { answer, place } of seen)
              expect(await answers(store, 'g', { asOf: { place } })).toEqual(answer)
          await bench.store.erase('g', { everything: true }, CERTAIN)
        }),
        { numRuns: runs },
      )
    })

    test('with the present as the time that is asked about, every answer is the one without it', async () => {
      await fc.assert(
        fc.asyncProperty(randomSteps, async (steps) => {
          const { store, clock } = bench
          await recordSteps(store, 'g', steps)
          const validAt = clock.now().toISOString()
          expect(await answers(store, 'g', { validAt })).toEqual(await answers(store, 'g'))
          await store.erase('g', { everything: true }, CERTAIN)
        }),
        { numRuns: runs },
      )
    })

    test('after an erasure it is that of the rest, cut there', async () => {
      // What a failed run leaves behind must not fail the next ones, by which the input is made smaller.
      let run = 0
      await fc.assert(
        fc.asyncProperty(randomSteps, fc.nat(), async (steps, which) => {
          const { store } = bench
          const [whole, cut] = [`whole-${++run}`, `cut-${run}`]
          const ids = await recordSteps(store, whole, steps)
          await store.erase(whole, { memoryId: ids[which % ids.length] ?? '' }, CERTAIN)
          const left = await exported(store, whole)
          for (const [i, { place = 0 }] of left.entries()) {
            await store.importGraph(cut, inPages(left.slice(0, i + 1)), at)
            expect(await answers(store, whole, { asOf: { place } })).toEqual(await answers(store, cut))
            await store.erase(cut, { everything: true }, CERTAIN)
          }
          await store.erase(whole, { everything: true }, CERTAIN)
        }),
        { numRuns: runs },
      )
    })

    test('in a graph of thousands, what is counted is what was counted then; after an erasure, that of the rest', async () => {
      const { store, clock } = bench
      const counted = (graphId: string, asOf?: AsOf) =>
        store.readAt(graphId, { asOf }, async (graph) => ({
          lastPlace: graph.lastPlace(),
          types: graph.contextTypes(ALL),
          retrieved: graph.retrieve({ terms: ['note', 'round', '7', 'part'], limit: 20 }),
          weights: graph.weigh(['note', 'round', '7', 'part']),
          unread: graph.unread(),
        }))
      const seen: { place: number; answer: unknown }[] = []
      for (let i = 0; i < 2300; ) {
        const end = [255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2300].find((last) => last > i) ?? i
        clock.set(new Date(Date.parse('2025-01-01T00:00:00.000Z') + i * 60_000).toISOString())
        await store.append(
          'g',
          Array.from({ length: end - i }, (_, j) => note(i + j)),
          at,
        )
        seen.push({ place: end, answer: await counted('g') })
        i = end
      }
      for (const { place, answer } of seen) expect(await counted('g', { place })).toEqual(answer)
      for (const i of [3, 255, 1023, 1500])
        await store.erase('g', { memoryId: (await exported(store, 'g'))[i]?.memoryId ?? '' }, CERTAIN)
      const left = await exported(store, 'g')
      for (const cut of [250, 1020, 2000]) {
        await store.importGraph('cut', inPages(left.slice(0, cut)), at)
        const place = left[cut - 1]?.place ?? 0
        expect(await counted('g', { place })).toEqual(await counted('cut'))
        await store.erase('cut', { everything: true }, CERTAIN)
      }
    }, 120_000)

    test('a time is the last event that was recorded by then', async () => {
      const { store, clock } = bench
      clock.set('2025-03-01T10:00:00.000Z')
      await record(store, 'g', event('skill:a', 'first'))
      clock.set('2025-03-02T10:00:00.000Z')
      await record(store, 'g', event('skill:b', 'second', extending('skill:a')))
      const types = (time: string) =>
        store.readAt('g', { asOf: { time } }, async (graph) => graph.contextsOfType('skill', ALL).total)
      expect(await types('2025-03-01T10:00:01.000Z')).toBe(1)
      expect(await types('2025-03-02T10:00:00.999Z')).toBe(1)
      expect(await types('2025-03-02T10:00:01.000Z')).toBe(2)
      expect(await types('2999-01-01T00:00:00.000Z')).toBe(2)
    })

    test('before the first event there was no graph', async () => {
      const { store } = bench
      await record(store, 'g', event('skill:a', 'first'))
      for (const asOf of [{ place: 0 }, { time: '2024-12-31T23:59:59.999Z' }]) {
        const refused = { code: 'graph_not_found' }
        await expect(
          store.readAt('g', { asOf }, async (graph) => graph.contextTypes(ALL)),
        ).rejects.toMatchObject(refused)
        await expect(store.exportGraph('g', { asOf })).rejects.toMatchObject(refused)
      }
      await expect(store.readAt('none', { asOf: { place: 9 } }, async () => 1)).rejects.toMatchObject({
        code: 'graph_not_found',
      })
    })

    test('a memory is as it was before it was stated again, with another time and another link', async () => {
      const { store } = bench
      const said = (occurredAt: string, target: string) =>
        record(store, 'g', event('skill:a', 'first', { occurredAt, ...extending(target) }))
      const { memoryId } = await said('2025-01-01T08:00:00.000Z', 'skill:b')
      const before = await ask(store, 'g').memory(memoryId)
      await said('2025-02-02T08:00:00.000Z', 'skill:c')
      const then = await store.readAt('g', { asOf: { place: 1 } }, async (graph) => graph.memory(memoryId))
      expect(then).toEqual(before)
      expect(await ask(store, 'g').memory(memoryId)).toMatchObject({
        occurredAt: '2025-02-02T08:00:00.000Z',
        timesSeen: 2,
      })
    })

    test('an end that was said later was not known before, also when it was said with what the memory was late for', async () => {
      const { store } = bench
      const { memoryId: other } = await record(store, 'g', event('skill:a', 'the cache holds ten entries'))
      const { memoryId } = await record(store, 'g', event('skill:a', 'first'))
      const past = { validFrom: '2024-12-30T12:00:00.000Z', validUntil: '2024-12-31T12:00:00.000Z' }
      await record(store, 'g', event('skill:a', 'first', { ...past, ...contradicts(other) }))
      const status = (place: number) =>
        store.readAt('g', { asOf: { place } }, async (graph) => graph.memory(memoryId).trust.status)
      expect([await status(2), await status(3)]).toEqual(['current', 'expired'])
    })
  })

  describe('as of a moment, by meaning', () => {
    const bench = useStore(open, () => WordMeaning.create())

    test('the nearest are those of then', async () => {
      const { store } = bench
      const vector = vectorOf('the first thing')
      const nearest = (asOf?: AsOf) =>
        store.readAt('g', { asOf }, async (graph) =>
          graph.nearest({ vector, limit: 3 }).map(({ text }) => text),
        )
      const seen: string[][] = []
      for (let i = 0; i < 6; i++) {
        await record(store, 'g', event('skill:a', `thing ${i}`))
        await store.caughtUp('g')
        seen.push([...(await nearest())])
      }
      for (const [i, texts] of seen.entries()) expect(await nearest({ place: i + 1 })).toEqual(texts)
    })
  })
}
