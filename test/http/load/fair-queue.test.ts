import { expect, test } from 'vitest'
import { FairQueue } from '../../../src/http/load/fair-queue.js'

function drained(queue: FairQueue<string>): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

test('each key has its turn, and within a key who came first', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item[0] ?? '', item)
  expect([queue.length, queue.keys, queue.of('a')]).toEqual([6, 3, ['a1', 'a2', 'a3']])
  expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  expect([queue.length, queue.keys, queue.of('a')]).toEqual([0, 0, []])
})

test('who comes while others wait is behind each of them once, however many they have', () => {
  const queue = new FairQueue<string>()
  for (let i = 0; i < 1000; i++) queue.push('a', `a${i}`)
  expect(queue.shift()).toBe('a0')
  queue.push('b', 'b0')
  expect([queue.shift(), queue.shift()]).toEqual(['a1', 'b0'])
})
