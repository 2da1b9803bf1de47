import promises, { link, mkdir, readdir } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isLocked, lockFolder, refuseWindows } from '../../../../src/log/file/disk/lock.js'
import { EXIT_BROKEN, EXIT_IN_USE } from '../../../../src/store/open-error.js'
import { temporaryFolder } from '../../../support/folder.js'

/** A folder whose path has so many bytes; the name of a folder has at most 255. */
async function folderOf(length: number): Promise<string> {
  let folder = temporaryFolder()
  while (folder.length < length) folder = join(folder, 'd'.repeat(Math.min(200, length - folder.length - 1)))
  await mkdir(folder, { recursive: true })
  return folder
}

// The path of a socket has at most 107 bytes, 41 of them for its own name.
test.each([66, 67, 102, 103, 107, 108, 818])(
  'D9: a data folder whose path has %i bytes is locked by one process, and nothing is left beside it',
  async (length) => {
    const folder = await folderOf(length)
    expect(folder).toHaveLength(length)
    expect(await isLocked(folder)).toBe(false)
    const lock = await lockFolder(folder, 42)
    expect([lock.isHeld(), await isLocked(folder)]).toEqual([true, true])
    await expect(lockFolder(folder)).rejects.toMatchObject({
      exitCode: EXIT_IN_USE,
      message: expect.stringContaining('process 42'),
    })
    expect(await readdir(dirname(folder))).toHaveLength(1)
    expect((await readdir(folder)).sort()).toEqual(['lock', 'lock.json'])
    await lock.release()
    expect(await readdir(folder)).toEqual([])
    await (await lockFolder(folder)).release()
  },
)

/** A lock as a process leaves it that was killed. */
async function leaveLock(folder: string): Promise<void> {
  const server = createServer()
  const own = join(folder, 'killed')
  await new Promise<void>((resolve) => server.listen(own, resolve))
  await link(own, join(folder, 'lock'))
  await new Promise((resolve) => server.close(resolve))
}

/** Until the test is over, `before` is awaited before any file is removed. */
function holdRemovals(before: (name: string) => Promise<void>): void {
  const { rm } = promises
  const replace = (by: typeof rm) => {
    promises.rm = by
    syncBuiltinESMExports()
  }
  onTestFinished(() => replace(rm))
  replace(async (path, options) => {
    await before(basename(String(path)))
    await rm(path, options)
  })
}

function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('D9: of two processes that find the same dead lock, the one whose lock the other removes does not hold the folder', async () => {
  const folder = temporaryFolder()
  await leaveLock(folder)
  const [bothFound, firstTook, secondTook] = [gate(), gate(), gate()]
  let found = 0
  let taken = 0
  holdRemovals(async (name) => {
    if (name === 'lock' && taken < 2) {
      const isFirst = ++found === 1
      if (!isFirst) bothFound.open()
      await (isFirst ? bothFound : firstTook).opened
    }
    // The note of another process is removed right after the lock was taken.
    if (name === 'lock.json' && taken < 2) {
      const isFirst = ++taken === 1
      if (isFirst) firstTook.open()
      else secondTook.open()
      await secondTook.opened
    }
  })
  const locks = await Promise.all([lockFolder(folder), lockFolder(folder)])
  expect([found, taken]).toEqual([2, 2])
  expect(locks.filter((lock) => lock.isHeld())).toHaveLength(1)
  for (const lock of locks) await lock.release()
})

test('a file system without hard links is refused with a sentence, and nothing is left in the folder', async () => {
  const folder = temporaryFolder()
  const { link } = promises
  onTestFinished(() => {
    Object.assign(promises, { link })
    syncBuiltinESMExports()
  })
  const refuse = async () => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' })
  }
  Object.assign(promises, { link: refuse })
  syncBuiltinESMExports()
  await expect(lockFolder(folder)).rejects.toMatchObject({
    exitCode: EXIT_BROKEN,
    message: expect.stringContaining('has no hard links'),
  })
  expect(await readdir(folder)).toEqual([])
})

test('Windows is refused with a sentence that says what to do', () => {
  expect(() => refuseWindows('win32')).toThrow(/^On Windows .* WSL 2 .* PostgreSQL\.$/)
  for (const system of ['linux', 'darwin'] as const) expect(() => refuseWindows(system)).not.toThrow()
})
