import { describe, expect, test } from 'vitest'
import { LINK_KINDS } from '../../../src/domain/model.js'
import { NEARBY } from '../../../src/graph/reader.js'
import { ask, at, event, extending, type OpenBench, record } from '../support.js'
import { useStore } from './bench.js'

export function linksContract(open: OpenBench): void {
  describe('relationships', () => {
    const bench = useStore(open)

    test('shows a link from both ends', async () => {
      await record(bench.store, 'g', event('skill:a', 'x', extending('skill:b')))
      const link = {
        kind: 'extension',
        weight: 1,
        firstSeen: '2025-01-01T00:00:01.000Z',
        lastSeen: '2025-01-01T00:00:01.000Z',
      }
      expect(await ask(bench.store, 'g').relationships('skill:a', {})).toEqual([
        { ...link, direction: 'outgoing', contextId: 'skill:b' },
      ])
      expect(await ask(bench.store, 'g').relationships('skill:b', {})).toEqual([
        { ...link, direction: 'incoming', contextId: 'skill:a' },
      ])
    })

    test('a memory that is stated again with other links has them all, each once and with the weight of one memory', async () => {
      const many = (from: number) => Array.from({ length: 100 }, (_, i) => `topic:${from + i}`)
      const stated = [0, 50, 100, 150, 0].map((from) => event('skill:a', 'x', extending(...many(from))))
      await bench.store.append('g', stated, at)
      const [again] = await bench.store.append('g', [event('skill:a', 'x', extending(...many(170)))], at)
      const { links } = await ask(bench.store, 'g').memory(again?.memoryId ?? '')
      expect(links.map(({ target }) => target)).toEqual(Array.from({ length: 270 }, (_, i) => `topic:${i}`))
      const relationships = await ask(bench.store, 'g').relationships('skill:a', {})
      expect(relationships).toHaveLength(270)
      expect(new Set(relationships.map(({ weight }) => weight))).toEqual(new Set([1]))
    })

    test('counts a link to a memory as a link to its context', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:b', 'x'))
      await record(bench.store, 'g', event('skill:a', 'y', extending(memoryId, 'skill:b')))
      expect(await ask(bench.store, 'g').relationships('skill:a', {})).toMatchObject([
        { contextId: 'skill:b', weight: 1 },
      ])
    })

    test('weighs a link by the memories that state it, and says when it was first and last stated', async () => {
      for (const text of ['v', 'w', 'x', 'y', 'z', 'x'])
        await record(bench.store, 'g', event('skill:a', text, extending('skill:b')))
      const link = {
        weight: 5,
        firstSeen: '2025-01-01T00:00:01.000Z',
        lastSeen: '2025-01-01T00:00:06.000Z',
      }
      expect(await ask(bench.store, 'g').relationships('skill:b', {})).toMatchObject([link])
      expect(await ask(bench.store, 'g').relationships('skill:a', {})).toMatchObject([link])
    })

    test('orders by direction, kind, then the id of the other end', async () => {
      const targets = ['skill:c', 'skill:b', 'api:z']
      await bench.store.append(
        'g',
        [
          event('skill:a', 'x', {
            links: [...LINK_KINDS].reverse().flatMap((kind) => targets.map((target) => ({ kind, target }))),
          }),
          event('skill:b', 'y', extending('skill:a')),
        ],
        at,
      )
      const all = await ask(bench.store, 'g').relationships('skill:a', {})
      expect(all.map(({ direction, kind, contextId }) => `${direction} ${kind} ${contextId}`)).toEqual([
        ...LINK_KINDS.flatMap((kind) => [...targets].sort().map((target) => `outgoing ${kind} ${target}`)),
        'incoming extension skill:b',
      ])
      const some = await ask(bench.store, 'g').relationships('skill:a', {
        kind: 'extension',
        direction: 'outgoing',
      })
      expect(some).toEqual(
        all.filter(({ kind, direction }) => kind === 'extension' && direction === 'outgoing'),
      )
      expect(await ask(bench.store, 'g').relationships('skill:a', { direction: 'incoming' })).toHaveLength(1)
      expect(await ask(bench.store, 'g').relationships('skill:a', { kind: 'reinforcement' })).toHaveLength(3)
    })

    test('shows a link of a context to itself once in each direction', async () => {
      await record(bench.store, 'g', event('skill:a', 'x', extending('skill:a')))
      expect(await ask(bench.store, 'g').relationships('skill:a', {})).toMatchObject([
        { direction: 'outgoing', contextId: 'skill:a', weight: 1 },
        { direction: 'incoming', contextId: 'skill:a', weight: 1 },
      ])
    })
  })

  describe('neighbours', () => {
    const bench = useStore(open)

    const near = async (id: string) =>
      (await ask(bench.store, 'g').neighbours([id])).map(({ memoryId }) => memoryId)

    test('gives what links to a memory or to its context, in order of recording, each once', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'the port is 80'))
      const says = async (kind: (typeof LINK_KINDS)[number], target: string, context: string) => {
        const links = [
          { kind, target },
          { kind, target: 'skill:a' },
        ]
        return (await record(bench.store, 'g', event(context, 'a word on it', { links }))).memoryId
      }
      const speakers = [
        await says('reinforcement', 'skill:a', 'skill:b'),
        await says('extension', memoryId, 'skill:c'),
        await says('contradiction', memoryId, 'skill:d'),
        await says('related-to', 'skill:a', 'skill:e'),
      ]
      await record(bench.store, 'g', event('skill:far', 'something else'))
      expect(await near(memoryId)).toEqual(speakers)
    })

    test('gives the memories of the contexts that its context links to', async () => {
      const target = await record(bench.store, 'g', event('skill:b', 'x'))
      const links = [{ kind: 'extension', target: 'skill:b' } as const]
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'y', { links }))
      expect(await near(memoryId)).toEqual([target.memoryId])
    })

    test('gives two before and two after it in its context, and the latest two', async () => {
      const ids: string[] = []
      for (let i = 0; i < 12; i++)
        ids.push((await record(bench.store, 'g', event('skill:a', `number ${i}`))).memoryId)
      expect(await near(ids[4] ?? '')).toEqual([2, 3, 5, 6, 10, 11].map((i) => ids[i]))
    })

    test('gives few of a hub, however many link to it', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:hub', 'x'))
      for (let i = 0; i < 40; i++) {
        const links = [{ kind: 'related-to', target: 'skill:hub' } as const]
        await record(bench.store, 'g', event(`skill:spoke_${i}`, `number ${i}`, { links }))
      }
      expect((await near(memoryId)).length).toBeLessThanOrEqual(8 * NEARBY)
    })

    test('rejects a memory that the graph does not hold', async () => {
      await record(bench.store, 'g', event('skill:a', 'x'))
      await expect(
        ask(bench.store, 'g').neighbours(['mem_00000000000000000000000000']),
      ).rejects.toMatchObject({
        code: 'memory_not_found',
      })
    })
  })
}
