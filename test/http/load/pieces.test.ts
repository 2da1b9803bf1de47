import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Loop } from '../../../src/http/load/loop.js'

const STREAMS = 20
const PIECE_MS = 4

/** How long the pieces of these streams of a key took, one of each. */
async function took(loop: Loop, streams: number): Promise<number> {
  const began = performance.now()
  await Promise.all(Array.from({ length: streams }, () => loop.piece('a', () => sleep(PIECE_MS))))
  return performance.now() - began
}

test('E5: while others ask, many streams of a key take a tenth of the loop; nobody else waits for their rest', async () => {
  const loop = new Loop()
  await loop.enter('b')
  await loop.enter('a')
  let isDone = false
  const streams = took(loop, STREAMS).finally(() => {
    isDone = true
  })
  await loop.piece('b', () => sleep(PIECE_MS))
  expect(isDone).toBe(false)
  // Ten of them rest nine times as long as they took, the others less and less.
  expect(await streams).toBeGreaterThan(PIECE_MS * (STREAMS + 9 * 10))
})

test('nobody rests while nobody else asks, and one stream alone never does', async () => {
  const loop = new Loop()
  await loop.enter('a')
  // With rests it would be longer however fast the machine is; without, a busy one may take long now and then.
  const alone = await least(() => took(loop, STREAMS))
  expect(alone).toBeLessThan(PIECE_MS * (STREAMS + 9 * 10))
  const oneByOne = await least(async () => {
    await loop.enter('b')
    await loop.enter('a')
    let sum = 0
    for (let i = 0; i < STREAMS; i++) sum += await took(loop, 1)
    return sum
  })
  expect(oneByOne).toBeLessThan(PIECE_MS * STREAMS * 9)
})

async function least(measure: () => Promise<number>): Promise<number> {
  return Math.min(await measure(), await measure(), await measure())
}
