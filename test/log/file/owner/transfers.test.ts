import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { PastEvent } from '../../../../src/domain/events/recording.js'
import { MemoryFiles } from '../../../faults/support/memory-files.js'
import { openOn } from '../../../faults/support/scene.js'
import { at, event, exported, inPages } from '../../../store/support.js'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

test('what an import was sent is forgotten when it has failed', async () => {
  const store = await openOn(new MemoryFiles())
  for (const text of ['one', 'two', 'three']) await store.append('g', [event('skill:a', text)], at)
  const events = await exported(store, 'g')
  const sent: WeakRef<PastEvent>[] = []
  const fail = () => {
    throw new Error('gone')
  }
  for (let i = 0; i < 20; i++) {
    const copies = structuredClone(events)
    for (const copy of copies) sent.push(new WeakRef(copy))
    await store.importGraph('copy', inPages(copies, 1, fail), at).catch(() => undefined)
  }
  await new Promise((resolve) => setTimeout(resolve, 20))
  collect()
  expect(sent.filter((copy) => copy.deref() !== undefined).length).toBeLessThanOrEqual(events.length)
  await store.close()
})
