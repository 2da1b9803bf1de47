import { describe, expect, test } from 'vitest'
import { ask, at, event, FIRST, type OpenBench } from '../support.js'
import { useStore } from './bench.js'

export function concurrencyContract(open: OpenBench): void {
  describe('many writers at once', () => {
    const bench = useStore(open)

    test('keeps every event, and each append whole and in order', async () => {
      const appends = Array.from({ length: 50 }, (_, i) =>
        bench.store.append('g', [event('skill:a', `${i} first`), event('skill:a', `${i} second`)], at),
      )
      await Promise.all(appends)
      const { items, total } = await ask(bench.store, 'g').contextMemories('skill:a', FIRST)
      expect(total).toBe(100)
      const texts = items.map(({ text }) => text).reverse()
      for (let i = 0; i < 50; i++) expect(texts.indexOf(`${i} second`)).toBe(texts.indexOf(`${i} first`) + 1)
    })

    test('records one event that many send as one', async () => {
      const receipts = (
        await Promise.all(
          Array.from({ length: 30 }, () => bench.store.append('g', [event('skill:a', 'same')], at)),
        )
      ).flat()
      expect(new Set(receipts.map(({ memoryId }) => memoryId)).size).toBe(1)
      expect(receipts.filter(({ status }) => status === 'recorded')).toHaveLength(1)
      expect((await ask(bench.store, 'g').contextMemories('skill:a', FIRST)).items).toMatchObject([
        { timesSeen: 30 },
      ])
    })

    test('rejects the bad one among many, and only that', async () => {
      const links = [{ kind: 'extension', target: 'mem_00000000000000000000000000' }] as const
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          bench.store.append('g', [event('skill:a', `${i}`, i === 7 ? { links } : {})], at),
        ),
      )
      expect(results.map(({ status }) => status)).toEqual(
        Array.from({ length: 20 }, (_, i) => (i === 7 ? 'rejected' : 'fulfilled')),
      )
      expect(await ask(bench.store, 'g').context('skill:a')).toMatchObject({ memoryCount: 19 })
    })

    test('keeps graphs apart', async () => {
      const graphs = ['a', 'A', 'b', 'a.b', 'a-b']
      await Promise.all(graphs.map((graph) => bench.store.append(graph, [event('skill:a', graph)], at)))
      const store = await bench.reopen()
      for (const graph of graphs)
        expect((await ask(store, graph).contextMemories('skill:a', FIRST)).items).toMatchObject([
          { text: graph },
        ])
    })
  })
}
