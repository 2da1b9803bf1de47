import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nodeFiles } from '../../../../src/log/file/disk/files.js'
import { lockFolder } from '../../../../src/log/file/disk/lock.js'
import type { FileStore } from '../../../../src/log/file-store.js'
import { openOn } from '../../../faults/support/scene.js'
import { event, record } from '../../../store/support.js'
import { temporaryFolder } from '../../../support/folder.js'

let folder: string
let store: FileStore

beforeEach(async () => {
  folder = temporaryFolder()
  store = await openOn(nodeFiles, { folder, lock: lockFolder })
  await record(store, 'g', event('skill:a', 'in time'))
})

afterEach(() => store.close())

async function reason(): Promise<string> {
  await expect(record(store, 'g', event('skill:a', 'too late'))).rejects.toMatchObject({
    code: 'storage_unavailable',
  })
  const health = store.health()
  return health.writable ? '' : health.reason
}

test('a data folder that was moved away is said to be gone, and not to be taken over', async () => {
  await rename(folder, `${folder}-moved`)
  expect(await reason()).toBe(`The data folder ${folder} is gone: it was moved away or removed.`)
  await rm(`${folder}-moved`, { recursive: true })
})

test('a lock that was removed is said to be', async () => {
  await rm(join(folder, 'lock'))
  expect(await reason()).toContain(`The lock in the data folder ${folder} was removed`)
})

test('another process that has taken over is told of', async () => {
  await rm(join(folder, 'lock'))
  const next = await openOn(nodeFiles, { folder, lock: lockFolder })
  expect(await reason()).toBe('Another process has taken over the data folder.')
  await next.close()
})
