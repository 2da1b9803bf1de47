import { describe, expect, test } from 'vitest'
import { event, FIRST, type OpenBench, record } from '../support.js'
import { useStore } from './bench.js'

export function graphsContract(open: OpenBench): void {
  describe('graphs', () => {
    const bench = useStore(open)

    test('are listed by id, a page at a time, also after a restart', async () => {
      expect(await bench.store.graphs(undefined, FIRST)).toEqual({ items: [], total: 0, ...FIRST })
      for (const graph of ['b', 'B', 'a-1', '_x', 'a'])
        await record(bench.store, graph, event('skill:a', 'x'))
      const all = ['B', '_x', 'a', 'a-1', 'b']
      expect(await bench.store.graphs(undefined, FIRST)).toEqual({ items: all, total: 5, ...FIRST })
      const paging = { page: 1, pageSize: 2 }
      expect(await bench.store.graphs(undefined, paging)).toEqual({
        items: ['a', 'a-1'],
        total: 5,
        ...paging,
      })
      const store = await bench.reopen()
      expect((await store.graphs(undefined, FIRST)).items).toEqual(all)
    })

    test('within a reach, only those that it names and that are there', async () => {
      for (const graph of ['a', 'b', 'c']) await record(bench.store, graph, event('skill:a', 'x'))
      expect(await bench.store.graphs(['c', 'none', 'a', 'a'], FIRST)).toEqual({
        items: ['a', 'c'],
        total: 2,
        ...FIRST,
      })
      expect((await bench.store.graphs([], FIRST)).total).toBe(0)
    })

    test('one whose first event was refused is not among them', async () => {
      const links = [{ kind: 'extension', target: 'mem_00000000000000000000000000' }] as const
      await expect(record(bench.store, 'g', event('skill:a', 'x', { links }))).rejects.toThrow()
      expect((await bench.store.graphs(undefined, FIRST)).total).toBe(0)
    })
  })
}
