import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openFileStore } from '../../src/log/file-store.js'
import { PATIENCE_MS, turnOf } from '../../src/store/meaning.js'
import { temporaryFolder } from '../support/folder.js'
import { WordMeaning } from '../support/meaning.js'
import { SILENT } from '../support/silent.js'
import { event, record } from './support.js'

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

test('M5: neither a question nor an event waits for longer than it may', async () => {
  expect(PATIENCE_MS).toBe(5_000)
  const meaning = await WordMeaning.create()
  meaning.hold()
  const patienceMs = 300
  const folder = temporaryFolder()
  const store = await openFileStore({
    ...{ folder, now: () => new Date(), randomBytes, log: SILENT, meaning, patienceMs },
  })
  await record(store, 'g', event('skill:a', 'the cache holds entries for an hour'))
  const start = performance.now()
  const waits = (['question', 'event'] as const).map(async (waiter) => {
    await store.caughtUp('g', waiter)
    return performance.now() - start
  })
  for (const waited of await Promise.all(waits)) {
    expect(waited).toBeGreaterThan(patienceMs - 100)
    expect(waited).toBeLessThan(patienceMs + 2000)
  }
  meaning.release()
  await store.close()
})
