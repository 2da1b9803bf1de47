import { describe, expect, it } from 'vitest'
import { LINK_KINDS } from '../../../src/domain/model.js'
import { at, event, extending, type OpenBench, record } from '../support.js'
import { useStore } from './bench.js'

export function linksContract(open: OpenBench): void {
  describe('relationships', () => {
    const bench = useStore(open)

    it('shows a link from both ends', async () => {
      await record(bench.store, 'g', event('skill:a', 'x', extending('skill:b')))
      const link = {
        kind: 'extension',
        weight: 1,
        firstSeen: '2025-01-01T00:00:01.000Z',
        lastSeen: '2025-01-01T00:00:01.000Z',
      }
      expect(await bench.store.relationships('g', 'skill:a', {})).toEqual([
        { ...link, direction: 'outgoing', contextId: 'skill:b' },
      ])
      expect(await bench.store.relationships('g', 'skill:b', {})).toEqual([
        { ...link, direction: 'incoming', contextId: 'skill:a' },
      ])
    })

    it('counts a link to a memory as a link to its context', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:b', 'x'))
      await record(bench.store, 'g', event('skill:a', 'y', extending(memoryId, 'skill:b')))
      expect(await bench.store.relationships('g', 'skill:a', {})).toMatchObject([
        { contextId: 'skill:b', weight: 1 },
      ])
    })

    it('weighs a link by the memories that state it, and says when it was first and last stated', async () => {
      await record(bench.store, 'g', event('skill:a', 'x', extending('skill:b')))
      await record(bench.store, 'g', event('skill:a', 'y', extending('skill:b')))
      await record(bench.store, 'g', event('skill:a', 'x', extending('skill:b')))
      expect(await bench.store.relationships('g', 'skill:b', {})).toMatchObject([
        { weight: 2, firstSeen: '2025-01-01T00:00:01.000Z', lastSeen: '2025-01-01T00:00:03.000Z' },
      ])
    })

    it('orders by direction, kind, then the id of the other end', async () => {
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
      const all = await bench.store.relationships('g', 'skill:a', {})
      expect(all.map(({ direction, kind, contextId }) => `${direction} ${kind} ${contextId}`)).toEqual([
        ...LINK_KINDS.flatMap((kind) => [...targets].sort().map((target) => `outgoing ${kind} ${target}`)),
        'incoming extension skill:b',
      ])
      const some = await bench.store.relationships('g', 'skill:a', {
        kind: 'extension',
        direction: 'outgoing',
      })
      expect(some).toEqual(
        all.filter(({ kind, direction }) => kind === 'extension' && direction === 'outgoing'),
      )
      expect(await bench.store.relationships('g', 'skill:a', { direction: 'incoming' })).toHaveLength(1)
      expect(await bench.store.relationships('g', 'skill:a', { kind: 'reinforcement' })).toHaveLength(3)
    })

    it('shows a link of a context to itself once in each direction', async () => {
      await record(bench.store, 'g', event('skill:a', 'x', extending('skill:a')))
      expect(await bench.store.relationships('g', 'skill:a', {})).toMatchObject([
        { direction: 'outgoing', contextId: 'skill:a', weight: 1 },
        { direction: 'incoming', contextId: 'skill:a', weight: 1 },
      ])
    })
  })

  describe('neighbours', () => {
    const bench = useStore(open)

    it('gives what bears on a memory through links to it or to its context, in order of recording', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'the port is 80'))
      const says = async (kind: (typeof LINK_KINDS)[number], target: string, text: string) =>
        (await record(bench.store, 'g', event('skill:b', text, { links: [{ kind, target }] }))).memoryId
      const reinforcing = await says('reinforcement', 'skill:a', 'yes')
      const extension = await says('extension', memoryId, 'more')
      const contradiction = await says('contradiction', memoryId, 'no')
      const related = await says('related-to', 'skill:a', 'see also')
      const found = await bench.store.neighbours('g', [memoryId])
      expect(found.map(({ onto, kind, memory }) => [onto, kind, memory.memoryId])).toEqual([
        [memoryId, 'reinforcement', reinforcing],
        [memoryId, 'extension', extension],
        [memoryId, 'contradiction', contradiction],
        [memoryId, 'related-to', related],
      ])
    })

    it('gives each pair once per kind', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'x'))
      const links = [
        { kind: 'extension', target: memoryId },
        { kind: 'extension', target: 'skill:a' },
        { kind: 'reinforcement', target: memoryId },
        { kind: 'reinforcement', target: 'skill:a' },
      ] as const
      await record(bench.store, 'g', event('skill:b', 'y', { links }))
      const found = await bench.store.neighbours('g', [memoryId])
      expect(found.map(({ kind }) => kind).sort()).toEqual(['extension', 'reinforcement'])
    })

    it('rejects a memory that the graph does not hold', async () => {
      await record(bench.store, 'g', event('skill:a', 'x'))
      await expect(bench.store.neighbours('g', ['mem_00000000000000000000000000'])).rejects.toMatchObject({
        code: 'memory_not_found',
      })
    })
  })
}
