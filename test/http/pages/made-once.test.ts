import { expect, test } from 'vitest'
import { madeOnce } from '../../../src/http/pages/made-once.js'

test('is made once for all who ask, and again after it has failed', async () => {
  let made = 0
  const number = madeOnce(async () => {
    made++
    if (made === 1) throw new Error('Too many open files.')
    return made
  })
  const first = await Promise.allSettled([number(), number()])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all([number(), number()])).toEqual([2, 2])
  expect(await number()).toBe(2)
})
