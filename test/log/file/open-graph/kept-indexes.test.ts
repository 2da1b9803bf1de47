import { describe, expect, test } from 'vitest'
import { stemOf } from '../../../../src/domain/search/text-analysis.js'
import { verifyFolder } from '../../../../src/log/file/verify.js'
import type { FileStore } from '../../../../src/log/file-store.js'
import { MemoryFiles } from '../../../faults/support/memory-files.js'
import { FOLDER, openOn } from '../../../faults/support/scene.js'
import { ask, at, event, record } from '../../../store/support.js'

const MEMORIES = 2500
/** Has a stem that is shorter than itself. */
const SECRET = 'zyxwvutsies'

function indexesIn(files: MemoryFiles): string[] {
  return [...files.names.files.keys()].filter((path) => path.endsWith('/indexes'))
}

/** A graph of which enough memories were indexed that the indexes are kept when the store closes. */
async function fill(files: MemoryFiles): Promise<void> {
  const store = await openOn(files, { compactBytes: 200_000 })
  for (let start = 0; start < MEMORIES; start += 500)
    await store.append(
      'g',
      Array.from({ length: 500 }, (_, i) => {
        const number = start + i
        return event(
          `skill:${number % 50}`,
          `word${number % 7} note${number} ${number === 1700 ? SECRET : 'plain'}`,
        )
      }),
      at,
    )
  await answers(store)
  await store.close()
}

/** What depends on the indexes: searches, and whether an event is a duplicate. */
async function answers(store: FileStore) {
  const { found, idf, averageLength } = await ask(store, 'g').retrieve({
    terms: ['word3', 'note1234', stemOf(SECRET)],
    limit: 20,
  })
  return {
    found: found.map(({ memory, bm25, matched }) => [memory.memoryId, bm25, matched]),
    idf: [...idf],
    averageLength,
  }
}

async function isDuplicate(store: FileStore, number: number): Promise<boolean> {
  const plain = event(`skill:${number % 50}`, `word${number % 7} note${number} plain`)
  return (await record(store, 'g', plain)).status === 'duplicate'
}

/** Changes one byte of a file. */
async function damage(files: MemoryFiles, path: string, offset: number): Promise<void> {
  const bytes = Buffer.from(files.bytes(path))
  bytes[offset] = (bytes[offset] ?? 0) ^ 1
  await put(files, path, bytes)
}

async function put(files: MemoryFiles, path: string, bytes: Uint8Array): Promise<void> {
  await files.remove(path)
  const file = await files.openToAppend(path, true)
  await file.append(bytes)
  await file.datasync()
  await file.close()
  await files.syncFolder(path.slice(0, path.lastIndexOf('/')))
}

describe('indexes that are kept beside a graph', () => {
  test('give the same answers as those that are worked out anew, also when they are damaged, cut or of another format', async () => {
    const files = new MemoryFiles()
    await fill(files)
    const [path = ''] = indexesIn(files)
    const whole = Buffer.from(files.bytes(path))
    const header = whole.indexOf('\n')
    const cases: Record<string, () => Promise<void>> = {
      'as they are': async () => undefined,
      missing: () => files.remove(path),
      empty: () => put(files, path, Buffer.alloc(0)),
      'cut short': () => put(files, path, whole.subarray(0, whole.length >> 1)),
      'of another format': () =>
        put(files, path, Buffer.from(whole.toString('latin1').replace('indexes 1', 'indexes 9'), 'latin1')),
      'of another memory': () =>
        put(
          files,
          path,
          Buffer.from(whole.toString('latin1').replace(/"lastId":"....../, '"lastId":"xxxxxx'), 'latin1'),
        ),
    }
    for (const offset of [
      3,
      header - 2,
      header + 9,
      header + 4 * MEMORIES + 5,
      whole.length >> 1,
      whole.length - 20,
    ])
      cases[`damaged at ${offset}`] = () => damage(files, path, offset)
    let expected: unknown
    for (const [name, harm] of Object.entries(cases)) {
      await put(files, path, whole)
      await harm()
      const store = await openOn(files, { compactBytes: 1e9 })
      const given = await answers(store)
      expected ??= given
      expect(given, name).toEqual(expected)
      expect(await isDuplicate(store, 1999), name).toBe(true)
      expect(await isDuplicate(store, 12), name).toBe(true)
      await store.close()
    }
  }, 120_000)

  test('are gone on from: what was recorded after them is found as well', async () => {
    const files = new MemoryFiles()
    await fill(files)
    const store = await openOn(files, { compactBytes: 1e9 })
    await record(store, 'g', event('skill:new', 'unheard of'))
    expect((await ask(store, 'g').retrieve({ terms: ['unheard', 'note7'], limit: 9 })).found).toHaveLength(2)
    await store.close()
    const again = await openOn(files)
    expect((await ask(again, 'g').retrieve({ terms: ['unheard', 'note7'], limit: 9 })).found).toHaveLength(2)
    expect((await record(again, 'g', event('skill:new', 'unheard of'))).status).toBe('duplicate')
    await again.close()
  }, 120_000)

  test('are not read for an export', async () => {
    const files = new MemoryFiles()
    await fill(files)
    const read: string[] = []
    files.before = (_, path) => void read.push(path)
    const store = await openOn(files)
    for await (const _ of (await store.exportGraph('g')).events);
    expect(read.filter((path) => path.endsWith('/indexes'))).toEqual([])
    await store.close()
  }, 120_000)

  test('a file that cannot be written or read refuses nothing', async () => {
    const files = new MemoryFiles()
    files.before = (_, path) => {
      if (path.includes('/indexes')) throw Object.assign(new Error('refused'), { code: 'EIO' })
    }
    await fill(files)
    expect(indexesIn(files)).toEqual([])
    files.before = () => undefined
    await fill(files)
    expect(indexesIn(files)).toHaveLength(1)
    files.before = (_, path) => {
      if (path.includes('/indexes')) throw Object.assign(new Error('refused'), { code: 'EIO' })
    }
    const store = await openOn(files)
    expect((await answers(store)).found.length).toBeGreaterThan(0)
    await store.close()
  }, 120_000)

  test('no term of an erased memory is in any file, also after a restart', async () => {
    const files = new MemoryFiles()
    await fill(files)
    const holding = (text: string) =>
      [...files.names.files.keys()].filter((path) => files.bytes(path).includes(text))
    expect(holding(`${stemOf(SECRET)}\n`)).toEqual(indexesIn(files))
    let store = await openOn(files, { compactBytes: 1e9 })
    const { found } = await ask(store, 'g').retrieve({ terms: [stemOf(SECRET)], limit: 1 })
    await store.erase('g', { memoryId: found[0]?.memory.memoryId ?? '' }, { dryRun: false })
    expect(holding(stemOf(SECRET))).toEqual([])
    await store.close()
    store = await openOn(files, { compactBytes: 1e9 })
    expect((await ask(store, 'g').retrieve({ terms: [stemOf(SECRET)], limit: 1 })).found).toEqual([])
    await store.close()
    expect(holding(stemOf(SECRET))).toEqual([])
    const { graphs, strays } = await verifyFolder(files, FOLDER)
    expect(graphs.map(({ broken, torn }) => broken ?? torn)).toEqual([undefined])
    expect(strays).toEqual([])
  }, 120_000)
})
