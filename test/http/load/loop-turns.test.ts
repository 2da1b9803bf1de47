import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LoopTurns } from '../../../src/http/load/loop-turns.js'
import { AcceptBurst } from '../../../src/loop/accept-burst.js'

const TURN_MS = 5

function busy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('work that fits into a turn begins at once', async () => {
  const turns = new LoopTurns(new AcceptBurst())
  const waits = [turns.take('a'), turns.take('a'), turns.take('b')]
  expect(waits).toEqual([undefined, undefined, undefined])
})

test('dear work of one key is begun in turns of its own, and that of another comes after the next of them', async () => {
  const turns = new LoopTurns(new AcceptBurst())
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
    const waits = turns.take(key)
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
  const turns = new LoopTurns(burst)
  const started = performance.now()
  const order: string[] = []
  const work = (key: string) => {
    const serve = () => {
      order.push(key)
      busy(1)
    }
    const waits = turns.take(key)
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
