import { describe, expect, test } from 'vitest'
import { Broken } from '../../src/log/file/disk/errors.js'
import { verifyFolder } from '../../src/log/file/verify.js'
import { nextTurn } from '../../src/loop/next-turn.js'
import { EXIT_BROKEN } from '../../src/store/open-error.js'
import type { Store } from '../../src/store/store.js'
import { at, event, everything, exported } from '../store/support.js'
import { MemoryFiles } from './support/memory-files.js'
import { scaled } from './support/scale.js'
import { createProgress, FOLDER, openOn, play } from './support/scene.js'

interface Disk {
  readonly files: MemoryFiles
  readonly manifest: string
  readonly journal: string
  readonly snapshot: string
  readonly answers: unknown
}

/** A graph with a snapshot and a journal that goes on from it, closed in good order. */
async function prepare(rounds: number, compactBytes: number): Promise<Disk> {
  const files = new MemoryFiles()
  const store = await openOn(files, { compactBytes })
  await play(store, createProgress(), rounds)
  // The journal is compacted in the background, and an erasure begins with a new one.
  const isCompacted = () =>
    [...files.names.files.keys()].some((path) => /\/one\..*snapshot\.json$/.test(path))
  for (let i = 0; i < 50 && compactBytes < 1_000_000 && !isCompacted(); i++) {
    await store.append('one', [event('skill:more', `${i} ${'x'.repeat(300)}`)], at)
    await nextTurn()
  }
  await store.append('one', [event('skill:last', 'y'.repeat(900))], at)
  const answers = await everything(store, 'one')
  await store.close()
  const inOne = [...files.names.files.keys()].filter((path) => path.includes('/graphs/one.'))
  const find = (name: string) => inOne.find((path) => path.endsWith(name)) ?? ''
  return {
    files,
    manifest: `${FOLDER}/manifest.1.ndjson`,
    journal: find('journal.ndjson'),
    snapshot: find('snapshot.json'),
    answers,
  }
}

/** The disk with other bytes in one file. */
function withBytes(disk: Disk, path: string, bytes: Buffer): MemoryFiles {
  const files = disk.files.afterKill()
  files.put(path, bytes)
  return files
}

/** The texts of all memories of graph one, in order of recording. */
async function textsIn(store: Store): Promise<unknown[]> {
  const events = await exported(store, 'one').catch(() => [])
  return events.map(({ payload }) => (payload as { text?: unknown }).text)
}

/** What `verify` says of the graph and of the folder. */
async function verdictOn(files: MemoryFiles): Promise<'whole' | 'torn' | 'broken'> {
  const { broken, torn, graphs } = await verifyFolder(files, FOLDER)
  if (broken !== undefined || graphs.some((graph) => graph.broken !== undefined)) return 'broken'
  return torn !== undefined || graphs.some((graph) => graph.torn !== undefined) ? 'torn' : 'whole'
}

describe('D3: an incomplete last record', () => {
  test('D3, D20: cut anywhere: exactly the records before it, and a line in the log', async () => {
    const disk = await prepare(10, 1_000_000)
    const bytes = disk.files.bytes(disk.journal)
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([i]) => i + 1)
    const [header = 0] = ends
    const all = await textsIn(await openOn(disk.files.afterKill()))
    const step = scaled(5, 1)
    for (let size = header; size <= bytes.length; size += step) {
      const files = withBytes(disk, disk.journal, bytes.subarray(0, size))
      const whole = ends.includes(size)
      expect(await verdictOn(files)).toBe(whole ? 'whole' : 'torn')
      const warnings: object[] = []
      const log = { info() {}, error() {}, warn: (details: object) => void warnings.push(details) }
      const store = await openOn(files, { log })
      const kept = bytes.subarray(header, Math.max(...ends.filter((end) => end <= size))).toString()
      const records = [...kept.matchAll(/"count":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
      expect(await textsIn(store)).toEqual(all.slice(0, records))
      expect(warnings).toHaveLength(whole ? 0 : 1)
      if (!whole)
        expect(warnings).toMatchObject([
          { file: disk.journal, offset: Math.max(...ends.filter((end) => end <= size)) },
        ])
      if (size % 30 === 0) {
        await store.append('one', [event('skill:new', 'after the cut')], at)
        await store.close()
        expect(await verdictOn(files)).toBe('whole')
      } else await store.close()
    }
  })

  test('D3, D20: zeros after the end, and a last record of which a sector or half of one was not written', async () => {
    const disk = await prepare(10, 1_000_000)
    const bytes = disk.files.bytes(disk.journal)
    const last = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1
    const torn: Buffer[] = [1, 15, 16, 511, 512, 4096].map((zeros) =>
      Buffer.concat([bytes, Buffer.alloc(zeros)]),
    )
    for (const [from, to] of [
      [bytes.length - 256, bytes.length],
      [Math.ceil(last / 512) * 512, Math.ceil(last / 512) * 512 + 512],
      [last, Math.ceil(last / 512) * 512],
      [bytes.length - (bytes.length % 512), bytes.length],
    ] as const) {
      const copy = Buffer.from(bytes)
      copy.fill(0, Math.max(last, from), to)
      torn.push(copy)
    }
    for (const image of torn) {
      const files = withBytes(disk, disk.journal, image)
      expect(await verdictOn(files)).toBe('torn')
      const store = await openOn(files)
      await store.append('one', [event('skill:new', 'after')], at)
      await store.close()
      expect(await verdictOn(files)).toBe('whole')
    }
  })
})

describe('D4: a byte that is not what was written', () => {
  for (const which of ['journal', 'snapshot', 'manifest'] as const)
    test(`D4, D20: each byte of the ${which}: never opened, the file named, nothing changed`, async () => {
      const disk = await prepare(6, 1500)
      expect(disk.snapshot).not.toBe('')
      const path = disk[which]
      const bytes = disk.files.bytes(path)
      const step = scaled(5, 1)
      for (let i = 0; i < bytes.length; i += step)
        for (const flip of [0x01, 0xff, bytes[i] ?? 0, (bytes[i] ?? 0) ^ 0x0a]) {
          if (flip === 0) continue
          const copy = Buffer.from(bytes)
          copy[i] = (copy[i] ?? 0) ^ flip
          const files = withBytes(disk, path, copy)
          const error: unknown = await openOn(files).then(
            () => 'it opened',
            (reason: unknown) => reason,
          )
          if (!(error instanceof Broken))
            expect.fail(`byte ${i} of the ${which}, flipped by ${flip}: ${error}`)
          expect(error).toMatchObject({ file: path, exitCode: EXIT_BROKEN })
          expect(error.offset).toBeLessThanOrEqual(i)
          expect(error.message).toContain('loregraph verify')
          expect(files.bytes(path).equals(copy)).toBe(true)
          expect(await verdictOn(files)).toBe('broken')
        }
    })

  test('D4: a journal or snapshot of a newer format is refused and left alone', async () => {
    const disk = await prepare(6, 1500)
    const header = JSON.parse(disk.files.bytes(disk.snapshot).toString().split('\n')[0]?.concat(']}') ?? '')
    const future = disk.files.bytes(disk.snapshot).toString().replace('"format":2', '"format":3')
    expect(header).toMatchObject({ format: 2 })
    const files = withBytes(disk, disk.snapshot, Buffer.from(future))
    await expect(openOn(files)).rejects.toThrow(/its format is 3 and this program knows 2/)
    expect(files.bytes(disk.snapshot).toString()).toBe(future)
  })
})

describe('D14: a file that is gone is missed', () => {
  for (const which of ['journal', 'snapshot', 'manifest'] as const)
    test(`D14, D20: without the ${which} nothing is served`, async () => {
      const disk = await prepare(6, 1500)
      const files = disk.files.afterKill()
      files.names.files.delete(disk[which])
      await expect(openOn(files)).rejects.toMatchObject({ file: disk[which], exitCode: EXIT_BROKEN })
      await expect(openOn(files)).rejects.toThrow(/missing/)
      expect(await verdictOn(files)).toBe('broken')
    })

  test('D14: without the folder of a graph, or all of them, nothing is served', async () => {
    const disk = await prepare(6, 1500)
    for (const part of ['/graphs/one.', '/graphs/']) {
      const files = disk.files.afterKill()
      for (const path of files.names.files.keys()) if (path.includes(part)) files.names.files.delete(path)
      await expect(openOn(files)).rejects.toMatchObject({ exitCode: EXIT_BROKEN })
    }
  })

  test('an undamaged disk opens with the same answers', async () => {
    const disk = await prepare(6, 1500)
    const store = await openOn(disk.files.afterKill())
    expect(await everything(store, 'one')).toEqual(disk.answers)
    await store.close()
  })
})
