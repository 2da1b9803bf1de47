import { expect, test, vi } from 'vitest'
import { type MemoKind, TextCache } from '../../../src/domain/text-cache.js'
import { MemoryFiles } from '../../faults/support/memory-files.js'
import { FOLDER, openOn } from '../../faults/support/scene.js'
import { event, record } from '../../store/support.js'

const LENGTHS: MemoKind<number> = { most: 1000 }

test('what a question under way remembered of an erased text is forgotten within two minutes of its last use, until the store is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const texts = new TextCache()
    const store = await openOn(new MemoryFiles(), { texts })
    texts.memo(LENGTHS).set('erased meanwhile', 16)
    vi.advanceTimersByTime(120_000)
    expect(texts.memo(LENGTHS).get('erased meanwhile')).toBeUndefined()
    await store.close()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('an erasure that leaves a file behind is over for the texts, and for followers all the same', async () => {
  for (const what of [{ contextId: 'skill:a' }, { everything: true } as const]) {
    const files = new MemoryFiles()
    const texts = new TextCache()
    const store = await openOn(files, { texts })
    const { memoryId } = await record(store, 'g', event('skill:a', 'x'))
    await record(store, 'g', event('skill:b', 'y'))
    const follower = await store.follow('g')
    texts.memo(LENGTHS).set('x', 1)
    const folder = [...files.names.folders].find((path) => path.startsWith(`${FOLDER}/graphs/`))
    files.before = (operation, path) => {
      if (operation === 'remove' && path === folder)
        throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
    }
    const refused = store.erase('g', what, { dryRun: false })
    await expect(refused).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(texts.memo(LENGTHS).get('x')).toBeUndefined()
    expect(await follower.news(0)).toMatchObject(
      'everything' in what ? { isOver: true } : { erased: [{ memoryId }] },
    )
    await store.close()
  }
})

test('an erasure that is refused clears no texts', async () => {
  const texts = new TextCache()
  const store = await openOn(new MemoryFiles(), { texts })
  await record(store, 'g', event('skill:a', 'x'))
  texts.memo(LENGTHS).set('x', 1)
  const refused = store.erase('g', { contextId: 'skill:none' }, { dryRun: false })
  await expect(refused).rejects.toMatchObject({ code: 'context_not_found' })
  expect(texts.memo(LENGTHS).get('x')).toBe(1)
  await store.close()
})
