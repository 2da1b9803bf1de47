import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isLocked, lockFolder } from '../../../../src/store/json/disk/lock.js'
import { EXIT_IN_USE } from '../../../../src/store/open-error.js'
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
    expect([lock.held(), await isLocked(folder)]).toEqual([true, true])
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
