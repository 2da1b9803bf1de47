import { randomBytes } from 'node:crypto'
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dropBackupOf } from '../../../src/cli/commands/backup.js'
import { verify } from '../../../src/cli/commands/verify.js'
import { type Files, nodeFiles } from '../../../src/log/file/disk/files.js'
import { encodeLine } from '../../../src/log/file/log/frame.js'
import { openFileStore } from '../../../src/log/file-store.js'
import type { Store } from '../../../src/store/store.js'
import { ask, at, event, exported, FIRST, inPages, record, withoutPlaces } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { runsOf } from '../../support/runs.js'
import { SILENT } from '../../support/silent.js'

/** After how many steps of bringing it over the next cut comes. */
const STRIDE = runsOf({ quick: 5, full: 1 })
const fixtures = new URL('../../fixtures/', import.meta.url)
let folder = ''
const open = () => openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT })

beforeEach(async () => {
  folder = temporaryFolder()
  await cp(new URL('v0.1.0-data', fixtures), folder, { recursive: true })
})
afterEach(async () => {
  for (const path of [folder, `${folder}.backup-0.1`]) await rm(path, { recursive: true, force: true })
})

/** What version 0.1.0 answered about a graph when it had written the folder, asked in the same way. */
async function answers(store: Store, graph: string) {
  const all = { page: 0, pageSize: 1000 }
  const types = await ask(store, graph).contextTypes(all)
  const contexts = []
  for (const { contextType } of types.items)
    contexts.push(...(await ask(store, graph).contextsOfType(contextType, all)).items)
  const memories = []
  const relationships = []
  for (const { contextId } of contexts) {
    memories.push(...(await ask(store, graph).contextMemories(contextId, all)).items)
    relationships.push(...(await ask(store, graph).relationships(contextId, {})))
  }
  return { contexts, memories, relationships }
}

type Answers = Awaited<ReturnType<typeof answers>>

/** Answers without what the rules of 0.1.0 decided otherwise; what happened is told from the latest statement now. */
function said({ contexts, memories, relationships }: Answers) {
  const plain = memories.map(({ trust, occurredAt, ...memory }) =>
    memory.timesSeen === 1 ? { ...memory, occurredAt } : memory,
  )
  return { contexts, memories: plain, relationships }
}

async function standing(store: Store, graph: string) {
  const { memories } = await answers(store, graph)
  return memories.map(({ text, trust }) => `${text}: ${trust.status} ${trust.confidence}`)
}

/** Every file of the data folder and its bytes, but for the lock. */
async function filesIn(path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && !entry.name.startsWith('lock')) found.set(file, await readFile(file, 'latin1'))
  }
  return found
}

describe('D15: data of an earlier version', () => {
  test('D15: what 0.1.0 wrote opens, answers as it did but for what stands, and is whole', async () => {
    const then = JSON.parse(await readFile(new URL('v0.1.0-answers.json', fixtures), 'utf8'))
    const print: string[] = []
    expect(await verify(folder, (line) => print.push(line))).toBe(0)
    for (let i = 0; i < 2; i++) {
      const store = await open()
      for (const graph of ['demo', 'Other.Graph'])
        expect(said(await answers(store, graph))).toEqual(said(then[graph]))
      expect(await standing(store, 'demo')).toEqual([
        'We use Vitest now.: current 0.9',
        'We use Jest.: superseded 0.2',
        ...[5, 4, 3, 2, 1, 0].map((i) => `Number ${i} is recorded.: current 0.6`),
        'Jest mocks are hoisted.: stale 0.65',
      ])
      await store.close()
    }
    expect(await verify(folder, (line) => print.push(line))).toBe(0)
  })

  test('D15: before it is brought over, it is copied as it was to a folder that only its owner may read', async () => {
    const before = await filesIn(folder)
    await (await open()).close()
    const backup = `${folder}.backup-0.1`
    const copied = await filesIn(backup)
    const moved = [...before].map(([file, bytes]) => [file.replace(folder, backup), bytes] as const)
    expect(copied).toEqual(new Map(moved))
    expect((await stat(backup)).mode & 0o777).toBe(0o700)
    expect([...(await filesIn(folder))].filter(([, bytes]) => bytes.includes('"format":1'))).toEqual([])
    await (await open()).close()
    expect(await filesIn(backup)).toEqual(copied)
  })

  test('D15: an erasure warns of the backup until it is dropped', async () => {
    const warned: string[] = []
    const warn = (_: object, message: string) => void warned.push(message)
    const store = await openFileStore({
      folder,
      now: () => new Date(),
      randomBytes,
      log: { ...SILENT, warn },
    })
    const erase = (contextId: string) => store.erase('demo', { contextId }, { dryRun: false })
    expect(warned.splice(0)).toEqual([expect.stringContaining(`${folder}.backup-0.1`)])
    await erase('fact:numbers')
    expect(warned.splice(0)).toEqual([expect.stringContaining('may still be in')])
    const printed: string[] = []
    expect(await dropBackupOf(folder, (line) => printed.push(line))).toBe(0)
    expect(await dropBackupOf(folder, (line) => printed.push(line))).toBe(66)
    expect(printed).toEqual([`Removed ${folder}.backup-0.1.`, `There is no backup ${folder}.backup-0.1.`])
    await erase('decision:test_runner')
    expect(warned).toEqual([])
    await store.close()
  })

  test('D15: cut short after any step, the next start goes on, and what stands is the same', async () => {
    const whole = await open()
    const wanted = await answers(whole, 'demo')
    await whole.close()
    for (let steps = 1, cut = true; cut; steps += STRIDE) {
      for (const path of [folder, `${folder}.backup-0.1`, `${folder}.backup-0.1.tmp`])
        await rm(path, { recursive: true, force: true })
      await cp(new URL('v0.1.0-data', fixtures), folder, { recursive: true })
      const files = dyingAfter(steps)
      const half = await openFileStore({
        folder,
        now: () => new Date(),
        randomBytes,
        log: SILENT,
        files,
      }).catch(() => undefined)
      cut = half === undefined
      await half?.close().catch(() => undefined)
      const store = await open()
      expect(await answers(store, 'demo')).toEqual(wanted)
      await store.close()
      expect(await verify(folder, () => undefined)).toBe(0)
    }
  })

  test('D15: on a disk that is full it is read, and nothing is written', async () => {
    const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
    const files: Files = {
      ...nodeFiles,
      openToAppend: (path, create) =>
        path.includes('backup') ? full() : nodeFiles.openToAppend(path, create),
    }
    const store = await openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT, files })
    expect((await standing(store, 'demo'))[1]).toBe('We use Jest.: superseded 0.2')
    await store.importGraph('copy', inPages(await exported(store, 'demo')), at).catch(() => undefined)
    await expect(record(store, 'demo', event('fact:a', 'x'))).rejects.toMatchObject({
      code: 'storage_unavailable',
    })
    const events = await exported(store, 'demo')
    await store.close()
    const again = await open()
    expect(await exported(again, 'demo')).toEqual(events)
    await again.close()
  })

  test('D15: it can be written to, erased from, exported and imported', async () => {
    const store = await open()
    expect(await record(store, 'demo', event('decision:test_runner', 'We use Jest.'))).toMatchObject({
      status: 'duplicate',
    })
    await store.importGraph('copy', inPages(await exported(store, 'demo')), at)
    expect(await withoutPlaces(store, 'copy')).toEqual(await withoutPlaces(store, 'demo'))
    await store.erase('demo', { contextId: 'fact:numbers' }, { dryRun: false })
    await store.erase('Other.Graph', { everything: true }, { dryRun: false })
    await store.close()
    const again = await open()
    expect((await again.graphs(undefined, FIRST)).items).toEqual(['copy', 'demo'])
    await expect(ask(again, 'demo').context('fact:numbers')).rejects.toMatchObject({
      code: 'context_not_found',
    })
    await again.close()
  })
})

describe('D15: data of a later version', () => {
  const header = (log: string) => encodeLine({ format: 99, log, after: 0 })
  const manifest = () => join(folder, 'manifest.ndjson')
  const graph = async (file: string) => {
    const names = await readdir(join(folder, 'graphs'))
    return join(folder, 'graphs', names.find((name) => name.startsWith('demo.')) ?? '', file)
  }

  const later: [string, () => Promise<string>, (before: Buffer) => Buffer][] = [
    ['manifest', async () => manifest(), (before) => withFirstLine(before, header('manifest'))],
    ['journal', () => graph('journal.ndjson'), (before) => withFirstLine(before, header('graph demo'))],
    [
      'snapshot',
      () => graph('snapshot.json'),
      (before) => Buffer.from(before.toString().replace('"format":1', '"format":99')),
    ],
    ['keys', async () => join(folder, 'keys.json'), () => Buffer.from('{"format":99,"keys":"sealed"}')],
  ]

  test.each(later)(
    'D15: a %s of a newer format is refused with 78, and nothing is touched',
    async (_, path, make) => {
      const file = await path()
      await writeFile(file, make(await readFile(file).catch(() => Buffer.alloc(0))))
      const before = await filesIn(folder)
      await expect(open()).rejects.toMatchObject({
        exitCode: 78,
        file,
        message: expect.stringContaining('a newer Loregraph wrote it'),
      })
      expect(await verify(folder, () => undefined)).toBe(78)
      expect(await filesIn(folder)).toEqual(before)
    },
  )
})

/** Files of a process that is killed: after so many writes, names and removals nothing happens any more. */
function dyingAfter(steps: number): Files {
  let left = steps
  const alive = async <T>(step: () => Promise<T>): Promise<T> => {
    if (left-- <= 0) throw new Error('killed')
    return step()
  }
  return {
    ...nodeFiles,
    openToAppend: (path, create) =>
      alive(async () => {
        const file = await nodeFiles.openToAppend(path, create)
        return {
          read: (buffer, position) => file.read(buffer, position),
          readNow: (buffer, position) => file.readNow(buffer, position),
          append: (bytes) => alive(() => file.append(bytes)),
          truncate: (size) => alive(() => file.truncate(size)),
          datasync: () => file.datasync(),
          identity: () => file.identity(),
          close: () => file.close(),
        }
      }),
    rename: (from, to) => alive(() => nodeFiles.rename(from, to)),
    remove: (path) => alive(() => nodeFiles.remove(path)),
    makeFolder: (path) => alive(() => nodeFiles.makeFolder(path)),
  }
}

function withFirstLine(file: Buffer, line: Buffer): Buffer {
  return Buffer.concat([line, file.subarray(file.indexOf(0x0a) + 1)])
}
