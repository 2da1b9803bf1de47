import { randomBytes } from 'node:crypto'
import { chown, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { isLocked, lockFolder } from '../../../src/log/file/disk/lock.js'
import { type FileLogOptions, openFileLog } from '../../../src/log/file/file-log.js'
import type { GraphLog } from '../../../src/log/graph-log.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'
import { entry } from '../graph-log.suite.js'

let folder = ''
const open = (more: Partial<FileLogOptions> = {}) =>
  openFileLog({ folder, log: SILENT, randomBytes, ...more })
const refuse = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

beforeEach(() => {
  folder = temporaryFolder()
})

async function fill(): Promise<void> {
  const log = await open()
  await log.append('g', undefined, [entry(1, 'one')])
  await log.keys.add({ keyId: 'key_1', name: 'k', scopes: ['read'], createdAt: '2025-01-01' }, 'a'.repeat(64))
  await log.close()
}

/** Every file and folder, with its owner and its bytes. */
async function allIn(path: string): Promise<readonly (readonly [string, number, string])[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries.map(async (one) => {
      const file = join(one.parentPath, one.name)
      const bytes = one.isFile() ? await readFile(file, 'latin1') : ''
      return [file, (await stat(file)).uid, bytes] as const
    }),
  )
}

async function textsIn(log: GraphLog): Promise<unknown[]> {
  const texts: unknown[] = []
  for await (const some of log.read('g', undefined))
    for (const { records } of some)
      for (const record of records) if (record.op === 'recorded') texts.push(record.payload['text'])
  return texts
}

describe('D7: a process that may do everything, or nothing but read', () => {
  const NOBODY = 65_534

  test.skipIf(userInfo().uid !== 0)('what root makes belongs to the owner of the folder', async () => {
    await chown(folder, NOBODY, NOBODY)
    await fill()
    const lock = await lockFolder(folder)
    const owners = (await allIn(folder)).map(([file, uid]) => [file, uid])
    await lock.release()
    expect(owners.length).toBeGreaterThan(6)
    expect(owners.filter(([, uid]) => uid !== NOBODY)).toEqual([])
  })

  test('a command that only reads changes nothing', async () => {
    await fill()
    const before = await allIn(folder)
    const log = await open({ readOnly: true })
    await expect(open()).rejects.toMatchObject({ exitCode: 75 })
    expect(await textsIn(log)).toEqual(['one'])
    const head = await log.head('g')
    await expect(log.append('g', head, [entry(2, 'two')])).rejects.toMatchObject({
      code: 'storage_unavailable',
    })
    await log.close()
    expect(await allIn(folder)).toEqual(before)
  })
})

describe('D7: a folder that cannot be locked', () => {
  test.each(['EROFS', 'EACCES'])('75: another process holds it (%s)', async (code) => {
    const owner = await open()
    for (const readOnly of [false, true])
      await expect(open({ lock: refuse(code), readOnly })).rejects.toMatchObject({
        exitCode: 75,
        message: expect.stringContaining('Another Loregraph is using this data folder'),
      })
    await owner.close()
  })

  test('without another process it is served, until there is one', async () => {
    await fill()
    let failure: Error | undefined
    const onFatal = (error: Error) => {
      failure = error
    }
    const reader = await open({ lock: refuse('EROFS'), onFatal })
    expect(await textsIn(reader)).toEqual(['one'])
    expect(reader.health()).toEqual({ writable: false, reason: 'the data folder is read-only' })
    const owner = await open()
    await expect.poll(() => failure?.message).toContain('Another Loregraph writes to this data folder')
    await expect(textsIn(reader)).rejects.toMatchObject({ code: 'storage_unavailable' })
    await expect(reader.head('g')).rejects.toMatchObject({ code: 'storage_unavailable' })
    await reader.close()
    await owner.close()
  })

  test('also when it has come and gone meanwhile', async () => {
    await fill()
    let isOver = false
    const onFatal = () => {
      isOver = true
    }
    const reader = await open({ lock: refuse('EROFS'), isLocked: async () => false, onFatal })
    const owner = await open()
    const head = await owner.head('g')
    if (head !== undefined) await owner.remove('g', head)
    await owner.close()
    await expect.poll(() => isOver).toBe(true)
    await reader.close()
  })

  test('the error names the folder, and no address', async () => {
    const missing = join(folder, 'none')
    await expect(lockFolder(missing)).rejects.toMatchObject({ path: missing })
    expect(await isLocked(folder)).toBe(false)
  })
})

describe('D14: a folder that is not what it should be', () => {
  test('78: keys or marks without a manifest', async () => {
    for (const name of ['keys.1.json', 'clean.1']) {
      folder = temporaryFolder()
      await writeFile(join(folder, name), '')
      await expect(open()).rejects.toMatchObject({ exitCode: 78, message: expect.stringContaining(name) })
    }
  })

  test('a folder with something else in it is warned of, an empty one and the next start are not', async () => {
    const warnings: string[] = []
    const log = { ...SILENT, warn: (_: object, message: string) => void warnings.push(message) }
    await (await open({ log })).close()
    expect(warnings).toEqual([])
    folder = temporaryFolder()
    await writeFile(join(folder, 'notes.txt'), '')
    await (await open({ log })).close()
    expect(warnings.splice(0)).toEqual([expect.stringContaining('is it the right one?')])
    await (await open({ log })).close()
    expect(warnings).toEqual([])
  })
})
