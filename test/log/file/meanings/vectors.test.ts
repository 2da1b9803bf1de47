import { randomBytes } from 'node:crypto'
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { nodeFiles } from '../../../../src/log/file/disk/files.js'
import { RECORD_BYTES, VectorFile } from '../../../../src/log/file/vectors.js'
import { verifyFolder } from '../../../../src/log/file/verify.js'
import { type FileStore, type FileStoreOptions, openFileStore } from '../../../../src/log/file-store.js'
import { ask, at, event, record } from '../../../store/support.js'
import { temporaryFolder } from '../../../support/folder.js'
import { vectorOf, WordMeaning } from '../../../support/meaning.js'
import { SILENT } from '../../../support/silent.js'

const TEXTS = ['alpha one', 'beta two', 'gamma three', 'delta four', 'epsilon five']
const CERTAIN = { dryRun: false }
let folder = ''
let meaning: WordMeaning

beforeEach(async () => {
  folder = temporaryFolder()
  meaning = await WordMeaning.create()
})

function open(more: Partial<FileStoreOptions> = {}): Promise<FileStore> {
  return openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT, meaning, ...more })
}

/** A folder with a graph that was read, and the ids of its memories. */
async function fill(): Promise<string[]> {
  const store = await open()
  const receipts = await store.append(
    'g',
    TEXTS.map((text) => event('skill:a', text)),
    at,
  )
  await store.caughtUp('g')
  await store.close()
  meaning.read.length = 0
  return receipts.map(({ memoryId }) => memoryId)
}

/** The one file of vectors. */
async function vectorsFile(): Promise<string> {
  const [graph = ''] = await readdir(join(folder, 'graphs'))
  return join(folder, 'graphs', graph, 'vectors')
}

async function change(make: (bytes: Buffer) => Buffer): Promise<void> {
  const path = await vectorsFile()
  await writeFile(path, make(await readFile(path)))
}

/** Every file below the data folder that holds these bytes. */
async function holding(bytes: Buffer): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name)
    if ((await readFile(path)).includes(bytes)) found.push(path)
  }
  return found
}

function bytesOf(text: string): Buffer {
  return Buffer.from(vectorOf(`skill a: text: ${text}`))
}

/** What a store that opens the folder answers and reads, and that the file is in order afterwards. */
async function expectMended(readAgain: number, texts: readonly string[] = TEXTS): Promise<void> {
  for (const count of [readAgain, 0]) {
    meaning.read.length = 0
    const store = await open()
    await store.caughtUp('g')
    const found = await ask(store, 'g').nearest({ vector: vectorOf('skill a text alpha'), limit: 10 })
    expect(found.map(({ text }) => text).sort()).toEqual([...texts].sort())
    expect(meaning.read).toHaveLength(count)
    await store.close()
  }
  const header = (await readFile(await vectorsFile())).indexOf('\n') + 1
  expect((await readFile(await vectorsFile())).length).toBe(header + texts.length * RECORD_BYTES)
  const { graphs, strays } = await verifyFolder(nodeFiles, folder)
  expect([graphs.map(({ broken, torn }) => broken ?? torn), strays]).toEqual([[undefined], []])
}

const last = (bytes: Buffer, records: number) => bytes.subarray(bytes.length - records * RECORD_BYTES)
const flipped = (bytes: Buffer, i: number) => {
  bytes[i] = (bytes[i] ?? 0) ^ 1
  return bytes
}

describe('M2: a file of vectors that is not as it was written opens, and what is missing is read again', () => {
  const all = TEXTS.length
  test.each<[string, number, (bytes: Buffer) => Buffer]>([
    ['as it was written', 0, (bytes) => bytes],
    ['a damaged header', all, (bytes) => flipped(bytes, 3)],
    ['a header alone', all, (bytes) => bytes.subarray(0, bytes.indexOf('\n') + 1)],
    ['half a header', all, (bytes) => bytes.subarray(0, 5)],
    ['nothing', all, () => Buffer.alloc(0)],
    ['a torn last record', 1, (bytes) => bytes.subarray(0, -7)],
    ['a byte too many', 0, (bytes) => Buffer.concat([bytes, Buffer.of(0)])],
    ['a flipped byte of a vector', 1, (bytes) => flipped(bytes, bytes.length - RECORD_BYTES - 50)],
    ['a flipped byte of an id', 1, (bytes) => flipped(bytes, bytes.length - RECORD_BYTES + 8)],
    ['a flipped byte of a checksum', 1, (bytes) => flipped(bytes, bytes.length - 1)],
    ['a sector of zeros', 2, (bytes) => bytes.fill(0, bytes.length - 600, bytes.length - 88)],
    ['a record twice', 0, (bytes) => Buffer.concat([bytes, last(bytes, 2)])],
  ])('%s: %i are read again', async (_, readAgain, make) => {
    await fill()
    await change(make)
    const { graphs, strays } = await verifyFolder(nodeFiles, folder)
    expect([graphs.map(({ broken, torn }) => broken ?? torn), strays]).toEqual([[undefined], []])
    await expectMended(readAgain)
  })

  test('vectors of another model: all are read again, and none of the old ones is compared or kept', async () => {
    await fill()
    meaning = await WordMeaning.create('words 2')
    await expectMended(TEXTS.length)
    expect((await readFile(await vectorsFile())).includes('words 1')).toBe(false)
  })

  test('a file that is gone', async () => {
    await fill()
    await nodeFiles.remove(await vectorsFile())
    await expectMended(TEXTS.length)
  })

  test('one that was damaged while it was open: left out of the answer, and read again', async () => {
    const [, second = ''] = await fill()
    const store = await open()
    await store.caughtUp('g')
    await change((bytes) => flipped(bytes, bytes.length - 4 * RECORD_BYTES + 40))
    meaning.hold()
    const near = { vector: vectorOf('alpha'), limit: 10 }
    expect(await ask(store, 'g').nearest(near)).toHaveLength(TEXTS.length - 1)
    expect(await ask(store, 'g').unread()).toBe(1)
    meaning.release()
    await expect.poll(() => ask(store, 'g').unread()).toBe(0)
    expect(await ask(store, 'g').nearest(near)).toHaveLength(TEXTS.length)
    expect((await ask(store, 'g').vectors([second])).size).toBe(1)
    expect(meaning.read).toEqual([`skill a: text: ${TEXTS[1]}`])
    await store.close()
    await expectMended(0)
  })
})

describe('M3: erased from the vectors', () => {
  test('the bytes of an erased vector are in no file of the data folder, those of the others are', async () => {
    const [first = ''] = await fill()
    expect(await holding(bytesOf('alpha one'))).toHaveLength(1)
    const store = await open()
    await store.erase('g', { memoryId: first }, CERTAIN)
    expect(await holding(bytesOf('alpha one'))).toEqual([])
    expect(await holding(bytesOf('beta two'))).toHaveLength(1)
    await store.erase('g', { everything: true }, CERTAIN)
    expect(await holding(bytesOf('beta two'))).toEqual([])
    await store.close()
  })

  test('killed between the two rewrites: what was erased is gone once the graph is opened', async () => {
    const [first = ''] = await fill()
    const before = await readFile(await vectorsFile())
    const store = await open()
    await store.erase('g', { memoryId: first }, CERTAIN)
    await store.close()
    await writeFile(await vectorsFile(), before)
    expect(await holding(bytesOf('alpha one'))).toHaveLength(1)
    await expectMended(0, TEXTS.slice(1))
    expect(await holding(bytesOf('alpha one'))).toEqual([])
  })

  test('also by a store that reads nothing for meaning', async () => {
    const [first = ''] = await fill()
    const store = await openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT })
    await store.erase('g', { memoryId: first }, CERTAIN)
    await store.close()
    expect(await holding(bytesOf('alpha one'))).toEqual([])
    await expectMended(0, TEXTS.slice(1))
  })
})

describe('a folder that cannot be written to', () => {
  const lock = () => Promise.reject(Object.assign(new Error('read-only'), { code: 'EROFS' }))

  test('is served from the vectors that are kept, and no file is changed', async () => {
    await fill()
    await change((bytes) => bytes.subarray(0, -7))
    const before = await readFile(await vectorsFile())
    const store = await open({ lock })
    await store.caughtUp('g')
    const found = await ask(store, 'g').nearest({ vector: vectorOf('alpha'), limit: 10 })
    expect(found).toHaveLength(TEXTS.length)
    expect(meaning.read).toEqual([`skill a: text: ${TEXTS.at(-1)}`])
    await store.close()
    expect(await readFile(await vectorsFile())).toEqual(before)
  })
})

test('what another process adds to the file is cut off, and ours is found', async () => {
  await fill()
  const store = await open()
  await store.caughtUp('g')
  await appendFile(await vectorsFile(), 'not a record')
  const { memoryId } = await record(store, 'g', event('skill:a', 'zeta six'))
  await store.caughtUp('g')
  await store.close()
  await expectMended(0, [...TEXTS, 'zeta six'])
  const again = await open()
  expect((await ask(again, 'g').vectors([memoryId])).get(memoryId)).toEqual(
    vectorOf('skill a: text: zeta six'),
  )
  await again.close()
})

test('vectors of another model are not written behind, though its file could not be replaced at once', async () => {
  const path = join(folder, 'vectors-of-two')
  const vector = vectorOf('alpha')
  const location = { path, isWritable: true }
  const fileOf = (identity: string) => new VectorFile(nodeFiles, location, identity)
  const read = async (file: VectorFile) => {
    const ids: string[] = []
    await file.open(
      () => true,
      ({ id }) => ids.push(id),
    )
    return ids
  }
  const readAndClose = async (identity: string) => {
    const file = fileOf(identity)
    return read(file).finally(() => file.close())
  }
  const ID = 'mem_01KJPWD6M00000000000000000'
  const first = fileOf('model one')
  await first.append([{ id: ID, vector }])
  await first.close()
  location.isWritable = false
  const second = fileOf('model two')
  expect(await read(second)).toEqual([])
  location.isWritable = true
  await second.append([{ id: ID, vector }])
  await second.close()
  expect([await readAndClose('model two'), await readAndClose('model one')]).toEqual([[ID], []])
})
