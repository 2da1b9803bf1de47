import { expect, test } from 'vitest'
import { verifyFolder } from '../../src/log/file/verify.js'
import type { Meaning } from '../../src/store/meaning.js'
import type { Store } from '../../src/store/store.js'
import { ask, at, event, exported, FIRST, inPages, record, revoke } from '../store/support.js'
import { vectorOf, WordMeaning } from '../support/meaning.js'
import { createRandom } from '../support/random.js'
import { MemoryFiles } from './support/memory-files.js'
import { scaled } from './support/scale.js'
import { FOLDER, openOn } from './support/scene.js'
import { tell } from './support/tell.js'

const SECRET = 'the-secret-that-must-go'
const CERTAIN = { dryRun: false }
const once = { key: 'a'.repeat(64), body: 'b'.repeat(64) }
const OPTIONS = { compactBytes: 3000 }
const RANDOM = createRandom(5)
/** The secrets, and what they mean to a store that reads for meaning. */
const MUST_GO = [
  Buffer.from(SECRET),
  ...[0, 2, 4, 6, 8, 10].map((i) => Buffer.from(vectorOf(`skill secret text ${SECRET} ${i}`))),
]

/** What is done to the store, one after the other. Each is there whole or not at all. */
const STEPS: readonly ((store: Store) => Promise<unknown>)[] = [
  ...Array.from({ length: 12 }, (_, i) => {
    const one = i % 2 ? event('skill:plain', `plain ${i}`) : event('skill:secret', `${SECRET} ${i}`)
    return (store: Store) => record(store, 'g', one)
  }),
  (store) => store.append('g', [event('skill:plain', 'once')], at, once),
  (store) => record(store, 'g', event('skill:plain', 'plain 1')),
  async (store) => store.importGraph('copy', inPages(await exported(store, 'g'), 4), at),
  async (store) => store.erase('g', { memoryId: (await exported(store, 'g'))[0]?.memoryId ?? '' }, CERTAIN),
  (store) => store.erase('g', { contextId: 'skill:secret' }, CERTAIN),
  (store) => record(store, 'g', event('skill:plain', 'after the erasure')),
  (store) => store.erase('copy', { everything: true }, CERTAIN),
  (store) => record(store, 'copy', event('skill:new', 'a new graph of that name')),
  (store) =>
    store.keys.add(
      { keyId: 'key_1', name: 'k', scopes: ['read'], createdAt: '2025-01-01T00:00:00.000Z' },
      'c'.repeat(64),
    ),
  (store) => revoke(store, 'key_1'),
]
/** From this many steps on, nothing of the secret is left anywhere. */
const GONE = 19

/** Everything that the store holds. */
async function stateOf(store: Store): Promise<string> {
  const { items } = await store.graphs(undefined, FIRST)
  const graphs = await Promise.all(items.map(async (graph) => [graph, await exported(store, graph)]))
  return JSON.stringify([graphs, (await store.keys.list(undefined, FIRST)).items])
}

interface Crash {
  readonly files: MemoryFiles
  /** How many steps were done and acknowledged. */
  readonly done: number
}

/** Plays the steps, copying the disk before each operation, and notes what the store held after each step. */
async function playSteps(copies: (files: MemoryFiles) => readonly MemoryFiles[], meaning?: Meaning) {
  const files = new MemoryFiles()
  const store = await openOn(files, { ...OPTIONS, ...(meaning && { meaning }) })
  const crashes: Crash[] = []
  const states = [await stateOf(store)]
  let done = 0
  const crash = () => {
    for (const copy of copies(files)) crashes.push({ files: copy, done })
  }
  // Also between the steps: a compaction goes on when the write that asked for it has been acknowledged.
  files.before = (operation) => {
    if (operation !== 'read' && operation !== 'open' && operation !== 'list') crash()
  }
  for (const step of STEPS) {
    await step(store)
    done++
    crash()
    await store.caughtUp('g')
    states.push(await stateOf(store))
  }
  await store.close()
  files.before = () => undefined
  return { crashes, states }
}

function holds(files: MemoryFiles, some: readonly Buffer[]): boolean {
  const bytes = Array.from(files.names.files.keys(), (path) => files.bytes(path))
  return bytes.some((file) => some.some((wanted) => file.includes(wanted)))
}

/** The store opens as before or as after the step under way, and nothing else is in the folder. */
async function expectSound(
  { files, done }: Crash,
  states: readonly string[],
  meaning?: Meaning,
): Promise<void> {
  const options = { ...OPTIONS, ...(meaning && { meaning }) }
  if (done >= GONE) expect(holds(files, MUST_GO)).toBe(false)
  const opened = await openOn(files, options)
  const found = await stateOf(opened)
  expect(states.slice(done, done + 2)).toContain(found)
  const { items } = await opened.graphs(undefined, FIRST)
  for (const graph of items) {
    await opened.caughtUp(graph)
    expect(await ask(opened, graph).unread()).toBe(0)
  }
  await opened.close()
  if (!found.includes(SECRET)) expect(holds(files, MUST_GO)).toBe(false)
  const folders = [...files.names.folders].filter((path) => path.startsWith(`${FOLDER}/graphs/`))
  expect(folders).toHaveLength(items.length)
  expect([...files.names.files.keys()].filter((path) => path.endsWith('.tmp'))).toEqual([])
  const { broken, brokenKeys, graphs, strays } = await verifyFolder(files, FOLDER)
  expect([broken, brokenKeys, ...graphs.map((graph) => graph.broken), ...strays]).toEqual(
    [undefined, undefined].concat(graphs.map(() => undefined)),
  )
  const store = await openOn(files, options)
  await record(store, 'g', event('skill:new', 'after the crash'))
  await store.close()
  const again = await openOn(files.afterKill(), options)
  expect(await ask(again, 'g').context('skill:new')).toMatchObject({ memoryCount: 1 })
  await again.close()
}

test('D12: kill -9 at any step of an erasure, an import or a change of keys: as before or as after, nothing left lying about', async () => {
  const { crashes, states } = await playSteps((files) => [files.afterKill()])
  expect(new Set(states).size).toBe(STEPS.length)
  // Every step takes several file operations; how many in all depends on when compactions begin.
  expect(crashes.length).toBeGreaterThan(5 * STEPS.length)
  for (const crash of crashes) await expectSound(crash, states)
  tell('D12', `${crashes.length} kills during erasures, imports and changes of keys`)
})

test.each([
  ['kill -9', 1, (files: MemoryFiles) => files.afterKill()],
  ['power loss', scaled(2, 15), (files: MemoryFiles) => files.afterPowerCut(RANDOM)],
] as const)(
  'M2, M3: %s at any of these steps while vectors are written: the same, and no vector of what is gone',
  async (what, times, crashed) => {
    const meaning = await WordMeaning.create()
    const each = Array.from({ length: times })
    const { crashes, states } = await playSteps((files) => each.map(() => crashed(files)), meaning)
    expect(crashes.some(({ files }) => holds(files, MUST_GO.slice(1)))).toBe(true)
    for (const crash of crashes) await expectSound(crash, states, meaning)
    tell('M2', `${crashes.length} times ${what} while vectors were written and erased`)
  },
)

test('D2: power loss at any of these steps: as before or as after', async () => {
  const random = createRandom(3)
  const each = Array.from({ length: scaled(6, 25) })
  const { crashes, states } = await playSteps((files) => each.map(() => files.afterPowerCut(random)))
  for (const crash of crashes) await expectSound(crash, states)
  tell('D2', `${crashes.length} crash states during erasures, imports and changes of keys`)
})

test('B14: kill -9 between the flush and the answer: the same key gets the receipts, and the event is there once', async () => {
  const files = new MemoryFiles()
  const store = await openOn(files, OPTIONS)
  await record(store, 'g', event('skill:a', 'first'))
  const disks: MemoryFiles[] = []
  files.before = (operation) => {
    if (operation !== 'read') disks.push(files.afterKill())
  }
  const receipts = await store.append('g', [event('skill:a', 'x'), event('skill:a', 'first')], at, once)
  files.before = () => undefined
  disks.push(files.afterKill())
  await store.close()
  for (const [i, disk] of disks.entries()) {
    const again = await openOn(disk, OPTIONS)
    const answer = await again.append('g', [event('skill:a', 'x'), event('skill:a', 'first')], at, once)
    expect(answer.map(({ status }) => status)).toEqual(['recorded', 'duplicate'])
    if (i === disks.length - 1) expect(answer).toEqual(receipts)
    expect((await ask(again, 'g').contextMemories('skill:a', FIRST)).items).toMatchObject([
      { text: 'x', timesSeen: 1 },
      { text: 'first', timesSeen: 2 },
    ])
    await again.close()
  }
})

test('D8: the n-th file operation fails: each step is done or not, at once and on reopening, and no file is left open', async () => {
  for (const code of ['EIO', 'ENOSPC']) {
    let runs = 0
    for (let failed = true; failed; runs++) failed = await playFailing(code, runs + 1)
    expect(runs).toBeGreaterThan(150)
    tell('D8', `${runs} runs with ${code} during erasures, imports and changes of keys`)
  }
})

/** Plays the steps with the n-th operation failing; false when there were not that many. */
async function playFailing(code: string, nth: number): Promise<boolean> {
  const files = new MemoryFiles()
  const store = await openOn(files, OPTIONS)
  let count = 0
  let armed = false
  files.before = (operation, path) => {
    if (armed && ++count === nth) throw Object.assign(new Error(`${code} ${operation} ${path}`), { code })
  }
  for (const step of STEPS) {
    const before = await stateOf(store)
    armed = true
    const failed = await step(store).then(
      () => false,
      () => true,
    )
    armed = false
    if (!failed) continue
    // Once it failed, it stays as it was, or is done but for removing a file.
    const after = await stateOf(store)
    if (after !== before) expect(after.length).toBeLessThan(before.length)
    break
  }
  const held = await stateOf(store)
  await store.close().catch(() => undefined)
  expect(files.open).toBe(0)
  const again = await openOn(files.afterKill(), OPTIONS)
  if (store.health().writable) expect(await stateOf(again)).toBe(held)
  await again.close()
  return count >= nth
}
