import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FairQueue } from '../../../src/http/load/fair-queue.js'

/** A queue, and the names of those who have had their turn; the first letter of a name is its key. */
function lineOf(...names: string[]) {
  const queue = new FairQueue()
  const begun: string[] = []
  const join = (name: string) => void queue.wait(name[0] ?? '').then(() => begun.push(name))
  for (const name of names) join(name)
  return { queue, begun, join }
}

test('each key has its turn, and within a key who came first', async () => {
  const { queue, begun } = lineOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2')
  expect(queue.length).toBe(6)
  while (queue.next()) await turn()
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  expect([queue.length, queue.next()]).toEqual([0, false])
})

test('who comes while others wait is behind each of them once, however many they have', async () => {
  const { queue, begun, join } = lineOf(...Array.from({ length: 1000 }, (_, i) => `a${i}`))
  queue.next()
  join('b0')
  queue.next()
  queue.next()
  await turn()
  expect(begun).toEqual(['a0', 'a1', 'b0'])
})

test('a key that may not begin is passed over and keeps its place', async () => {
  const { queue, begun } = lineOf('a1', 'a2', 'b1', 'c1')
  expect(queue.next((key) => key !== 'a')).toBe(true)
  expect(queue.next(() => false)).toBe(false)
  expect([queue.length, queue.lengthOf('a'), queue.lengthOf('b')]).toEqual([3, 2, 0])
  while (queue.next()) await turn()
  expect(begun).toEqual(['b1', 'a1', 'c1', 'a2'])
})

test('what is to be expected grows with the own line, the number of keys and the time that each turn took', async () => {
  const { queue } = lineOf(...Array.from({ length: 300 }, (_, i) => `a${i}`))
  const began = performance.now()
  expect(queue.expected('b')).toEqual({ ms: 0, since: Number.POSITIVE_INFINITY })
  for (let i = 0; i < 150; i++) {
    const until = performance.now() + 1
    while (performance.now() < until);
    queue.next()
  }
  const alone = queue.expected('a')
  expect(alone.ms).toBeGreaterThan(100)
  expect(alone.since).toBeLessThanOrEqual(began)
  void queue.wait('b')
  expect(queue.expected('a').ms).toBe(2 * alone.ms)
  expect(queue.expected('b').ms).toBeCloseTo((2 * alone.ms) / 150, 5)
})
