import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../../../src/log/file/disk/files.js'
import { lockFolder } from '../../../../src/log/file/disk/lock.js'
import { MemoryFiles } from '../../../faults/support/memory-files.js'
import { openOn } from '../../../faults/support/scene.js'
import { at, event, exported } from '../../../store/support.js'
import { temporaryFolder } from '../../../support/folder.js'

const MIB = 1024 * 1024
/** Of which a page has some 40 kB. */
const BATCH_MIB = 6
const EXPORTS = 8
const MANY = 5_000

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What the process holds once nothing is left that nobody needs. */
async function held(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    collect()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('E5: exports whose callers take their time hold a page each, not the batch around it, and are whole in the end', async () => {
  const store = await openOn(nodeFiles, { folder: temporaryFolder(), lock: lockFolder })
  const events = Array.from({ length: 300 }, (_, i) => event('skill:a', `${i} ${'long '.repeat(4000)}`))
  await store.append('g', events, at)
  const whole = await exported(store, 'g')
  const before = await held()
  const slow = await Promise.all(
    Array.from({ length: EXPORTS }, async () => {
      const pages = (await store.exportGraph('g')).events[Symbol.asyncIterator]()
      const first = await pages.next()
      return { pages, first: first.done ? [] : first.value.map(({ memoryId }) => memoryId) }
    }),
  )
  // The batch is one line of the journal.
  expect((await held()) - before).toBeLessThan((BATCH_MIB * MIB) / 2)
  const ids = whole.map(({ memoryId }) => memoryId)
  for (const { pages, first } of slow) {
    const rest: string[] = []
    for (let next = await pages.next(); !next.done; next = await pages.next()) {
      rest.push(...next.value.map(({ memoryId }) => memoryId))
    }
    expect(first.length).toBeGreaterThan(0)
    expect([...first, ...rest]).toEqual(ids)
  }
  await store.close()
})

test('E5: exports that each begin elsewhere leave nothing behind, though a slow one keeps their history open', async () => {
  const store = await openOn(new MemoryFiles())
  await store.append('g', [event('skill:a', 'one'), event('skill:a', 'two')], at)
  const slow = await store.exportGraph('g')
  const exportAfter = async (after: number) => {
    for await (const _ of (await store.exportGraph('g', { after })).events);
  }
  for (let after = 0; after < 1000; after++) await exportAfter(after)
  const before = await held()
  for (let after = 1000; after < 1000 + MANY; after++) await exportAfter(after)
  const bytesEach = ((await held()) - before) / MANY
  expect(bytesEach).toBeLessThan(80)
  await slow.close()
  await store.close()
})
