import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SharedLookup } from '../../../../src/store/postgres/connection/shared-lookup.js'

/** A table that is looked at slowly, and what each look asked for. */
function slowTable(rows: Map<string, number>) {
  const looks: (readonly string[])[] = []
  const lookup = new SharedLookup(async (ids) => {
    looks.push(ids)
    const seen = new Map(rows)
    await turn()
    if (ids.includes('broken')) throw new Error('cannot be looked up')
    return seen
  })
  return { lookup, looks }
}

test('what is asked together is looked up together, each once', async () => {
  const { lookup, looks } = slowTable(new Map([['a', 1]]))
  const found = await Promise.all(['a', 'b', 'a', 'a'].map((id) => lookup.find(id)))
  expect(found).toEqual([1, undefined, 1, 1])
  expect(looks).toEqual([['a', 'b']])
})

test('whoever asks while a look is under way learns what was true after asking', async () => {
  const rows = new Map([['a', 1]])
  const { lookup, looks } = slowTable(rows)
  const before = lookup.find('a')
  await Promise.resolve()
  await Promise.resolve()
  expect(looks).toHaveLength(1)
  rows.delete('a')
  const after = [lookup.find('a'), lookup.find('a')]
  expect(await before).toBe(1)
  expect(await Promise.all(after)).toEqual([undefined, undefined])
  expect(looks).toHaveLength(2)
})

test('a look that fails is told to those who shared it, and the next is made', async () => {
  const { lookup } = slowTable(new Map([['a', 1]]))
  const failed = await Promise.allSettled([lookup.find('broken'), lookup.find('a')])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await lookup.find('a')).toBe(1)
})
