import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type Files, nodeFiles } from '../../../../src/store/json/disk/files.js'
import { openJsonStore } from '../../../../src/store/json/store.js'
import { event } from '../../support.js'

const SLOW_MS = 30

test('an event is acknowledged only when the flush of its journal is over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-'))
  let flushing = 0
  /** A disk that takes its time to flush. */
  const files: Files = {
    ...nodeFiles,
    async openToAppend(path, isNew) {
      const file = await nodeFiles.openToAppend(path, isNew)
      return {
        read: (buffer, position) => file.read(buffer, position),
        append: (bytes) => file.append(bytes),
        truncate: (size) => file.truncate(size),
        identity: () => file.identity(),
        close: () => file.close(),
        async datasync() {
          flushing++
          await sleep(SLOW_MS)
          await file.datasync()
          flushing--
        },
      }
    },
  }
  const log = pino({ enabled: false })
  const store = await openJsonStore({ folder, now: () => new Date(), randomBytes, log, files })
  try {
    for (const text of ['first', 'second', 'third']) {
      await store.append('g', [event('skill:a', text)], () => '/body')
      expect(flushing).toBe(0)
    }
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
})
