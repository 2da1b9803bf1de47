import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AcceptBurst } from '../../src/loop/accept-burst.js'

/** Longer than one caller may take of a burst, and longer than a burst may be quiet. */
const LONG_MS = 12

/** A burst in which somebody has just done something that took long. */
function afterLongWork(): AcceptBurst {
  let now = 0
  const burst = new AcceptBurst(() => now)
  burst.noteConnection()
  expect(burst.tryBegin('a')).toBe(true)
  now += LONG_MS
  return burst
}

test('a turn that takes long does not end a burst: who took it has had its share', async () => {
  const burst = afterLongWork()
  await immediate()
  burst.noteConnection()
  expect(burst.isOn).toBe(true)
  expect(burst.tryBegin('a')).toBe(false)
  expect(burst.tryBegin('b')).toBe(true)
})

test('a turn without a connection, and some time, end it', async () => {
  const burst = afterLongWork()
  await immediate()
  await immediate()
  expect(burst.isOn).toBe(false)
  burst.noteConnection()
  expect(burst.isOn).toBe(true)
  expect(burst.tryBegin('a')).toBe(true)
})
