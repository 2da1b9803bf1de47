import { describe, expect, test } from 'vitest'
import { MEMORY_ID } from '../../../src/domain/ids.js'
import { ask, at, contradicts, event, everything, FIRST, type OpenBench, record } from '../support.js'
import { useStore } from './bench.js'

export function appendContract(open: OpenBench): void {
  describe('append', () => {
    const bench = useStore(open)

    test('gives one receipt for each event, in order', async () => {
      const receipts = await bench.store.append(
        'g',
        [event('skill:a', 'one', { source: 'validator' }), event('skill:b', 'two')],
        at,
      )
      expect(receipts).toEqual([
        {
          memoryId: expect.stringMatching(MEMORY_ID),
          contextId: 'skill:a',
          status: 'recorded',
          place: 1,
          confidence: 0.9,
          bearsOn: [],
        },
        {
          memoryId: expect.stringMatching(MEMORY_ID),
          contextId: 'skill:b',
          status: 'recorded',
          place: 2,
          confidence: 0.6,
          bearsOn: [],
        },
      ])
    })

    test('keeps what was recorded, word for word', async () => {
      const payload = {
        text: 'naïve ✓ \u0000 "quoted"\n',
        deep: [{ __proto__x: 1, constructor: null }, [true, 1.5e-7]],
      }
      const { memoryId } = await record(
        bench.store,
        'g',
        event('skill:a', '', { payload, eventKind: 'decision', occurredAt: '2020-02-29T12:00:00.000Z' }),
      )
      expect(await ask(bench.store, 'g').memory(memoryId)).toMatchObject({
        memoryId,
        contextId: 'skill:a',
        eventKind: 'decision',
        source: 'agent',
        payload,
        occurredAt: '2020-02-29T12:00:00.000Z',
        timesSeen: 1,
        links: [],
      })
    })

    test('takes names that mean something to the language as data', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const payload = JSON.parse(`{"${name}": "x"}`)
        const { memoryId } = await record(bench.store, name, event(`${name}:${name}`, '', { payload }))
        const memory = await ask(bench.store, name).memory(memoryId)
        expect(JSON.stringify(memory.payload)).toBe(JSON.stringify(payload))
        expect((await ask(bench.store, name).contextsOfType(name, FIRST)).items).toHaveLength(1)
      }
      expect(({} as Record<string, unknown>)['x']).toBeUndefined()
    })

    test('calls the same event a duplicate, and counts the sighting', async () => {
      const first = await record(bench.store, 'g', event('skill:a', '', { payload: { x: 1, y: [2] } }))
      const same = event('skill:a', '', { payload: { y: [2], x: 1 } })
      const again = await record(bench.store, 'g', same)
      expect(again).toEqual({ ...first, status: 'duplicate', place: 2 })
      const another = await record(bench.store, 'g', { ...same, recordedBy: 'key_1' })
      expect(another).toEqual({ ...first, status: 'duplicate', place: 3, confidence: 0.65 })
      expect(await ask(bench.store, 'g').memory(first.memoryId)).toMatchObject({ timesSeen: 3 })
      expect(await ask(bench.store, 'g').context('skill:a')).toMatchObject({ memoryCount: 1 })
    })

    test('tells events apart by context, kind and payload', async () => {
      const same = event('skill:a', 'x')
      const ids = new Set<string>()
      for (const one of [
        same,
        { ...same, contextId: 'skill:b' },
        { ...same, eventKind: 'action' as const },
        event('skill:a', 'y'),
      ])
        ids.add((await record(bench.store, 'g', one)).memoryId)
      expect(ids.size).toBe(4)
      expect((await record(bench.store, 'g', { ...same, source: 'user' })).status).toBe('duplicate')
      expect((await record(bench.store, 'other', same)).status).toBe('recorded')
    })

    test('finds the duplicate within one append', async () => {
      const receipts = await bench.store.append('g', [event('skill:a', 'x'), event('skill:a', 'x')], at)
      expect(receipts.map(({ status }) => status)).toEqual(['recorded', 'duplicate'])
      expect(new Set(receipts.map(({ memoryId }) => memoryId)).size).toBe(1)
    })

    test('adds the links that a duplicate states anew, once', async () => {
      const links = [{ kind: 'extension', target: 'skill:b' }] as const
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'x'))
      await record(bench.store, 'g', event('skill:a', 'x', { links }))
      await record(bench.store, 'g', event('skill:a', 'x', { links }))
      expect((await ask(bench.store, 'g').memory(memoryId)).links).toEqual(links)
      expect(await ask(bench.store, 'g').relationships('skill:a', {})).toMatchObject([{ weight: 1 }])
    })

    test('refuses a link to a memory that the graph does not hold, naming the field, and changes nothing', async () => {
      const target = 'mem_00000000000000000000000000'
      const links = [
        { kind: 'extension', target: 'skill:z' },
        { kind: 'contradiction', target },
      ] as const
      const refused = bench.store.append(
        'g',
        [event('skill:a', 'fine'), event('skill:a', 'not', { links })],
        at,
      )
      await expect(refused).rejects.toMatchObject({
        code: 'unknown_memory',
        errors: [{ path: '/body/events/1/contradicts/0', message: expect.stringContaining(target) }],
      })
      await expect(ask(bench.store, 'g').contextTypes(FIRST)).rejects.toMatchObject({
        code: 'graph_not_found',
      })
      await record(bench.store, 'g', event('skill:a', 'first'))
      const before = await everything(bench.store, 'g')
      await expect(
        bench.store.append('g', [event('skill:q', 'fine'), event('skill:a', 'not', { links })], at),
      ).rejects.toMatchObject({ code: 'unknown_memory' })
      expect(await everything(bench.store, 'g')).toEqual(before)
    })

    test('does not know the memories of other graphs', async () => {
      const { memoryId } = await record(bench.store, 'one', event('skill:a', 'x'))
      const links = [{ kind: 'related-to', target: memoryId }] as const
      await expect(record(bench.store, 'two', event('skill:a', 'y', { links }))).rejects.toMatchObject({
        code: 'unknown_memory',
      })
    })

    test('gives ids and times of recording that only rise, whatever the clock does', async () => {
      const ids: string[] = []
      const times: string[] = []
      for (const [i, time] of ['2025-06-01', '2024-06-01', '2026-06-01', '2025-01-01'].entries()) {
        bench.clock.set(`${time}T00:00:00.000Z`)
        const { memoryId } = await record(bench.store, 'g', event('skill:a', `n${i}`))
        ids.push(memoryId)
        times.push((await ask(bench.store, 'g').memory(memoryId)).recordedAt)
      }
      expect([...ids].sort()).toEqual(ids)
      expect([...times].sort()).toEqual(times)
      expect(new Set(ids).size).toBe(4)
      const newest = (await ask(bench.store, 'g').contextMemories('skill:a', FIRST)).items
      expect(newest.map(({ memoryId }) => memoryId)).toEqual([...ids].reverse())
    })

    test('takes the time of the clock for the time of the event, though it was ahead before', async () => {
      bench.clock.set('2036-01-01T00:00:00.000Z')
      await record(bench.store, 'g', event('skill:a', 'ahead'))
      bench.clock.set('2026-01-01T00:00:00.000Z')
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'right'))
      const { occurredAt, recordedAt } = await ask(bench.store, 'g').memory(memoryId)
      expect([occurredAt.slice(0, 4), recordedAt.slice(0, 4)]).toEqual(['2026', '2036'])
    })

    test.each([
      ['its memory', (memoryId: string) => memoryId],
      ['its context', () => 'skill:a'],
    ])('what contradicts %s takes its place, though the clock has stepped back', async (_, targetOf) => {
      bench.clock.set('2036-01-01T00:00:00.000Z')
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'the rent is 900'))
      bench.clock.set('2026-01-01T00:00:00.000Z')
      const later = event('skill:a', 'the rent is 1000', contradicts(targetOf(memoryId)))
      const receipt = await record(bench.store, 'g', later)
      expect(receipt.bearsOn).toMatchObject([{ memoryId, effect: 'supersedes' }])
      const before = await ask(bench.store, 'g').memory(memoryId)
      expect([before.trust.status, before.trust.supersededBy]).toEqual(['superseded', [receipt.memoryId]])
      const { occurredAt, trust } = await ask(bench.store, 'g').memory(receipt.memoryId)
      expect([occurredAt.slice(0, 4), trust.status]).toEqual(['2026', 'current'])
    })

    test('takes the time of recording for the time of the event when none is given', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'x'))
      const { occurredAt, recordedAt } = await ask(bench.store, 'g').memory(memoryId)
      expect(occurredAt).toBe(recordedAt)
    })

    test('gives the same answers after it was closed and opened', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'the cache holds ten entries'))
      await bench.store.append(
        'g',
        [
          event('skill:b', 'built on it', { links: [{ kind: 'extension', target: 'skill:a' }] }),
          event('skill:a', 'the cache holds ten entries'),
          event('skill:a', 'the cache holds twenty entries', {
            source: 'validator',
            links: [
              { kind: 'contradiction', target: memoryId },
              { kind: 'reinforcement', target: 'fact:size' },
            ],
          }),
        ],
        at,
      )
      const retrieval = { terms: ['cach', 'entri', 'nothing'], limit: 10 }
      const before = await everything(bench.store, 'g')
      const found = await ask(bench.store, 'g').retrieve(retrieval)
      const store = await bench.reopen()
      expect(await everything(store, 'g')).toEqual(before)
      expect(await ask(store, 'g').retrieve(retrieval)).toEqual(found)
      expect((await record(store, 'g', event('skill:b', 'built on it'))).status).toBe('duplicate')
      expect((await record(store, 'g', event('skill:c', 'later'))).memoryId > memoryId).toBe(true)
    })

    test('rejects every call after it was closed', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'x'))
      await bench.store.close()
      await expect(record(bench.store, 'g', event('skill:a', 'y'))).rejects.toThrow()
      await expect(ask(bench.store, 'g').memory(memoryId)).rejects.toThrow()
    })
  })
}
