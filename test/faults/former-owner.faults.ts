import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Files } from '../../src/log/file/disk/files.js'
import { verifyFolder } from '../../src/log/file/verify.js'
import type { FileStore } from '../../src/log/file-store.js'
import type { Store } from '../../src/store/store.js'
import { at, event, exported, FIRST, inPages, record, revoke } from '../store/support.js'
import { WordMeaning } from '../support/meaning.js'
import { MemoryFiles } from './support/memory-files.js'
import { PausingFiles } from './support/pausing-files.js'
import { FOLDER, openOn } from './support/scene.js'

const CERTAIN = { dryRun: false }
/** Turns of the event loop after which only what waits for the disk is left. */
const SETTLED = 100
const COMPACTING = { compactBytes: 1500 }

/** What the old owner is stopped at. */
const SCENES: Record<string, (store: Store) => Promise<unknown>> = {
  'making a graph': (store) => record(store, 'made', event('skill:a', 'by the old owner')),
  'recording and compacting': async (store) => {
    for (let i = 0; i < 4; i++) await record(store, 'g', event('skill:a', `old ${i} ${'x'.repeat(500)}`))
  },
  'erasing a memory': async (store) =>
    store.erase('g', { memoryId: (await exported(store, 'g'))[0]?.memoryId ?? '' }, CERTAIN),
  'importing a graph': async (store) =>
    store.importGraph('made', inPages(await exported(store, 'old'), 1), at),
  'removing a graph': (store) => store.erase('g', { everything: true }, CERTAIN),
  'removing a graph and making it again': async (store) => {
    await store.erase('g', { everything: true }, CERTAIN)
    await record(store, 'g', event('skill:a', 'made again by the old owner'))
  },
  'changing keys': async (store) => {
    await store.keys.add(key('key_old'), 'b'.repeat(64))
    await revoke(store, 'key_0')
  },
  closing,
}

async function closing(store: Store): Promise<void> {
  await store.close()
}

function key(keyId: string) {
  return { keyId, name: 'k', scopes: ['read' as const], createdAt: '2025-01-01T00:00:00.000Z' }
}

/** Opens a store that holds the lock for as long as nobody else has taken it. */
function createLocks(files: MemoryFiles) {
  let holder = 0
  return async (on: Files = files) => {
    const me = ++holder
    const lock = async () => ({ isHeld: () => holder === me, release: async () => undefined })
    return openOn(on, { ...COMPACTING, lock, meaning: await WordMeaning.create() })
  }
}

/** A folder with two graphs, closed in good order or not. */
async function prepared(isClosed: boolean): Promise<MemoryFiles> {
  const files = new MemoryFiles()
  const store = await createLocks(files)()
  for (let i = 0; i < 4; i++) await record(store, 'g', event('skill:a', `kept ${i} ${'x'.repeat(300)}`))
  await record(store, 'old', event('skill:a', 'kept'))
  await record(store, 'old', event('skill:b', 'kept, too'))
  await store.keys.add(key('key_0'), 'a'.repeat(64))
  if (!isClosed) return files.afterKill()
  await store.close()
  return files
}

async function textsIn(store: Store, graph: string): Promise<readonly unknown[]> {
  return (await exported(store, graph)).map(({ payload }) => payload)
}

/** Writes to the graphs that the old owner was at, and to a new one; everything is acknowledged. */
async function write(store: FileStore, word: string): Promise<void> {
  for (const graph of ['g', 'made', 'old', `only-${word}`])
    await record(store, graph, event('skill:new', `${word} in ${graph}`))
  await store.keys.add(key(`key_${word}`), word.padEnd(64, '0'))
  expect(store.health().writable).toBe(true)
}

async function expectWritten(store: Store, words: readonly string[]): Promise<void> {
  for (const word of words) {
    for (const graph of ['g', 'made', 'old', `only-${word}`])
      expect(await textsIn(store, graph)).toContainEqual({ text: `${word} in ${graph}` })
    expect(await store.keys.find(word.padEnd(64, '0'))).toEqual(key(`key_${word}`))
  }
}

async function expectWhole(files: MemoryFiles): Promise<void> {
  const { broken, brokenKeys, torn, graphs } = await verifyFolder(files, FOLDER)
  expect([broken, brokenKeys, torn]).toEqual([undefined, undefined, undefined])
  for (const graph of graphs) expect([graph.broken, graph.torn]).toEqual([undefined, undefined])
}

/** Stops an owner before its n-th change, lets another one write, and wakes it. Gives that change, if there were as many. */
async function playStopped(
  scene: (store: Store) => Promise<unknown>,
  nth: number,
  isClosed: boolean,
): Promise<string | undefined> {
  const files = await prepared(isClosed)
  const open = createLocks(files)
  const pausing = new PausingFiles(files)
  const old = await open(pausing.files)
  const [erased = ''] = [...files.names.folders].filter((path) => path.startsWith(`${FOLDER}/graphs/g.`))
  pausing.stopBefore(nth)
  let acknowledged = false
  const ended = scene(old)
    .then(() => {
      acknowledged = true
    })
    // A compaction goes on behind the answer, and this waits for it.
    .then(() => old.erase('old', { everything: true }, { dryRun: true }))
    .then(() => old.erase('g', { everything: true }, { dryRun: true }))
    .catch(() => undefined)
  await Promise.race([pausing.stopped, ended])
  if (pausing.stoppedAt === undefined) return undefined
  // It may have stopped at what goes on behind an answer that is about to be given.
  for (let i = 0; i < SETTLED; i++) await turn()
  const inTime = acknowledged
  // Once the old folder is gone an erasure is done; before it is acknowledged, vectors are written.
  const isErased = scene === SCENES['erasing a memory'] && !files.names.folders.has(erased)
  await takeOver(files, open, pausing, async () => {
    await ended
    if (scene !== closing && !isErased) expect(acknowledged, pausing.stoppedAt).toBe(inTime)
    await old.close()
  })
  return pausing.stoppedAt
}

async function takeOver(
  files: MemoryFiles,
  open: ReturnType<typeof createLocks>,
  pausing: PausingFiles,
  end: () => Promise<void>,
): Promise<void> {
  const next = await open()
  const before = await textsIn(next, 'old')
  await write(next, 'first')
  pausing.wake()
  await end()
  await write(next, 'second')
  await expectWritten(next, ['first', 'second'])
  await expectWhole(files)
  const killed = files.afterKill()
  await next.close()
  for (const disk of [files, killed]) {
    const last = await createLocks(disk)()
    await expectWritten(last, ['first', 'second'])
    expect((await textsIn(last, 'old')).slice(0, before.length)).toEqual(before)
    await write(last, 'third')
    await last.close()
    await expectWhole(disk)
  }
}

test.each(
  Object.entries(SCENES).flatMap(([name, scene]) =>
    [true, false].map((isClosed) => ({
      name,
      scene,
      after: isClosed ? 'an orderly end' : 'a crash',
      isClosed,
    })),
  ),
)(
  'D10: stopped at any step of $name after $after, an owner that wakes up undoes nothing that the next one acknowledged',
  async ({ scene, isClosed }) => {
    const stops: string[] = []
    for (let nth = 1; ; nth++) {
      const stoppedAt = await playStopped(scene, nth, isClosed)
      if (stoppedAt === undefined) break
      stops.push(stoppedAt)
    }
    expect(stops.length).toBeGreaterThan(0)
  },
)

test.each([true, false])(
  'D10: stopped at any step of its start (the one before it ended in good order: %s), an owner undoes nothing when it wakes up',
  async (isClosed) => {
    for (let nth = 1; ; nth++) {
      const files = await prepared(isClosed)
      const open = createLocks(files)
      const pausing = new PausingFiles(files)
      pausing.stopBefore(nth)
      const starting = open(pausing.files)
      const ended = starting.then(
        (store) => store.close(),
        () => undefined,
      )
      await Promise.race([pausing.stopped, ended])
      if (pausing.stoppedAt === undefined) break
      await takeOver(files, open, pausing, () => ended)
    }
  },
)

test('D10: an owner that was replaced acknowledges nothing, and says why', async () => {
  const files = await prepared(true)
  const open = createLocks(files)
  const old = await open()
  await record(old, 'g', event('skill:a', 'in time'))
  const next = await open()
  await expect(record(old, 'g', event('skill:a', 'too late'))).rejects.toMatchObject({
    code: 'storage_unavailable',
  })
  await expect(revoke(old, 'key_0')).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(old.health().writable).toBe(false)
  await old.close()
  expect(await textsIn(next, 'g')).toContainEqual({ text: 'in time' })
  expect((await next.keys.list(undefined, FIRST)).items).toEqual([key('key_0')])
  await next.close()
})
