import { describe, expect, test } from 'vitest'
import type { Key } from '../../../src/domain/keys.js'
import { FIRST, type OpenBench } from '../support.js'
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
      expiresAt: '2025-02-01T00:00:00.000Z',
    })

    test('C10: are found by the hash of their secret, also after a restart', async () => {
      await bench.store.keys.add(keyOf(1), hash('1'))
      await bench.store.keys.add(limited, hash('2'))
      for await (const store of bench.nowAndReopened()) {
        expect(await store.keys.find(hash('1'))).toEqual(keyOf(1))
        expect(await store.keys.find(hash('2'))).toEqual(limited)
        expect(await store.keys.find(hash('3'))).toBeUndefined()
        expect(await store.keys.get(limited.keyId)).toEqual(limited)
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
      await bench.store.keys.remove(limited.keyId)
      for await (const store of bench.nowAndReopened()) {
        expect(await store.keys.find(hash('2'))).toBeUndefined()
        await expect(store.keys.get(limited.keyId)).rejects.toMatchObject({ code: 'key_not_found' })
        await expect(store.keys.remove(limited.keyId)).rejects.toMatchObject({ code: 'key_not_found' })
        expect((await store.keys.list(undefined, FIRST)).items).toEqual([keyOf(1)])
      }
    })

    test('many that are made and removed at once are all made and removed', async () => {
      const keys = Array.from({ length: 8 }, (_, i) => keyOf(i + 1))
      await Promise.all(keys.map((key, i) => bench.store.keys.add(key, hash(`${i}`))))
      await Promise.all(keys.slice(0, 4).map(({ keyId }) => bench.store.keys.remove(keyId)))
      const store = await bench.reopen()
      expect((await store.keys.list(undefined, FIRST)).total).toBe(4)
    })
  })
}
