import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { PastEvent } from '../../../../src/domain/events/recording.js'
import type { OpenFile } from '../../../../src/log/file/disk/files.js'
import type { Store } from '../../../../src/store/store.js'
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

describe('exports that begin at the same moment', () => {
  const start = async (store: Store) => {
    const { events, close } = await store.exportGraph('g')
    const texts = async () => {
      const all: unknown[] = []
      for await (const page of events) all.push(...page.map(({ payload }) => payload['text']))
      return all
    }
    return { texts, close }
  }

  test('read the same open files, until the last of them ends; one that begins later reads what was recorded since', async () => {
    const files = new CountedFiles()
    const store = await openOn(files)
    await store.append('g', [event('skill:a', 'one'), event('skill:a', 'two')], at)
    const first = await start(store)
    const ofOne = files.toRead
    const second = await start(store)
    expect(files.toRead).toBe(ofOne)
    await store.append('g', [event('skill:a', 'three')], at)
    const later = await start(store)
    expect(files.toRead).toBeGreaterThan(ofOne)
    await first.close()
    expect(await second.texts()).toEqual(['one', 'two'])
    expect(await later.texts()).toEqual(['one', 'two', 'three'])
    expect(files.toRead).toBe(0)
    await store.close()
  })

  test('do not share what an erasure took out', async () => {
    const store = await openOn(new MemoryFiles())
    await store.append('g', [event('skill:a', 'kept'), event('skill:b', 'erased')], at)
    const before = await start(store)
    await store.erase('g', { contextId: 'skill:b' }, { dryRun: false })
    await store.append('g', [event('skill:a', 'later')], at)
    const after = await start(store)
    expect(await after.texts()).toEqual(['kept', 'later'])
    expect(await before.texts()).toEqual(['kept', 'erased'])
    await store.close()
  })
})

/** Counts the files that are open to be read. */
class CountedFiles extends MemoryFiles {
  toRead = 0

  override async openToRead(path: string): Promise<OpenFile> {
    const file = await super.openToRead(path)
    this.toRead++
    const close = file.close.bind(file)
    return Object.assign(file, {
      close: async () => {
        this.toRead--
        await close()
      },
    })
  }
}
