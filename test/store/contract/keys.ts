import { describe, expect, test } from 'vitest'
import { type Key, MAX_KEYS_MADE } from '../../../src/domain/keys.js'
import { FIRST, type OpenBench, revoke } from '../support.js'
import { useStore } from './bench.js'

const hash = (digit: string) => digit.repeat(64)

function keyOf(number: number, more: Partial<Key> = {}): Key {
  return {
    keyId: `key_0000000000000000000000000${number}`,
    name: `key ${number}`,
    scopes: ['read'],
    createdAt: `2025-01-0${number}T00:00:00.000Z`,
    ...more,
  }
}

export function keysContract(open: OpenBench): void {
  describe('keys', () => {
    const bench = useStore(open)
    const limited = keyOf(2, {
      scopes: ['read', 'write'],
      graphs: ['a', 'b'],
      sources: ['agent', 'user'],
      makers: ['root', keyOf(1).keyId],
      expiresAt: '2025-02-01T00:00:00.000Z',
    })

    test('C10: are found by the hash of their secret, also after a restart', async () => {
      await bench.store.keys.add(keyOf(1), hash('1'))
      await bench.store.keys.add(limited, hash('2'))
      for await (const store of bench.nowAndReopened()) {
        expect(await store.keys.find(hash('1'))).toEqual(keyOf(1))
        expect(await store.keys.find(hash('2'))).toEqual(limited)
        expect(await store.keys.find(hash('3'))).toBeUndefined()
      }
    })

    test('are listed from the oldest on, a page at a time, without their hashes', async () => {
      const all = [keyOf(1), limited, keyOf(3, { graphs: ['a'] })]
      for (const [i, key] of all.entries()) await bench.store.keys.add(key, hash(`${i}`))
      expect(await bench.store.keys.list(undefined, FIRST)).toEqual({ items: all, total: 3, ...FIRST })
      const paging = { page: 1, pageSize: 2 }
      expect(await bench.store.keys.list(undefined, paging)).toEqual({
        items: all.slice(2),
        total: 3,
        ...paging,
      })
    })

    test('within a reach, only those that reach no other graph', async () => {
      const all = [keyOf(1), limited, keyOf(3, { graphs: ['a'] }), keyOf(4, { graphs: ['c'] })]
      for (const [i, key] of all.entries()) await bench.store.keys.add(key, hash(`${i}`))
      const ids = async (reach: string[]) =>
        (await bench.store.keys.list(reach, FIRST)).items.map(({ name }) => name)
      expect(await ids(['a'])).toEqual(['key 3'])
      expect(await ids(['b', 'a'])).toEqual(['key 2', 'key 3'])
      expect(await ids([])).toEqual([])
    })

    test('a key that was removed is gone at once and for good', async () => {
      await bench.store.keys.add(keyOf(1), hash('1'))
      await bench.store.keys.add(limited, hash('2'))
      await revoke(bench.store, limited.keyId)
      for await (const store of bench.nowAndReopened()) {
        expect(await store.keys.find(hash('2'))).toBeUndefined()
        await expect(revoke(store, limited.keyId)).rejects.toMatchObject({ code: 'key_not_found' })
        expect((await store.keys.list(undefined, FIRST)).items).toEqual([keyOf(1)])
      }
    })

    test('C12: with those made with it, directly or through others, also when it or one between is gone', async () => {
      const { store } = bench
      const [a, b, c] = [keyOf(1).keyId, keyOf(2).keyId, keyOf(3).keyId]
      await store.keys.add(keyOf(1, { makers: ['root'] }), hash('1'))
      await store.keys.add(keyOf(2, { makers: ['root', a] }), hash('2'))
      await store.keys.add(keyOf(3, { makers: ['root', a, b] }), hash('3'))
      await store.keys.add(keyOf(4, { makers: ['root', a, b, c] }), hash('4'))
      await store.keys.add(keyOf(5, { makers: ['root'] }), hash('5'))
      const left = async () => (await store.keys.list(undefined, FIRST)).items.map(({ name }) => name)
      expect((await revoke(store, b)).map(({ name }) => name)).toEqual(['key 2'])
      expect(await left()).toEqual(['key 1', 'key 3', 'key 4', 'key 5'])
      expect((await revoke(store, b, true)).map(({ name }) => name)).toEqual(['key 3', 'key 4'])
      await expect(revoke(store, b, true)).rejects.toMatchObject({ code: 'key_not_found' })
      await revoke(store, a, true)
      expect(await left()).toEqual(['key 5'])
      expect(await store.keys.find(hash('4'))).toBeUndefined()
    })

    test('C12: none is made with a key that is gone, however close the two come', async () => {
      const { store } = bench
      const maker = keyOf(1, { makers: ['root'] })
      for (let round = 0; round < 5; round++) {
        await store.keys.add(maker, hash('1'))
        const children = [2, 3, 4, 5].map((i) => keyOf(i, { makers: ['root', maker.keyId] }))
        const adding = children.map((key, i) => store.keys.add(key, hash(`${i + 2}`)))
        const [, ...outcomes] = await Promise.allSettled([revoke(store, maker.keyId, true), ...adding])
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'beyond_own_key' })
        expect((await store.keys.list(undefined, FIRST)).items).toEqual([])
      }
    })

    test('there are at most so many of those made with one key, directly or through others', async () => {
      const { store } = bench
      const idOf = (i: number) => `key_${String(i).padStart(26, '0')}`
      const many = (i: number, makers: readonly string[]) =>
        store.keys.add({ ...keyOf(1, { makers }), keyId: idOf(i) }, String(i).padStart(64, '0'))
      await many(0, ['root'])
      await many(1, ['root', idOf(0)])
      for (let i = 2; i <= MAX_KEYS_MADE; i += 100)
        await Promise.all(
          Array.from({ length: Math.min(100, MAX_KEYS_MADE + 1 - i) }, (_, j) =>
            many(i + j, ['root', idOf(0), ...(j % 2 === 0 ? [idOf(1)] : [])]),
          ),
        )
      for (const makers of [
        ['root', idOf(0)],
        ['root', idOf(0), idOf(1)],
      ])
        await expect(many(MAX_KEYS_MADE + 1, makers)).rejects.toMatchObject({
          code: 'too_many_keys',
          message: expect.stringContaining('There are 1000 keys made with one key'),
        })
      await many(MAX_KEYS_MADE + 1, ['root'])
      await revoke(store, idOf(2))
      await many(MAX_KEYS_MADE + 2, ['root', idOf(0), idOf(1)])
    })

    test('many that are made and removed at once are all made and removed', async () => {
      const keys = Array.from({ length: 8 }, (_, i) => keyOf(i + 1))
      await Promise.all(keys.map((key, i) => bench.store.keys.add(key, hash(`${i}`))))
      await Promise.all(keys.slice(0, 4).map(({ keyId }) => revoke(bench.store, keyId)))
      const store = await bench.reopen()
      expect((await store.keys.list(undefined, FIRST)).total).toBe(4)
    })
  })
}
