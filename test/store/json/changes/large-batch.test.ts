import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MemoryFiles } from '../../../faults/support/memory-files.js'
import { openOn } from '../../../faults/support/scene.js'
import { ask, at, event, record } from '../../support.js'

/** Words that no other text has, as hashes and ids are. */
function createWords(): (count: number) => string {
  let n = 1e9
  return (count) => Array.from({ length: count }, () => `w${(n++).toString(36)}`).join(' ')
}

test('a batch of 100 long events whose words no other text has is read in slices, and nobody sees a part of it', async () => {
  const words = createWords()
  const events = Array.from({ length: 100 }, () => event('big:one', words(6000)))
  const store = await openOn(new MemoryFiles(), { compactBytes: 1e9 })
  await record(store, 'g', event('big:one', 'first'))
  const seen = new Set<number>()
  let turns = 0
  let isDone = false
  const appending = store.append('g', events, at).finally(() => {
    isDone = true
  })
  const looking = (async () => {
    while (!isDone) {
      seen.add((await ask(store, 'g').context('big:one')).memoryCount)
      turns++
      await turn()
    }
  })()
  await appending
  await looking
  // Read in one turn of the event loop, a batch leaves a handful of turns to others.
  expect(turns).toBeGreaterThan(20)
  expect([...seen].filter((count) => count !== 1 && count !== 101)).toEqual([])
  await store.close()
}, 120_000)
