import { describe, expect, test } from 'vitest'
import type { PastEvent } from '../../../src/domain/events/recording.js'
import type { NewMemory } from '../../../src/domain/model.js'
import type { Store } from '../../../src/store/store.js'
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

/** What each statement keeps of itself, and how it is read on. */
export function statementsContract(open: OpenBench): void {
  describe('statements', () => {
    const bench = useStore(open)
    const statusOf = async (store: Store, id: string) => (await ask(store, 'g').memory(id)).trust.status

    describe('places', () => {
      test('every statement has the next one, duplicates too, and a receipt that is given again has the first', async () => {
        const once = { key: 'a'.repeat(64), body: 'b'.repeat(64) }
        const two = [event('skill:a', 'x'), event('skill:a', 'y')]
        const receipts = await bench.store.append('g', two, at, once)
        expect(receipts.map(({ place }) => place)).toEqual([1, 2])
        expect(await record(bench.store, 'g', event('skill:a', 'x'))).toMatchObject({ place: 3 })
        for await (const store of bench.nowAndReopened())
          expect(await store.append('g', two, at, once)).toEqual(receipts)
        expect((await ask(bench.store, 'g').memory(receipts[1]?.memoryId ?? '')).seq).toBe(2)
      })

      test('an erasure moves none, and none is given twice', async () => {
        const gone = await record(bench.store, 'g', event('skill:a', 'gone'))
        const kept = await record(bench.store, 'g', event('skill:a', 'kept'))
        const last = await record(bench.store, 'g', event('skill:b', 'last'))
        for (const { memoryId } of [gone, last]) await bench.store.erase('g', { memoryId }, { dryRun: false })
        for await (const store of bench.nowAndReopened())
          expect(await ask(store, 'g').memory(kept.memoryId)).toMatchObject({ seq: 2 })
        expect(await record(bench.store, 'g', event('skill:b', 'next'))).toMatchObject({ place: 4 })
      })
    })

    describe('valid_until', () => {
      const until = (validUntil: string): Partial<NewMemory> => ({ validUntil })

      test('a claim expires at its moment, though nothing is recorded; no clock sets that back', async () => {
        const { memoryId } = await record(
          bench.store,
          'g',
          event('skill:a', 'x', until('2025-06-01T00:00:00.000Z')),
        )
        expect(await ask(bench.store, 'g').memory(memoryId)).toMatchObject({
          validUntil: '2025-06-01T00:00:00.000Z',
          trust: { status: 'current' },
        })
        bench.clock.set('2025-05-31T23:00:00.000Z')
        for await (const store of bench.nowAndReopened())
          expect(await statusOf(store, memoryId)).toBe('current')
        bench.clock.set('2025-06-01T00:00:00.000Z')
        for await (const store of bench.nowAndReopened())
          expect(await statusOf(store, memoryId)).toBe('expired')
        await record(bench.store, 'g', event('skill:b', 'after that moment'))
        bench.clock.set('2025-05-31T23:00:00.000Z')
        for await (const store of bench.nowAndReopened())
          expect(await statusOf(store, memoryId)).toBe('expired')
        const { trust } = await ask(bench.store, 'g').memory(memoryId)
        expect(trust.confidence).toBe(0.6)
      })

      test('the latest statement counts, also when it says nothing of it', async () => {
        const { memoryId } = await record(
          bench.store,
          'g',
          event('skill:a', 'x', until('2025-02-01T00:00:00.000Z')),
        )
        bench.clock.set('2025-03-01T00:00:00.000Z')
        await record(bench.store, 'g', event('skill:a', 'x', until('2025-04-01T00:00:00.000Z')))
        expect(await statusOf(bench.store, memoryId)).toBe('current')
        bench.clock.set('2025-05-01T00:00:00.000Z')
        await record(bench.store, 'g', event('skill:b', 'later'))
        expect(await statusOf(bench.store, memoryId)).toBe('expired')
        await record(bench.store, 'g', event('skill:a', 'x'))
        for await (const store of bench.nowAndReopened()) {
          expect(await statusOf(store, memoryId)).toBe('current')
          expect(await ask(store, 'g').memory(memoryId)).not.toHaveProperty('validUntil')
          expect((await exported(store, 'g')).map(({ validUntil }) => validUntil)).toEqual([
            '2025-02-01T00:00:00.000Z',
            '2025-04-01T00:00:00.000Z',
            undefined,
            undefined,
          ])
        }
      })

      test('within one append, the last of several statements counts', async () => {
        const [first] = await bench.store.append(
          'g',
          [
            event('skill:a', 'x'),
            event('skill:a', 'x', until('2025-01-01T00:00:01.000Z')),
            event('skill:b', 'y', until('2025-01-01T00:00:01.000Z')),
            event('skill:b', 'y'),
          ],
          at,
        )
        const { items } = await ask(bench.store, 'g').contextMemories('skill:b', { page: 0, pageSize: 1 })
        expect(await statusOf(bench.store, first?.memoryId ?? '')).toBe('expired')
        expect(items[0]?.trust.status).toBe('current')
      })

      test('what ended by itself has expired, whatever was recorded since; what is built on it is not stale', async () => {
        const soon = until('2025-01-02T00:00:00.000Z')
        const base = await record(bench.store, 'g', event('skill:a', 'the base'))
        const gone = await record(bench.store, 'g', event('skill:b', 'was replaced', soon))
        const built = await record(
          bench.store,
          'g',
          event('skill:c', 'built', { ...soon, ...extending(base.memoryId) }),
        )
        const onIt = await record(bench.store, 'g', event('skill:d', 'on it', extending(built.memoryId)))
        const alone = await record(bench.store, 'g', event('skill:e', 'alone', soon))
        const builder = await record(bench.store, 'g', event('skill:f', 'builder', extending(alone.memoryId)))
        bench.clock.set('2025-02-01T00:00:00.000Z')
        await record(bench.store, 'g', event('skill:a', 'anew', contradicts(base.memoryId, gone.memoryId)))
        for await (const store of bench.nowAndReopened()) {
          expect(await statusOf(store, gone.memoryId)).toBe('expired')
          expect(await statusOf(store, built.memoryId)).toBe('expired')
          expect(await statusOf(store, onIt.memoryId)).toBe('stale')
          expect(await statusOf(store, alone.memoryId)).toBe('expired')
          // What builds on something that has expired is not stale.
          expect(await statusOf(store, builder.memoryId)).toBe('current')
        }
      })

      test('what has expired stays so after an import, and after an erasure of what came later', async () => {
        const { memoryId } = await record(
          bench.store,
          'g',
          event('skill:a', 'x', until('2025-02-01T00:00:00.000Z')),
        )
        bench.clock.set('2025-03-01T00:00:00.000Z')
        const later = await record(bench.store, 'g', event('skill:b', 'later'))
        expect(await statusOf(bench.store, memoryId)).toBe('expired')
        await bench.store.importGraph('copy', inPages(await exported(bench.store, 'g')), at)
        expect(await everything(bench.store, 'copy')).toEqual(await everything(bench.store, 'g'))
        await bench.store.erase('g', { memoryId: later.memoryId }, { dryRun: false })
        for await (const store of bench.nowAndReopened())
          expect(await statusOf(store, memoryId)).toBe('expired')
      })
    })

    describe('recorded_by', () => {
      test('each statement keeps its own; the memory has that of the first; erasure and import keep them', async () => {
        const by = (recordedBy: string): Partial<NewMemory> => ({ recordedBy })
        const one = await record(bench.store, 'g', event('skill:a', 'x', by('root')))
        await record(bench.store, 'g', event('skill:a', 'x', by('key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q')))
        const two = await record(
          bench.store,
          'g',
          event('skill:a', 'y', by('key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q')),
        )
        const none = await record(bench.store, 'g', event('skill:a', 'z'))
        const other = await record(bench.store, 'g', event('skill:b', 'w', by('root')))
        await bench.store.erase('g', { memoryId: other.memoryId }, { dryRun: false })
        await bench.store.importGraph('copy', inPages(await exported(bench.store, 'g')), at)
        for await (const store of bench.nowAndReopened())
          for (const graph of ['g', 'copy']) {
            const recorder = async (id: string) => (await ask(store, graph).memory(id)).recordedBy
            expect(await recorder(one.memoryId)).toBe('root')
            expect(await recorder(two.memoryId)).toBe('key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q')
            expect(await ask(store, graph).memory(none.memoryId)).not.toHaveProperty('recordedBy')
            expect((await exported(store, graph)).map(({ recordedBy }) => recordedBy)).toEqual([
              'root',
              'key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q',
              'key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q',
              undefined,
            ])
          }
      })
    })

    describe('after a place', () => {
      const placesOf = async (events: AsyncIterable<readonly PastEvent[]>) => {
        const places: (number | undefined)[] = []
        for await (const some of events) places.push(...some.map(({ place }) => place))
        return places
      }
      const both = async (store: Store, after: number) => {
        const places = await placesOf((await store.exportGraph('g', { after })).events)
        expect(await placesOf(store.statements('g', after))).toEqual(places)
        return places
      }

      test('the statements that come after it, whatever was erased before', async () => {
        const ids: string[] = []
        for (let i = 0; i < 8; i++)
          ids.push((await record(bench.store, 'g', event('skill:a', `x${i % 6}`))).memoryId)
        for await (const store of bench.nowAndReopened())
          for (const after of [0, 1, 5, 7, 8, 99])
            expect(await both(store, after)).toEqual(
              [1, 2, 3, 4, 5, 6, 7, 8].filter((place) => place > after),
            )
        for (const i of [0, 3]) await bench.store.erase('g', { memoryId: ids[i] ?? '' }, { dryRun: false })
        await record(bench.store, 'g', event('skill:a', 'new'))
        for await (const store of bench.nowAndReopened())
          for (const after of [0, 1, 2, 3, 4, 6, 7, 8, 9])
            expect(await both(store, after)).toEqual([2, 3, 5, 6, 8, 9].filter((place) => place > after))
      })

      test('an import keeps them, and what is recorded there goes on', async () => {
        for (let i = 0; i < 4; i++) await record(bench.store, 'from', event('skill:a', `x${i}`))
        const events = (await exported(bench.store, 'from')).slice(2)
        await bench.store.importGraph('g', inPages(events), at)
        await record(bench.store, 'g', event('skill:a', 'more'))
        for await (const store of bench.nowAndReopened())
          for (const after of [0, 2, 3, 4])
            expect(await both(store, after)).toEqual([3, 4, 5].filter((it) => it > after))
      })

      test('graph_not_found', async () => {
        const missing = { code: 'graph_not_found' }
        await expect(bench.store.exportGraph('none', { after: 1 })).rejects.toMatchObject(missing)
        await expect(placesOf(bench.store.statements('none', 0))).rejects.toMatchObject(missing)
        await expect(bench.store.follow('none')).rejects.toMatchObject(missing)
      })
    })

    describe('following', () => {
      test('what is recorded wakes at once; nothing is nothing', async () => {
        await record(bench.store, 'g', event('skill:a', 'x'))
        const following = await bench.store.follow('g')
        expect(following.lastPlace).toBe(1)
        expect(await following.news(20)).toEqual({ erased: [], isChanged: false, isOver: false })
        const news = following.news(20_000)
        await record(bench.store, 'g', event('skill:a', 'y'))
        expect(await news).toEqual({ erased: [], isChanged: true, isOver: false })
        await record(bench.store, 'other', event('skill:a', 'z'))
        expect(await following.news(20)).toMatchObject({ isChanged: false })
        following.close()
        expect(await following.news(20_000)).toMatchObject({ isOver: true })
      })

      test('every statement of what is erased, at its place', async () => {
        const { memoryId } = await record(bench.store, 'g', event('skill:a', 'x'))
        await record(bench.store, 'g', event('skill:b', 'y'))
        await record(bench.store, 'g', event('skill:a', 'x'))
        const following = await bench.store.follow('g')
        await bench.store.erase('g', { memoryId }, { dryRun: true })
        expect((await following.news(20)).erased).toEqual([])
        await bench.store.erase('g', { contextId: 'skill:a' }, { dryRun: false })
        await expect
          .poll(async () => (await following.news(100)).erased)
          .toEqual([
            { place: 1, memoryId },
            { place: 3, memoryId },
          ])
        following.close()
      })

      test('it is over when the graph is deleted, though another of that name comes to be', async () => {
        await record(bench.store, 'g', event('skill:a', 'x'))
        const following = await bench.store.follow('g')
        await bench.store.erase('g', { everything: true }, { dryRun: false })
        await record(bench.store, 'g', event('skill:a', 'x'))
        await expect.poll(async () => (await following.news(100)).isOver).toBe(true)
        following.close()
      })

      test('it is over when the store is closed', async () => {
        await record(bench.store, 'g', event('skill:a', 'x'))
        const following = await bench.store.follow('g')
        const news = following.news(20_000)
        await bench.reopen()
        expect(await news).toMatchObject({ isOver: true })
      })

      test('followers that keep up get every statement once, in order, beside eight writers', async () => {
        await record(bench.store, 'g', event('skill:a', 'first'))
        const read = async () => {
          const following = await bench.store.follow('g')
          const places: number[] = []
          while (places.length < 801) {
            for await (const events of bench.store.statements('g', places.at(-1) ?? 0))
              places.push(...events.map(({ place }) => place ?? 0))
            await following.news(1000)
          }
          following.close()
          return places
        }
        const readers = [read(), read(), read()]
        await Promise.all(
          Array.from({ length: 8 }, async (_, writer) => {
            for (let i = 0; i < 100; i++)
              await record(bench.store, 'g', event(`w:${writer}`, `event ${i % 60}`))
          }),
        )
        const all = Array.from({ length: 801 }, (_, i) => i + 1)
        for (const places of await Promise.all(readers)) expect(places).toEqual(all)
      }, 120_000)
    })
  })
}
