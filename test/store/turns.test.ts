import { expect, test } from 'vitest'
import { turnOf } from '../../src/store/meaning.js'

const textsOf = (...lengths: number[]) => lengths.map((length) => ({ text: 'x'.repeat(length) }))

test.each([
  ['short texts: sixteen', textsOf(...Array(40).fill(100)), 16],
  ['texts of a page: one', textsOf(5_000, 5_000), 1],
  ['one text, however long', textsOf(60_000), 1],
  ['a page after a few lines', textsOf(100, 100, 5_000, 5_000), 3],
  ['none, if there are none', [], 0],
])('M9: a turn of a graph is bounded by what there is to read: %s', (_, unread, count) => {
  expect(turnOf(unread)).toEqual(unread.slice(0, count))
})
