import { dirname } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { LINK_KINDS, type LinkKind } from '../../../../src/domain/model.js'
import { createMetrics } from '../../../../src/http/pages/metrics.js'
import type { OpenFile } from '../../../../src/log/file/disk/files.js'
import { verifyFolder } from '../../../../src/log/file/verify.js'
import { storeMetrics } from '../../../../src/service/store-metrics.js'
import { DiskError, MemoryFiles } from '../../../faults/support/memory-files.js'
import { FOLDER, openOn } from '../../../faults/support/scene.js'
import {
  ask,
  at,
  contradicts,
  event,
  exported,
  FIRST,
  inPages,
  record,
  withoutPlaces,
} from '../../../store/support.js'

const SECRET = 'the-secret-that-must-go'

/** The files of a disk in which the bytes can be found. */
function holding(files: MemoryFiles, text: string): string[] {
  return [...files.names.files.keys()].filter((path) => files.bytes(path).includes(text))
}

/** Folders of graphs, and files that never got their name. */
function remains(files: MemoryFiles): string[] {
  const folders = [...files.names.folders].filter((path) => path.startsWith(`${FOLDER}/graphs/`))
  return [...folders, ...[...files.names.files.keys()].filter((path) => path.endsWith('.tmp'))]
}

/** A graph that was folded and goes on in its journal, with the secret in both. */
async function fill(files: MemoryFiles) {
  const store = await openOn(files, { compactBytes: 4000 })
  const ids: string[] = []
  for (let i = 0; i < 40; i++) {
    const secret = i % 13 === 5
    const one = event(secret ? 'skill:secret' : `skill:${i % 3}`, secret ? `${SECRET} ${i}` : `plain ${i}`)
    const { memoryId } = await record(store, 'g', one)
    if (secret) ids.push(memoryId)
  }
  return { store, ids }
}

function refuseToRemove(files: MemoryFiles, folder: string): void {
  files.before = (operation, path) => {
    if (operation === 'remove' && path === folder) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
  }
}

/** A disk that fails to close what is written to the files of a folder. */
class UnclosedFiles extends MemoryFiles {
  unclosed: string | undefined
  failures = 0

  override async openToAppend(path: string, create: boolean): Promise<OpenFile> {
    const file = await super.openToAppend(path, create)
    const close = async () => {
      await file.close()
      if (dirname(path) !== this.unclosed) return
      this.failures++
      throw new DiskError('EIO', path)
    }
    return { ...file, close }
  }
}

describe('D24: erased from every file', () => {
  test('a memory, a context, a graph: no file holds the text, also after a restart and a fold', async () => {
    for (const what of ['memories', 'context', 'everything']) {
      const files = new MemoryFiles()
      const { store, ids } = await fill(files)
      expect(holding(files, SECRET).map((path) => path.split('/').at(-1))).toEqual(
        expect.arrayContaining(['journal.ndjson', 'snapshot.json']),
      )
      if (what === 'memories')
        for (const memoryId of ids) await store.erase('g', { memoryId }, { dryRun: false })
      else
        await store.erase('g', what === 'context' ? { contextId: 'skill:secret' } : { everything: true }, {
          dryRun: false,
        })
      expect(holding(files, SECRET)).toEqual([])
      expect(remains(files)).toHaveLength(what === 'everything' ? 0 : 1)
      for (let i = 0; i < 60; i++) await record(store, 'g', event('skill:new', `after ${i}`))
      await store.close()
      const again = await openOn(files, { compactBytes: 500 })
      for (let i = 0; i < 60; i++) await record(again, 'g', event('skill:new', `again ${i}`))
      await again.close()
      expect(holding(files, SECRET)).toEqual([])
      expect(remains(files)).toHaveLength(1)
      const { graphs, strays } = await verifyFolder(files, FOLDER)
      expect(graphs.map(({ broken, torn }) => broken ?? torn)).toEqual([undefined])
      expect(strays).toEqual([])
    }
  })

  test('the name of a field goes with its memory, whoever named it and whatever was answered', async () => {
    const files = new MemoryFiles()
    const store = await openOn(files, { compactBytes: 2000 })
    const secret = event('menu:a', '', { payload: { [SECRET]: 'x', price: 1 } })
    const { memoryId: target } = await record(store, 'g', secret)
    const about = (text: string, kind: LinkKind) =>
      event('note:a', text, { links: [{ kind, target, field: SECRET }] })
    const asking = event('menu:b', '', {
      payload: { [SECRET.toUpperCase()]: 'y', amount: 2 },
      links: [{ kind: 'reinforcement', target }],
    })
    const once = { body: 'b'.repeat(64) }
    const { memoryId: other } = await record(store, 'g', asking)
    for (const [i, kind] of LINK_KINDS.entries())
      await store.append('g', [about(`note ${i}`, kind)], at, { ...once, key: `${i}`.repeat(64) })
    const [unsure] = await store.append('g', [event('note:a', 'All is wrong', contradicts('menu:a'))], at, {
      ...once,
      key: 'c'.repeat(64),
    })
    expect(unsure?.unresolved).toMatchObject([{ candidates: [{ memoryId: target }] }])
    for (let i = 0; i < 20; i++) await record(store, 'g', event('skill:more', `more ${i}`))
    for (const memoryId of [target, other]) await store.erase('g', { memoryId }, { dryRun: false })
    for (const part of [SECRET, SECRET.toUpperCase()]) expect(holding(files, part)).toEqual([])
    await store.close()
    const again = await openOn(files, { compactBytes: 500 })
    for (let i = 0; i < 20; i++) await record(again, 'g', event('skill:more', `again ${i}`))
    await again.close()
    for (const part of [SECRET, SECRET.toUpperCase()]) expect(holding(files, part)).toEqual([])
  })

  test('a damaged file that was set aside goes, too', async () => {
    const files = new MemoryFiles()
    const { store, ids } = await fill(files)
    const [journal = ''] = holding(files, SECRET)
    const aside = await files.openToAppend(`${journal}.damaged-1`, true)
    await aside.append(Buffer.from(SECRET))
    await aside.close()
    for (const memoryId of ids) await store.erase('g', { memoryId }, { dryRun: false })
    expect(holding(files, SECRET)).toEqual([])
    await store.close()
  })

  test('what cannot be removed is said, is in no answer, and is removed at the next start', async () => {
    for (const what of [{ contextId: 'skill:secret' }, { everything: true } as const]) {
      const files = new MemoryFiles()
      const { store } = await fill(files)
      const folder = remains(files)[0] ?? ''
      refuseToRemove(files, folder)
      await expect(store.erase('g', what, { dryRun: false })).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringContaining('could not be removed. The service tries again'),
      })
      await expect(ask(store, 'g').context('skill:secret')).rejects.toMatchObject({
        code: 'everything' in what ? 'graph_not_found' : 'context_not_found',
      })
      files.before = () => undefined
      await store.close()
      const again = await openOn(files)
      expect(holding(files, SECRET)).toEqual([])
      expect(remains(files)).toHaveLength('everything' in what ? 0 : 1)
      await again.close()
    }
  })

  test('D16: what cannot be removed is tried again every 30 seconds, and a metric says so', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const files = new MemoryFiles()
    const { store } = await fill(files)
    const metrics = createMetrics()
    storeMetrics(metrics, store)
    const NOT_REMOVED = 'loregraph_store_folders_not_removed'
    expect(await metrics.text()).toContain(`${NOT_REMOVED} 0\n`)
    refuseToRemove(files, remains(files)[0] ?? '')
    await expect(store.erase('g', { contextId: 'skill:secret' }, { dryRun: false })).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await metrics.text()).toContain(`${NOT_REMOVED} 1\n`)
    files.before = () => undefined
    vi.advanceTimersByTime(30_000)
    await vi.waitFor(async () => expect(await metrics.text()).toContain(`${NOT_REMOVED} 0\n`))
    expect(holding(files, SECRET)).toEqual([])
    expect(remains(files)).toHaveLength(1)
    await store.close()
  })

  test('the folder of an erasure that failed and could not be removed goes with the next, or that is not acknowledged', async () => {
    const files = new MemoryFiles()
    const { store, ids } = await fill(files)
    // A compaction that is still running has a temporary file.
    await vi.waitFor(() => expect(remains(files)).toHaveLength(1))
    const before = remains(files)
    files.before = (operation, path) => {
      if (operation === 'remove' && dirname(path) === `${FOLDER}/graphs`)
        throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
      if (operation === 'append' && path.includes('manifest') && remains(files).length > before.length)
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    const [memoryId = '', ...rest] = ids
    const erase = () => store.erase('g', { memoryId }, { dryRun: false })
    await expect(erase()).rejects.toMatchObject({ code: 'storage_full' })
    const [left = ''] = remains(files).filter((folder) => !before.includes(folder))
    expect(holding(files, SECRET).some((path) => path.startsWith(`${left}/`))).toBe(true)
    refuseToRemove(files, left)
    await expect(erase()).rejects.toMatchObject({ code: 'storage_unavailable' })
    files.before = () => undefined
    for (const other of rest) await store.erase('g', { memoryId: other }, { dryRun: false })
    expect(holding(files, SECRET)).toEqual([])
    expect(remains(files)).toHaveLength(1)
    expect(store.stats().notRemoved).toBe(0)
    await store.close()
  })

  test('a disk that fails once the graph is replaced does not make the answer say that nothing was changed', async () => {
    const files = new MemoryFiles()
    const { store } = await fill(files)
    const [folder = ''] = remains(files)
    files.before = (operation, path) => {
      if (operation === 'syncFolder' && path === dirname(folder) && files.identify(folder) === undefined)
        throw new DiskError('EIO', path)
    }
    await expect(store.erase('g', { contextId: 'skill:secret' }, { dryRun: false })).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringContaining('What was erased is in no answer any more'),
    })
    expect(store.health()).toMatchObject({ writable: false })
    files.before = () => undefined
    await store.close()
  })

  test('a file of the old graph that cannot be closed does not keep the folder', async () => {
    const files = new UnclosedFiles()
    const { store } = await fill(files)
    files.unclosed = remains(files)[0]
    await store.erase('g', { contextId: 'skill:secret' }, { dryRun: false })
    expect(holding(files, SECRET)).toEqual([])
    expect(files.failures).toBeGreaterThan(0)
    await store.close()
  })

  test('a full disk refuses the erasure and changes nothing', async () => {
    const files = new MemoryFiles()
    const { store } = await fill(files)
    const before = await withoutPlaces(store, 'g')
    const [folder] = remains(files)
    files.before = (operation, path) => {
      if (operation === 'append' && !path.startsWith(`${folder}/`) && path.includes('/graphs/'))
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    const refused = store.erase('g', { contextId: 'skill:secret' }, { dryRun: false })
    await expect(refused).rejects.toMatchObject({ code: 'storage_full' })
    expect(remains(files)).toEqual([folder])
    expect(await withoutPlaces(store, 'g')).toEqual(before)
    files.before = () => undefined
    await store.erase('g', { contextId: 'skill:secret' }, { dryRun: false })
    expect(holding(files, SECRET)).toEqual([])
    await store.close()
  })

  test('a deleted graph leaves no name behind, while an import goes on, after one that failed, and after a crash', async () => {
    const files = new MemoryFiles()
    const store = await openOn(files)
    await record(store, 'other', event('skill:a', 'stays'))
    const broken = (async function* () {
      yield await exported(store, 'other')
      throw new Error('gone')
    })()
    await expect(store.importGraph('mueller', broken, at)).rejects.toThrow('gone')
    const { memoryId } = await record(store, 'mueller', event('skill:a', 'x'))
    await store.erase('mueller', { memoryId }, { dryRun: false })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const events = await exported(store, 'other')
    const slow = (async function* () {
      yield events
      await held
    })()
    const importing = store.importGraph('copy', slow, at)
    const disks: MemoryFiles[] = []
    files.before = () => disks.push(files.afterKill())
    await store.erase('mueller', { everything: true }, { dryRun: false })
    files.before = () => undefined
    expect(holding(files, 'mueller')).toEqual([])
    disks.push(files.afterKill())
    release()
    await importing
    await store.close()
    for (const disk of disks) {
      const again = await openOn(disk)
      const { items } = await again.graphs(undefined, FIRST)
      expect(items).toEqual(items.includes('mueller') ? ['mueller', 'other'] : ['other'])
      if (!items.includes('mueller')) expect(holding(disk, 'mueller')).toEqual([])
      expect(remains(disk)).toHaveLength(items.length)
      await again.close()
    }
  })

  test('many erasures leave a manifest that does not grow for ever', async () => {
    const files = new MemoryFiles()
    let store = await openOn(files)
    for (let i = 0; i < 80; i++) {
      const { memoryId } = await record(store, 'g', event('skill:a', `n${i}`))
      await store.erase('g', { memoryId }, { dryRun: false })
    }
    await store.close()
    const { length } = files.bytes(`${FOLDER}/manifest.1.ndjson`)
    store = await openOn(files)
    expect(files.bytes(`${FOLDER}/manifest.1.ndjson`).length).toBeLessThan(length / 20)
    expect((await store.graphs(undefined, FIRST)).items).toEqual(['g'])
    await store.close()
  })
})

describe('D16: an export', () => {
  test('goes on whatever is folded or recorded meanwhile, and ends rather than give what was erased', async () => {
    const files = new MemoryFiles()
    const { store } = await fill(files)
    const before = await exported(store, 'g')
    const slow = await Promise.all(
      Array.from({ length: 4 }, async () => (await store.exportGraph('g')).events),
    )
    const drain = async (pages: AsyncIterable<readonly unknown[]> | undefined) => {
      const found: unknown[] = []
      for await (const some of pages ?? []) found.push(...some)
      return found
    }
    for (let i = 0; i < 80; i++) await record(store, 'g', event('skill:new', `after ${i}`))
    expect(await drain(slow[0])).toEqual(before)
    await store.erase('g', { contextId: 'skill:secret' }, { dryRun: false })
    await expect(drain(slow[1])).rejects.toThrow('was erased while it was read')
    await store.erase('g', { everything: true }, { dryRun: false })
    await expect(drain(slow[2])).rejects.toThrow()
    await store.close()
    await expect(drain(slow[3])).rejects.toThrow()
    expect(files.open).toBe(0)
  })

  test('an import makes nothing until something has come', async () => {
    const files = new MemoryFiles()
    const { store } = await fill(files)
    const events = await exported(store, 'g')
    // A compaction may still go on behind the last answer.
    await expect.poll(() => remains(files).filter((path) => path.endsWith('.tmp'))).toEqual([])
    const before = remains(files)
    let send: () => void = () => undefined
    const sent = new Promise<void>((resolve) => {
      send = resolve
    })
    const slow = (async function* () {
      await sent
      yield events
    })()
    const importing = store.importGraph('copy', slow, at)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(remains(files)).toEqual(before)
    send()
    await importing
    expect(remains(files).filter((path) => !path.endsWith('.tmp'))).toHaveLength(before.length + 1)
    expect(await exported(store, 'copy')).toEqual(events)
    await store.close()
  })

  test('ends with the store, and so does an import', async () => {
    const files = new MemoryFiles()
    const { store } = await fill(files)
    const events = await exported(store, 'g')
    const stalled = store.importGraph(
      'copy',
      inPages(events, 5, () => new Promise(() => undefined)),
      at,
    )
    const refused = expect(stalled).rejects.toMatchObject({ code: 'storage_unavailable' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await store.close()
    await refused
    expect(files.open).toBe(0)
    expect(remains(files)).toHaveLength(1)
  })

  test('an import ends with the store, too, when that is closed while events are taken in and no others come', async () => {
    const files = new MemoryFiles()
    const { store } = await fill(files)
    const events = await exported(store, 'g')
    let closing: Promise<void> | undefined
    const stalled = store.importGraph(
      'copy',
      inPages(events, events.length, () => new Promise(() => undefined)),
      (i) => {
        closing ??= store.close()
        return at(i)
      },
    )
    await expect(stalled).rejects.toMatchObject({ code: 'storage_unavailable' })
    await closing
    expect(files.open).toBe(0)
    expect(remains(files)).toHaveLength(1)
  })
})
