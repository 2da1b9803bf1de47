import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Files, nodeFiles } from '../../../../src/log/file/disk/files.js'
import { openFileStore } from '../../../../src/log/file-store.js'
import { event } from '../../../store/support.js'
import { temporaryFolder } from '../../../support/folder.js'
import { SILENT } from '../../../support/silent.js'

const SLOW_MS = 30

test('an event is acknowledged only when the flush of its journal is over', async () => {
  const written: { size: number; flushed: number }[] = []
  let finished = 0
  /** A disk that takes its time to flush, and says how much of each file it has flushed. */
  const files: Files = {
    ...nodeFiles,
    async openToAppend(path, isNew) {
      const file = await nodeFiles.openToAppend(path, isNew)
      const { size } = file.identity()
      const state = { size, flushed: size }
      written.push(state)
      return {
        read: (buffer, position) => file.read(buffer, position),
        readNow: (buffer, position) => file.readNow(buffer, position),
        async append(bytes) {
          await file.append(bytes)
          state.size += bytes.length
        },
        truncate: (size) => file.truncate(size),
        identity: () => file.identity(),
        close: () => file.close(),
        async datasync() {
          const { size } = state
          await sleep(SLOW_MS)
          await file.datasync()
          state.flushed = size
          finished++
        },
      }
    },
  }
  const folder = temporaryFolder()
  const store = await openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT, files })
  try {
    for (const text of ['first', 'second', 'third']) {
      const before = finished
      await store.append('g', [event('skill:a', text)], () => '/body')
      expect(finished).toBeGreaterThan(before)
      expect(written.filter(({ size, flushed }) => flushed < size)).toEqual([])
    }
  } finally {
    await store.close()
  }
})
