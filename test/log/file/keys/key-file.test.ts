import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { verify } from '../../../../src/cli/commands/verify.js'
import type { Key } from '../../../../src/domain/keys.js'
import { openFileStore } from '../../../../src/log/file-store.js'
import { MemoryFiles } from '../../../faults/support/memory-files.js'
import { FOLDER, openOn } from '../../../faults/support/scene.js'
import { FIRST, revoke } from '../../../store/support.js'
import { temporaryFolder } from '../../../support/folder.js'
import { SILENT } from '../../../support/silent.js'

let folder = ''
const open = () => openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT })
const path = () => join(folder, 'keys.1.json')
const key = (number: number): Key => ({
  keyId: `key_${number}`,
  name: `key ${number}`,
  scopes: ['read'],
  createdAt: '2025-01-01T00:00:00.000Z',
})

beforeEach(() => {
  folder = temporaryFolder()
})

async function fill(): Promise<void> {
  const store = await open()
  await store.keys.add(key(1), 'a'.repeat(64))
  await store.keys.add(key(2), 'b'.repeat(64))
  await store.close()
}

test('C10: the file is JSON for its owner alone, whatever the umask', async () => {
  const before = process.umask(0)
  try {
    await fill()
  } finally {
    process.umask(before)
  }
  expect(((await stat(path())).mode & 0o777).toString(8)).toBe('600')
  expect(JSON.parse(await readFile(path(), 'utf8'))).toMatchObject({ format: 1, keys: [key(1), key(2)] })
})

test('78: each byte of the file changed, or the file cut: the start names it, and nothing is changed', async () => {
  await fill()
  const whole = await readFile(path())
  const damaged = Array.from(whole, (byte, i) => {
    const bytes = Buffer.from(whole)
    bytes[i] = byte ^ 1
    return bytes
  })
  for (const bytes of [...damaged.filter((_, i) => i % 7 === 0), whole.subarray(0, -9), Buffer.alloc(0)]) {
    await writeFile(path(), bytes)
    await expect(open()).rejects.toMatchObject({ exitCode: 78, message: expect.stringContaining(path()) })
    expect((await readFile(path())).equals(bytes)).toBe(true)
  }
  const lines: string[] = []
  expect(await verify(folder, (line) => lines.push(line))).toBe(78)
  expect(lines.join('\n')).toContain('keys.1.json')
})

test('a write that fails changes nothing, on disk or in memory, and the next one succeeds', async () => {
  const files = new MemoryFiles()
  const store = await openOn(files)
  await store.keys.add(key(1), 'a'.repeat(64))
  for (const operation of ['open', 'append', 'rename']) {
    files.before = (name, path) => {
      if (name === operation && path.includes('keys.1.json'))
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    const refused = { code: 'storage_full' }
    await expect(store.keys.add(key(2), 'b'.repeat(64))).rejects.toMatchObject(refused)
    await expect(revoke(store, key(1).keyId)).rejects.toMatchObject(refused)
    files.before = () => undefined
    expect((await store.keys.list(undefined, FIRST)).items).toEqual([key(1)])
    expect(await store.keys.find('b'.repeat(64))).toBeUndefined()
  }
  await store.keys.add(key(2), 'b'.repeat(64))
  await store.close()
  const again = await openOn(files.afterKill())
  expect((await again.keys.list(undefined, FIRST)).items).toEqual([key(1), key(2)])
  await again.close()
  expect(files.identify(`${FOLDER}/keys.1.json.tmp`)).toBeUndefined()
})

test('one key more among 2,000 writes the others into the file as the text that they were', async () => {
  const files = new MemoryFiles()
  const store = await openOn(files)
  const add = (number: number) => store.keys.add(key(number), number.toString(16).padStart(64, '0'))
  await Promise.all(Array.from({ length: 2_000 }, (_, i) => add(i)))
  const stringify = vi.spyOn(JSON, 'stringify')
  await add(2_000)
  const made = stringify.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
  stringify.mockRestore()
  expect(made).toBeLessThan(5_000)
  await store.close()
  const again = await openOn(files.afterKill())
  expect((await again.keys.list(undefined, FIRST)).total).toBe(2_001)
  await again.close()
})

test('changes that come at once share a write, and one that is refused refuses no other', async () => {
  const files = new MemoryFiles()
  const store = await openOn(files)
  let writes = 0
  files.before = (name, path) => {
    if (name === 'rename' && path.includes('keys.')) writes++
  }
  const adding = Array.from({ length: 100 }, (_, i) =>
    store.keys.add(key(i), i.toString(16).padStart(64, '0')),
  )
  await expect(revoke(store, 'key_none')).rejects.toMatchObject({ code: 'key_not_found' })
  await Promise.all(adding)
  expect(writes).toBeLessThan(5)
  expect((await store.keys.list(undefined, FIRST)).total).toBe(100)
  await store.close()
})
