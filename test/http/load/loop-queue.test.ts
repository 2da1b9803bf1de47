import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LoopQueue } from '../../../src/http/load/loop-queue.js'
import { AcceptBurst } from '../../../src/loop/accept-burst.js'

const TURN_MS = 5

function busy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('work that fits into a turn begins at once', async () => {
  const queue = new LoopQueue(new AcceptBurst())
  const waits = [queue.enter('a'), queue.enter('a'), queue.enter('b')]
  expect(waits).toEqual([undefined, undefined, undefined])
})

test('expensive work of one key starts one at a time, and that of another key comes after the next of it', async () => {
  const queue = new LoopQueue(new AcceptBurst())
  const order: string[] = []
  let looked = 0
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      await turn()
      looked++
    }
  })()
  const work = async (key: string) => {
    const waits = queue.enter(key)
    if (waits !== undefined) await waits
    order.push(key)
    busy(2 * TURN_MS)
  }
  const dear = Array.from({ length: 20 }, () => work('a'))
  await turn()
  await Promise.all([...dear, work('b')])
  isOver = true
  await looking
  expect(order.indexOf('b')).toBeLessThan(5)
  // Every one of them in a turn of its own, so that others are seen to in between.
  expect(looked).toBeGreaterThanOrEqual(20)
})

test('while connections come in each key does a little, and a crowd of one key waits, but not for ever', async () => {
  const burst = new AcceptBurst()
  const queue = new LoopQueue(burst)
  const started = performance.now()
  const order: string[] = []
  const work = (key: string) => {
    const serve = () => {
      order.push(key)
      busy(1)
    }
    const waits = queue.enter(key)
    return waits === undefined ? serve() : waits.then(serve)
  }
  burst.noteConnection()
  const crowd = Array.from({ length: 100 }, () => work('crowd'))
  let turnsAccepted = 0
  const other: unknown[] = []
  while (order.length < 101) {
    burst.noteConnection()
    if (++turnsAccepted === 20) other.push(work('other'))
    await turn()
  }
  await Promise.all([...crowd, ...other])
  expect(order.indexOf('other')).toBeLessThan(50)
  // At full speed a hundred of them would take a hundred milliseconds.
  expect(performance.now() - started).toBeGreaterThan(200)
  expect(turnsAccepted).toBeGreaterThan(200)
})
