import { describe, expect, test } from 'vitest'
import { parseNameQuery } from '../../../src/domain/names.js'
import type { Page, Paging } from '../../../src/domain/page.js'
import { ask, at, event, FIRST, type OpenBench, record } from '../support.js'
import { useStore } from './bench.js'

export function browseContract(open: OpenBench): void {
  describe('browse', () => {
    const bench = useStore(open)

    test('graph_not_found: every read of a graph that does not exist', async () => {
      await record(bench.store, 'other', event('skill:a', 'x'))
      const { store } = bench
      const reads = [
        ask(store, 'g').contextTypes(FIRST),
        ask(store, 'g').contextsOfType('skill', FIRST),
        ask(store, 'g').searchContexts(parseNameQuery('a'), FIRST),
        ask(store, 'g').context('skill:a'),
        ask(store, 'g').contextMemories('skill:a', FIRST),
        ask(store, 'g').relationships('skill:a', {}),
        ask(store, 'g').memory('mem_00000000000000000000000000'),
        ask(store, 'g').retrieve({ terms: ['a'], limit: 5 }),
        ask(store, 'g').neighbours([]),
      ]
      for (const read of await Promise.allSettled(reads))
        expect(read).toMatchObject({ status: 'rejected', reason: { code: 'graph_not_found' } })
    })

    test('context_not_found, memory_not_found: what the graph does not hold', async () => {
      await record(bench.store, 'g', event('skill:a', 'x'))
      const code = 'context_not_found'
      await expect(ask(bench.store, 'g').context('skill:b')).rejects.toMatchObject({ code })
      await expect(ask(bench.store, 'g').contextMemories('skill:b', FIRST)).rejects.toMatchObject({ code })
      await expect(ask(bench.store, 'g').relationships('skill:b', {})).rejects.toMatchObject({ code })
      await expect(ask(bench.store, 'g').memory('mem_00000000000000000000000000')).rejects.toMatchObject({
        code: 'memory_not_found',
      })
    })

    test('finds the context whose id is the query before all others', async () => {
      for (const id of ['skill:pre_react', 'skill:react', 'a:skill:react', 'skill:react_hooks'])
        await record(bench.store, 'g', event(id, id))
      const found = await ask(bench.store, 'g').searchContexts(parseNameQuery('Skill:React'), FIRST)
      expect(found.items.map(({ contextId }) => contextId)).toEqual([
        'skill:react',
        'a:skill:react',
        'skill:pre_react',
        'skill:react_hooks',
      ])
    })

    test('lists types by name, each with its number of contexts, those of bare link targets included', async () => {
      await bench.store.append(
        'g',
        [
          event('skill:b', 'x', { links: [{ kind: 'extension', target: 'tool:z' }] }),
          event('skill:a', 'x'),
          event('api:c', 'x'),
          event('skill:a', 'y'),
        ],
        at,
      )
      expect(await ask(bench.store, 'g').contextTypes(FIRST)).toEqual({
        items: [
          { contextType: 'api', count: 1 },
          { contextType: 'skill', count: 2 },
          { contextType: 'tool', count: 1 },
        ],
        total: 3,
        ...FIRST,
      })
    })

    test('lists the contexts of a type by code unit of their name', async () => {
      const names = ['b', 'a', 'a_b', 'a-b', 'é', 'z', '😀', 'ﬀ', 'a:b', '10', '9']
      await bench.store.append(
        'g',
        names.map((name) => event(`skill:${name}`, name)),
        at,
      )
      const { items, total } = await ask(bench.store, 'g').contextsOfType('skill', FIRST)
      expect(items.map(({ contextName }) => contextName)).toEqual([...names].sort())
      expect(total).toBe(names.length)
      expect(await ask(bench.store, 'g').contextsOfType('tool', FIRST)).toEqual({
        items: [],
        total: 0,
        ...FIRST,
      })
    })

    test('describes a context: names, number of memories, first and last time', async () => {
      await record(bench.store, 'g', event('skill:a:b', 'x'))
      await record(bench.store, 'g', event('skill:a:b', 'y'))
      expect(await ask(bench.store, 'g').context('skill:a:b')).toEqual({
        contextId: 'skill:a:b',
        contextType: 'skill',
        contextName: 'a:b',
        memoryCount: 2,
        createdAt: '2025-01-01T00:00:01.000Z',
        updatedAt: '2025-01-01T00:00:02.000Z',
      })
    })

    test('gives a bare link target no memories', async () => {
      await record(
        bench.store,
        'g',
        event('skill:a', 'x', { links: [{ kind: 'related-to', target: 'skill:b' }] }),
      )
      expect(await ask(bench.store, 'g').context('skill:b')).toMatchObject({ memoryCount: 0 })
      expect(await ask(bench.store, 'g').contextMemories('skill:b', FIRST)).toMatchObject({
        items: [],
        total: 0,
      })
    })

    test('lists the memories of a context, newest first', async () => {
      const receipts = await bench.store.append(
        'g',
        ['a', 'b', 'c'].map((text) => event('skill:a', text)),
        at,
      )
      const { items } = await ask(bench.store, 'g').contextMemories('skill:a', FIRST)
      expect(items.map(({ memoryId }) => memoryId)).toEqual(
        receipts.map(({ memoryId }) => memoryId).reverse(),
      )
      expect(items.map(({ text }) => text)).toEqual(['c', 'b', 'a'])
    })

    test('cuts every list into pages that join to the whole', async () => {
      const ids = Array.from({ length: 23 }, (_, i) => `t${i % 7}:name ${i}`.replaceAll(' ', '_'))
      await bench.store.append(
        'g',
        [...ids.map((id) => event(id, id)), ...ids.map((id) => event('t0:x', id))],
        at,
      )
      const { store } = bench
      const lists: ((paging: Paging) => Promise<Page<unknown>>)[] = [
        (paging) => ask(store, 'g').contextTypes(paging),
        (paging) => ask(store, 'g').contextsOfType('t0', paging),
        (paging) => ask(store, 'g').searchContexts(parseNameQuery('name'), paging),
        (paging) => ask(store, 'g').contextMemories('t0:x', paging),
      ]
      for (const list of lists) {
        const whole = await list({ page: 0, pageSize: 500 })
        expect(whole.total).toBe(whole.items.length)
        for (const pageSize of [1, 2, 5, whole.total, whole.total + 1]) {
          const joined: unknown[] = []
          for (let page = 0; page * pageSize < whole.total; page++) {
            const cut = await list({ page, pageSize })
            expect(cut).toMatchObject({ total: whole.total, page, pageSize })
            joined.push(...cut.items)
          }
          expect(joined).toEqual(whole.items)
        }
        expect(await list({ page: 1_000_000, pageSize: 500 })).toEqual({
          items: [],
          total: whole.total,
          page: 1_000_000,
          pageSize: 500,
        })
      }
    })
  })
}
