import { expect, test } from 'vitest'
import type { OpenFile } from '../../../../src/log/file/disk/files.js'
import { MemoryFiles } from '../../../faults/support/memory-files.js'
import { openOn } from '../../../faults/support/scene.js'
import { ask, at, contradicts, event, record } from '../../../store/support.js'

/** So many that their indexes are kept, and read before an event is told from its duplicates. */
const MEMORIES = 2500

/** A disk that holds back whoever reads the indexes of a graph. */
class SlowIndexes extends MemoryFiles {
  release: () => void = () => undefined
  asked: () => void = () => undefined
  readonly #released = new Promise<void>((resolve) => {
    this.release = resolve
  })
  readonly isAsked = new Promise<void>((resolve) => {
    this.asked = resolve
  })

  override async openToRead(path: string): Promise<OpenFile> {
    if (path.endsWith('/indexes')) {
      this.asked()
      await this.#released
    }
    return super.openToRead(path)
  }
}

test('a dry run that an erasure overtakes says nothing of what was erased', async () => {
  const files = new SlowIndexes()
  const before = await openOn(files, { compactBytes: 10_000_000 })
  const { memoryId } = await record(before, 'g', event('decision:port', 'The port is 8080'))
  const others = Array.from({ length: MEMORIES }, (_, i) => event('skill:a', `plain ${i}`))
  await before.append('g', others, at)
  await ask(before, 'g').weigh(['plain'])
  await before.close()
  const store = await openOn(files)
  const change = event('decision:port', 'The port is 9090', {
    source: 'user',
    ...contradicts('decision:port'),
  })
  const dry = store.dryRun('g', change, at)
  await files.isAsked
  await store.erase('g', { memoryId }, { dryRun: false })
  files.release()
  expect((await dry).bearsOn).toEqual([])
  await store.close()
})
