import { expect, test } from 'vitest'
import { Lru } from '../../src/domain/lru.js'

test('of more entries than it holds, those that were used last are kept', () => {
  const entries = new Lru<string, number>(2)
  entries.set('a', 1)
  entries.set('b', 2)
  expect(entries.get('a')).toBe(1)
  entries.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => entries.get(key))).toEqual([1, undefined, 3])
  expect(entries.size).toBe(2)
})

test('an entry that is set again has its new value and counts once', () => {
  const entries = new Lru<string, number>(2)
  for (const value of [1, 2, 3]) entries.set('a', value)
  expect([entries.get('a'), entries.size]).toEqual([3, 1])
  entries.delete('a')
  expect([entries.get('a'), entries.size]).toEqual([undefined, 0])
})
