import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewMemory } from '../../src/domain/model.js'
import type { Pause } from '../../src/domain/search/knowledge.js'
import { openFileStore } from '../../src/log/file-store.js'
import type { PresentReader, Store } from '../../src/store/store.js'
import { at, contradicts, event, extending } from '../store/support.js'
import { temporaryFolder } from '../support/folder.js'
import { SILENT } from '../support/silent.js'
import { longestTurn } from '../support/turns.js'

/** As many as a search begins with. */
const SHAKEN = 5_000
/** What each of the stale ones builds on. */
const LINKS = 20
const BATCH = 500
/** A slice is 4 ms; garbage is collected now and then. */
const MAX_MS = 60

let store: Store
beforeAll(async () => {
  store = await openFileStore({ folder: temporaryFolder(), now: () => new Date(), randomBytes, log: SILENT })
  const bases: string[] = []
  const record = async (make: (i: number) => NewMemory) => {
    const ids: string[] = []
    for (let start = 0; start < SHAKEN; start += BATCH) {
      const events = Array.from({ length: BATCH }, (_, i) => make(start + i))
      ids.push(...(await store.append('g', events, at)).map(({ memoryId }) => memoryId))
    }
    return ids
  }
  bases.push(...(await record((i) => event(`base:${i}`, `base number ${i}`))))
  await record((i) =>
    event(`built:${i}`, `stands on ${i}`, {
      ...extending(...Array.from({ length: LINKS }, (_, n) => bases[(i + n) % SHAKEN] ?? '')),
      eventKind: 'decision',
    }),
  )
  await record((i) => event(`base:${i}`, `other number ${i}`, contradicts(bases[i] ?? '')))
}, 600_000)
afterAll(() => store.close())

const read = <T>(ask: (graph: PresentReader, pause: Pause) => Promise<T>) => store.read('g', ask)

/** Something is recorded, so that what is stale has to be found again. */
const change = () => store.append('g', [event('x:x', `${Math.random()}`)], at)

test.each<[string, (graph: PresentReader, pause: Pause) => Promise<unknown>]>([
  ['stale', async (graph, pause) => graph.stale({ page: 0, pageSize: 500 }, pause)],
  ['counts', async (graph, pause) => graph.counts(pause)],
  ['highlights', async (graph, pause) => graph.highlights(40, pause)],
])('%s of a graph with 5,000 shaken claims lets others have their turn', async (_, ask) => {
  // The first time, what it needs is compiled.
  for (const isMeasured of [false, true]) {
    await change()
    const longest = await longestTurn(() => read(ask))
    if (isMeasured) expect(longest).toBeLessThan(MAX_MS)
  }
})

test('when there are as many as the search begins with, there may be more', async () => {
  const [stale, counts] = await read(async (graph, pause) => [
    await graph.stale({ page: 9, pageSize: 500 }, pause),
    await graph.counts(pause),
  ])
  expect(stale).toMatchObject({ total: SHAKEN, isCut: true })
  expect(counts).toMatchObject({ stale: SHAKEN, isStaleCut: true })
})
