import { expect, test } from 'vitest'
import type { Key } from '../../../src/domain/keys.js'
import { describePostgres } from '../../support/postgres.js'
import { openLog, useLog } from './support.js'

const FIRST = { page: 0, pageSize: 10 }

function keyOf(number: number, more: Partial<Key> = {}): Key {
  const keyId = `key_${String(number).padStart(26, '0')}`
  return { keyId, name: `key ${number}`, scopes: ['read'], createdAt: '2026-01-01T00:00:00.000Z', ...more }
}

describePostgres('keys in PostgreSQL', () => {
  const bench = useLog()

  test('a key is found, listed and removed by every process at once', async () => {
    const other = await openLog(bench.database.url)
    const [one, two] = [keyOf(1, { makers: ['root'] }), keyOf(2, { graphs: ['g'], sources: ['agent'] })]
    await bench.log.keys.add(one, 'hash-1')
    await other.keys.add(two, 'hash-2')
    expect(await other.keys.find('hash-1')).toEqual(one)
    expect(await bench.log.keys.list(undefined, FIRST)).toEqual({ items: [one, two], total: 2, ...FIRST })
    expect(await bench.log.keys.list(['g', 'h'], FIRST)).toMatchObject({ items: [two], total: 1 })
    const child = keyOf(3, { makers: ['root', one.keyId] })
    await bench.log.keys.add(child, 'hash-3')
    expect(await other.keys.remove(one.keyId, (family) => family)).toEqual([one, child])
    for (const hash of ['hash-1', 'hash-3']) expect(await bench.log.keys.find(hash)).toBeUndefined()
    await expect(bench.log.keys.add(child, 'hash-3')).rejects.toMatchObject({ code: 'beyond_own_key' })
    await other.close()
  })
})
