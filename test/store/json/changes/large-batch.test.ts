import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MemoryFiles } from '../../../faults/support/memory-files.js'
import { openOn } from '../../../faults/support/scene.js'
import { ask, at, event, record } from '../../support.js'

/** The batch is still written as one line, and applied, in one turn each; reading its words in one turn took seconds. */
const MOST_MS = 300

/** Words that no other text has, as hashes and ids are. */
function createWords(): (count: number) => string {
  let n = 1e9
  return (count) => Array.from({ length: count }, () => `w${(n++).toString(36)}`).join(' ')
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Awaits the work, and gives the longest time for which nothing else had its turn: that of the processor, since what other
 * processes do meanwhile is not to be counted.
 */
async function longestPause(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = cpuMs()
  let isDone = false
  const look = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  await work.finally(() => {
    isDone = true
  })
  look()
  return longest
}

test('a batch of 100 long events whose words no other text has is read in slices, and nobody sees a part of it', async () => {
  const words = createWords()
  const events = Array.from({ length: 100 }, () => event('big:one', words(6000)))
  const store = await openOn(new MemoryFiles(), { compactBytes: 1e9 })
  await record(store, 'g', event('big:one', 'first'))
  const seen = new Set<number>()
  let isDone = false
  const appending = store.append('g', events, at).finally(() => {
    isDone = true
  })
  const looking = (async () => {
    while (!isDone) {
      seen.add((await ask(store, 'g').context('big:one')).memoryCount)
      await turn()
    }
  })()
  expect(await longestPause(appending)).toBeLessThan(MOST_MS)
  await looking
  expect([...seen].filter((count) => count !== 1 && count !== 101)).toEqual([])
  await store.close()
}, 120_000)
