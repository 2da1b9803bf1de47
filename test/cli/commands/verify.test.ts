import { randomBytes } from 'node:crypto'
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { repair } from '../../../src/cli/commands/repair.js'
import { verify } from '../../../src/cli/commands/verify.js'
import { nodeFiles } from '../../../src/log/file/disk/files.js'
import { folderOf } from '../../../src/log/file/folder-names.js'
import { openFileStore } from '../../../src/log/file-store.js'
import { ask, at, event, FIRST } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'

let folder = ''
let lines: string[] = []
const print = (line: string) => void lines.push(line)
const open = (compactBytes = 1e6) =>
  openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT, compactBytes, pid: process.pid })
const inGraph = (file: string) => join(folder, 'graphs', folderOf('g', 1), file)

/** Twenty records in graph g. */
async function fill(compactBytes?: number): Promise<void> {
  const store = await open(compactBytes)
  for (let i = 0; i < 20; i++) await store.append('g', [event('skill:a', `record ${i}`)], at)
  await store.close()
}

/** Changes one byte of a file. */
async function damage(path: string, share: number): Promise<void> {
  const bytes = await readFile(path)
  const i = Math.floor(bytes.length * share)
  bytes[i] = (bytes[i] ?? 0) ^ 1
  await writeFile(path, bytes)
}

async function count(): Promise<number> {
  const store = await open()
  const { total } = await ask(store, 'g').contextMemories('skill:a', FIRST)
  await store.close()
  return total
}

beforeEach(() => {
  folder = temporaryFolder()
  lines = []
})

describe('verify', () => {
  test('0: every file is as it was written', async () => {
    await fill(1000)
    expect(await verify(folder, print)).toBe(0)
    expect(lines).toEqual(['ok       graph g: 20 records'])
  })

  test('3: only a last write that was never acknowledged is incomplete', async () => {
    await fill()
    const { size } = await stat(inGraph('journal.ndjson'))
    await truncate(inGraph('journal.ndjson'), size - 5)
    expect(await verify(folder, print)).toBe(3)
    expect(lines.join()).toContain('never acknowledged')
    expect(await count()).toBe(19)
    expect(await verify(folder, print)).toBe(0)
  })

  test('66: there is no such folder, or it is no data folder', async () => {
    await fill()
    expect(await verify(join(folder, 'none'), print)).toBe(66)
    for (const other of ['/etc', join(folder, 'graphs'), join(folder, '..')]) {
      expect(await verify(other, print)).toBe(66)
      expect(await repair(other, { truncate: true }, print)).toBe(66)
    }
    expect(new Set(lines.slice(1).map((line) => line.replace(/^\S+/, '')))).toEqual(
      new Set([' is no data folder. Choose another with --data.']),
    )
  })

  test('78: the hash of the root secret is damaged', async () => {
    await fill()
    await writeFile(join(folder, 'secret.sha256'), 'something else')
    expect(await verify(folder, print)).toBe(78)
    expect(lines.join()).toContain('secret.sha256: it does not hold the hash of a secret')
  })

  test('78: the manifest and the graphs are gone, and keys or marks are there', async () => {
    await fill()
    await rm(join(folder, 'graphs'), { recursive: true })
    await rm(join(folder, 'manifest.1.ndjson'))
    expect(await verify(folder, print)).toBe(78)
    await expect(open()).rejects.toMatchObject({ exitCode: 78 })
  })

  test('78: a folder with a journal that is not in the manifest', async () => {
    await fill()
    await cp(join(folder, 'graphs', folderOf('g', 1)), join(folder, 'graphs', 'stray'), { recursive: true })
    expect(await verify(folder, print)).toBe(78)
    expect(lines.join('\n')).toContain('DAMAGED  graphs/stray is not in the manifest')
    expect(await repair(folder, { truncate: true }, print)).toBe(78)
    expect(await count()).toBe(20)
    expect(await readdir(join(folder, 'graphs'))).toContain('stray')
  })

  test('the name of a stray folder cannot write to the terminal', async () => {
    await fill()
    await cp(join(folder, 'graphs', folderOf('g', 1)), join(folder, 'graphs', '\u001b[2J'), {
      recursive: true,
    })
    await verify(folder, print)
    expect(lines.join('\n')).not.toContain('\u001b')
  })

  test('78: damaged, with file and offset, and nothing is changed', async () => {
    await fill()
    await damage(inGraph('journal.ndjson'), 0.5)
    const before = await readFile(inGraph('journal.ndjson'))
    expect(await verify(folder, print)).toBe(78)
    expect(lines.join('\n')).toMatch(
      /DAMAGED {2}graph g: .*journal\.ndjson at byte \d+: .*; 9 records can be read before it/,
    )
    await expect(open()).rejects.toMatchObject({ exitCode: 78 })
    expect((await readFile(inGraph('journal.ndjson'))).equals(before)).toBe(true)
  })
})

describe('repair', () => {
  test('says what would be lost, and changes nothing until it is told to', async () => {
    await fill()
    await damage(inGraph('journal.ndjson'), 0.5)
    const before = await readdir(join(folder, 'graphs', folderOf('g', 1)))
    expect(await repair(folder, { truncate: false }, print)).toBe(78)
    expect(lines.join('\n')).toContain(
      'Would keep: the first 9 records. Would lose: the damaged record, 10 readable',
    )
    expect(await readdir(join(folder, 'graphs', folderOf('g', 1)))).toEqual(before)
    expect(await repair(folder, { truncate: true }, print)).toBe(0)
    expect(await verify(folder, print)).toBe(0)
    expect(await count()).toBe(9)
    const [name = ''] = await readdir(join(folder, 'graphs'))
    expect(await readdir(join(folder, 'graphs', name))).toContain('journal.ndjson.damaged-1')
  })

  test('keeps a graph up to the damage in its snapshot', async () => {
    await fill(1000)
    await damage(inGraph('snapshot.json'), 0.5)
    expect(await repair(folder, { truncate: true }, print)).toBe(0)
    expect(await verify(folder, print)).toBe(0)
    expect(await count()).toBeGreaterThan(0)
  })

  test('writes a damaged manifest anew without loss', async () => {
    await fill()
    await damage(join(folder, 'manifest.1.ndjson'), 0.9)
    expect(await repair(folder, { truncate: false }, print)).toBe(78)
    expect(await repair(folder, { truncate: true }, print)).toBe(0)
    expect(await count()).toBe(20)
  })

  test('finds a graph that was erased from without the manifest, and not what a crash left of it', async () => {
    await fill(1000)
    const store = await open()
    const { items } = await ask(store, 'g').contextMemories('skill:a', FIRST)
    await store.erase('g', { memoryId: items[3]?.memoryId ?? '' }, { dryRun: false })
    await store.close()
    const [name = ''] = await readdir(join(folder, 'graphs'))
    const unfinished = join(folder, 'graphs', `${folderOf('g', 1)}.7-00000000`)
    await cp(join(folder, 'graphs', name), unfinished, { recursive: true })
    await rm(join(unfinished, 'snapshot.json'))
    await damage(join(folder, 'manifest.1.ndjson'), 0.9)
    // It is not certain that nothing in it is needed, so it stays.
    expect(await repair(folder, { truncate: true }, print)).toBe(78)
    expect(lines.join('\n')).toContain(`${folderOf('g', 1)}.7-00000000 holds files of a graph`)
    expect(await count()).toBe(19)
  })

  test('D3: a graph of which the manifest and the header are damaged is kept whole', async () => {
    await fill()
    await damage(join(folder, 'manifest.1.ndjson'), 0.01)
    await damage(inGraph('journal.ndjson'), 0.001)
    expect(await repair(folder, { truncate: true }, print)).toBe(0)
    expect(await count()).toBe(20)
    expect(await verify(folder, print)).toBe(0)
  })

  test('D3: a graph of which nothing says what it is stays where it is, also when its name is used again', async () => {
    await fill()
    await writeFile(join(folder, 'manifest.1.ndjson'), 'nothing that can be read')
    await damage(inGraph('journal.ndjson'), 0.001)
    const before = await readFile(inGraph('journal.ndjson'))
    expect(await repair(folder, { truncate: true }, print)).toBe(78)
    expect(lines.join('\n')).toContain('It is kept as it is')
    const store = await open()
    await store.append('g', [event('skill:a', 'again')], at)
    await store.close()
    expect((await readFile(inGraph('journal.ndjson'))).equals(before)).toBe(true)
    expect(await verify(folder, print)).toBe(78)
  })

  test('D3: a graph that was deleted, and whose files could not be removed, is not brought back', async () => {
    const refuse = async (path: string) => {
      if (path.includes('graphs')) throw Object.assign(new Error('EIO'), { code: 'EIO' })
      await nodeFiles.remove(path)
    }
    const files = { ...nodeFiles, remove: refuse }
    const store = await openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT, files })
    await store.append('g', [event('skill:a', 'precious')], at)
    await store.append('other', [event('skill:a', 'kept')], at)
    await expect(store.erase('g', { everything: true }, { dryRun: false })).rejects.toMatchObject({
      code: 'storage_unavailable',
    })
    await store.close()
    await damage(join(folder, 'manifest.1.ndjson'), 0.01)
    expect(await repair(folder, { truncate: true }, print)).toBe(0)
    const again = await open()
    expect((await again.graphs(undefined, FIRST)).items).toEqual(['other'])
    await again.close()
    expect(await readdir(join(folder, 'graphs'))).toHaveLength(1)
  })

  test('78: the beginning of a graph is gone', async () => {
    await fill(1000)
    await rm(inGraph('snapshot.json'))
    expect(await repair(folder, { truncate: true }, print)).toBe(78)
    expect(lines.join('\n')).toContain('Restore it from a backup')
  })

  test('75: the folder is in use', async () => {
    const store = await open()
    expect(await repair(folder, { truncate: true }, print)).toBe(75)
    expect(lines.join()).toContain(`process ${process.pid}`)
    await store.close()
  })
})

describe('files', () => {
  test('C10: are for their owner alone, whatever the umask', async () => {
    const before = process.umask(0)
    try {
      await fill(1000)
    } finally {
      process.umask(before)
    }
    const modes = async (path: string): Promise<string[]> => {
      const stats = await stat(path)
      const inside = stats.isDirectory() ? await readdir(path) : []
      const own = `${stats.isDirectory() ? 'folder' : 'file'} ${(stats.mode & 0o777).toString(8)}`
      return [own, ...(await Promise.all(inside.map((name) => modes(join(path, name))))).flat()]
    }
    expect(new Set(await modes(folder))).toEqual(new Set(['folder 700', 'file 600']))
  })

  test('a snapshot is JSON, one write a line', async () => {
    await fill(1000)
    const text = await readFile(inGraph('snapshot.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ format: 2, graph: 'g' })
    expect(text.split('\n').length).toBeGreaterThan(5)
    for (const line of (await readFile(inGraph('journal.ndjson'), 'utf8')).trimEnd().split('\n'))
      JSON.parse(line)
  })
})
