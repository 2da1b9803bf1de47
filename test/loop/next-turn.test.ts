import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { acceptBurst } from '../../src/loop/accept-burst.js'
import { nextTurn } from '../../src/loop/next-turn.js'

test('long work goes on in the next turn', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await nextTurn()
  isOver = true
  expect(turns).toBe(1)
})

test('long work waits while connections come in, but not for ever', async () => {
  const waits: number[] = []
  for (let i = 0; i < 5; i++) {
    let isOver = false
    const begun = performance.now()
    void nextTurn().then(() => {
      isOver = true
    })
    while (!isOver) {
      acceptBurst.noteConnection()
      await immediate()
    }
    waits.push(performance.now() - begun)
  }
  // One of them may begin when there has just been a turn for work, or be held up by something else.
  expect(Math.max(...waits)).toBeGreaterThan(40)
  expect(Math.min(...waits)).toBeLessThan(5_000)
})
