import { describe, expect, test } from 'vitest'
import { inverseDocumentFrequency } from '../../../src/domain/search/bm25.js'
import type { Retrieval } from '../../../src/domain/search/knowledge.js'
import { ask, at, event, type OpenBench } from '../support.js'
import { useStore } from './bench.js'

export function retrieveContract(open: OpenBench): void {
  describe('retrieve', () => {
    const bench = useStore(open)
    const fill = () =>
      bench.store.append(
        'g',
        [
          event('skill:caching', 'the cache holds entries for an hour', {
            occurredAt: '2030-01-01T00:00:00.000Z',
          }),
          event('tool:redis', 'redis is the cache, and the cache is fast'),
          event('skill:naming', 'names are short'),
          event('tool:redis', 'a second line about names'),
        ],
        at,
      )
    const ids = async (retrieval: Retrieval) =>
      (await ask(bench.store, 'g').retrieve(retrieval)).found.map(({ memory }) => memory.text)

    test('gives memories that share a stem, best first, with what matched', async () => {
      await fill()
      const { found, memoryCount, newestAt, idf } = await ask(bench.store, 'g').retrieve({
        terms: ['cach', 'redi', 'zebra'],
        limit: 10,
      })
      expect(found.map(({ memory, matched }) => [memory.text, matched])).toEqual([
        ['redis is the cache, and the cache is fast', ['cach', 'redi']],
        ['the cache holds entries for an hour', ['cach']],
        ['a second line about names', ['redi']],
      ])
      expect(found.every(({ bm25 }, i) => bm25 <= (found[i - 1]?.bm25 ?? Number.POSITIVE_INFINITY))).toBe(
        true,
      )
      expect(memoryCount).toBe(4)
      // What is dated in the future is no newer than the moment at which it was told.
      expect(newestAt).toBe('2025-01-01T00:00:04.000Z')
      expect([...idf]).toEqual([
        ['cach', inverseDocumentFrequency(4, 2)],
        ['redi', inverseDocumentFrequency(4, 2)],
        ['zebra', inverseDocumentFrequency(4, 0)],
      ])
    })

    test('keeps to the scope: a union of types and contexts', async () => {
      await fill()
      const terms = ['cach', 'name']
      expect(await ids({ terms, limit: 10, scope: { types: ['tool'], contextIds: [] } })).toHaveLength(2)
      expect(
        await ids({ terms, limit: 10, scope: { types: ['tool'], contextIds: ['skill:naming'] } }),
      ).toHaveLength(3)
      expect(await ids({ terms, limit: 10, scope: { types: ['none'], contextIds: ['no:where'] } })).toEqual(
        [],
      )
      expect(await ids({ terms, limit: 10, scope: { types: [], contextIds: [] } })).toEqual([])
    })

    test('says how long a memory is on average, in stems, with those of its context', async () => {
      await bench.store.append(
        'g',
        [event('skill:caching', 'the cache holds entries'), event('tool:redis', 'redis')],
        at,
      )
      const { averageLength } = await ask(bench.store, 'g').retrieve({ terms: [], limit: 1 })
      // cach hold entri + cach + skill, and redi + redi + tool
      expect(averageLength).toBe((5 + 3) / 2)
    })

    test('weighs terms as it does those of a query, unknown ones included', async () => {
      await fill()
      const terms = ['cach', 'name', 'zebra', '__proto__']
      const weights = await ask(bench.store, 'g').weigh(terms)
      expect([...weights]).toEqual([
        ['cach', inverseDocumentFrequency(4, 2)],
        ['name', inverseDocumentFrequency(4, 2)],
        ['zebra', inverseDocumentFrequency(4, 0)],
        ['__proto__', inverseDocumentFrequency(4, 0)],
      ])
      expect(weights).toEqual((await ask(bench.store, 'g').retrieve({ terms, limit: 1 })).idf)
      expect((await ask(bench.store, 'g').weigh([])).size).toBe(0)
    })

    test('gives the latest of a scope, by order of recording, at most as many as asked for', async () => {
      await fill()
      const latest = async (types: string[], contextIds: string[], limit: number) =>
        (await ask(bench.store, 'g').latest({ types, contextIds }, limit)).map(({ text }) => text)
      expect(await latest(['tool'], [], 10)).toEqual([
        'a second line about names',
        'redis is the cache, and the cache is fast',
      ])
      expect(await latest(['skill'], [], 1)).toEqual(['names are short'])
      expect(await latest(['tool'], ['skill:caching'], 10)).toEqual([
        'a second line about names',
        'redis is the cache, and the cache is fast',
        'the cache holds entries for an hour',
      ])
      expect(await latest([], [], 10)).toEqual([])
      expect(await latest(['none'], ['no:where'], 10)).toEqual([])
    })

    test('graph_not_found: weighing and the latest of a graph that does not exist', async () => {
      const missing = { code: 'graph_not_found' }
      await expect(ask(bench.store, 'none').weigh(['x'])).rejects.toMatchObject(missing)
      await expect(ask(bench.store, 'none').latest({ types: [], contextIds: [] }, 1)).rejects.toMatchObject(
        missing,
      )
    })

    test('finds nothing for no terms', async () => {
      await fill()
      expect(await ids({ terms: [], limit: 10 })).toEqual([])
    })
  })
}
