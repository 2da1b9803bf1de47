import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { FileStore } from '../../../../src/log/file-store.js'
import { MemoryFiles } from '../../../faults/support/memory-files.js'
import { openOn } from '../../../faults/support/scene.js'
import { ask, at, event, everything, exported, inPages, record } from '../../../store/support.js'
import { vectorOf, WordMeaning } from '../../../support/meaning.js'
import { createRandom } from '../../../support/random.js'
import { SILENT } from '../../../support/silent.js'

let meaning: WordMeaning
let files: MemoryFiles

beforeEach(async () => {
  meaning = await WordMeaning.create()
  files = new MemoryFiles()
})

const numbered = (count: number) => Array.from({ length: count }, (_, i) => event('skill:a', `number ${i}`))
const near = { vector: vectorOf('number 7'), limit: 100 }

async function fullyRead(store: FileStore, graph: string): Promise<void> {
  await expect.poll(() => ask(store, graph).unread(), { timeout: 30_000 }).toBe(0)
}

describe('M6: a disk that is full while vectors are written', () => {
  test('recording, answers and health are as ever; it is logged once, and written when there is room', async () => {
    const warned: string[] = []
    const warn = (_: object, message: string) => void warned.push(message)
    const store = await openOn(files, { meaning, log: { ...SILENT, warn } })
    await store.append('g', numbered(20), at)
    await fullyRead(store, 'g')
    files.before = (operation, path) => {
      if (operation === 'append' && path.includes('vectors'))
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    for (let i = 20; i < 60; i++) await record(store, 'g', event('skill:a', `number ${i}`))
    await fullyRead(store, 'g')
    const answer = await ask(store, 'g').nearest(near)
    expect(answer).toHaveLength(60)
    expect(store.health()).toEqual({ writable: true })
    expect(warned).toHaveLength(1)
    files.before = () => undefined
    await store.append('g', numbered(200), at)
    await fullyRead(store, 'g')
    await store.close()
    const again = await openOn(files, { meaning })
    meaning.read.length = 0
    await fullyRead(again, 'g')
    expect(meaning.read).toEqual([])
    expect((await ask(again, 'g').nearest({ ...near, limit: 60 })).map(({ memoryId }) => memoryId)).toEqual(
      expect.arrayContaining(answer.slice(0, 5).map(({ memoryId }) => memoryId)),
    )
    await again.close()
    expect(files.open).toBe(0)
  })

  test('an erasure goes on, and what stays is read again', async () => {
    const store = await openOn(files, { meaning })
    const receipts = await store.append('g', numbered(20), at)
    await fullyRead(store, 'g')
    files.before = (operation, path) => {
      if (operation === 'append' && path.includes('vectors'))
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    const memoryId = receipts[3]?.memoryId ?? ''
    await store.erase('g', { memoryId }, { dryRun: false })
    await fullyRead(store, 'g')
    const found = await ask(store, 'g').nearest(near)
    expect(found).toHaveLength(19)
    const erased = Buffer.from(vectorOf('skill a: text: number 3'))
    expect([...files.names.files.keys()].filter((path) => files.bytes(path).includes(erased))).toEqual([])
    await store.close()
    expect(files.open).toBe(0)
  })
})

test('what is read of a graph that came by import is not read again after a restart', async () => {
  const store = await openOn(files, { meaning })
  await store.append('from', numbered(20), at)
  await store.importGraph('to', inPages(await exported(store, 'from')), at)
  await fullyRead(store, 'to')
  await store.close()
  const again = await openOn(files, { meaning })
  meaning.read.length = 0
  await fullyRead(again, 'to')
  expect(meaning.read).toEqual([])
  await again.close()
})

test('M2: a power cut while vectors are written: every memory is there, and what is missing is read again', async () => {
  const random = createRandom(3)
  for (let round = 0; round < 25; round++) {
    const before = new MemoryFiles()
    const store = await openOn(before, { meaning })
    await store.append('g', numbered(10 + round), at)
    if (round % 3 > 0) await fullyRead(store, 'g')
    const [first] = await store.append('g', [event('skill:a', 'more')], at)
    if (round % 3 > 1) await store.erase('g', { memoryId: first?.memoryId ?? '' }, { dryRun: false })
    const after = round % 2 === 0 ? before.afterPowerCut(random) : before.afterKill()
    await store.close()
    const again = await openOn(after, { meaning })
    await again.caughtUp('g')
    expect(await ask(again, 'g').nearest(near)).toHaveLength(10 + round + (round % 3 > 1 ? 0 : 1))
    await again.close()
  }
})

describe('reading', () => {
  test('goes on when a graph is opened that was closed before it was read', async () => {
    meaning.hold()
    const store = await openOn(files, { meaning })
    await store.append('g', numbered(40), at)
    await store.close()
    meaning.release()
    const again = await openOn(files, { meaning })
    expect(await again.unread()).toEqual(new Map())
    await again.caughtUp('g')
    expect(await ask(again, 'g').unread()).toBe(0)
    await again.close()
  })

  test('does not delay closing, however long it takes', async () => {
    meaning.hold()
    const store = await openOn(files, { meaning })
    await store.append('g', numbered(5), at)
    const waiting = store.caughtUp('g')
    const start = performance.now()
    await store.close()
    await waiting
    expect(performance.now() - start).toBeLessThan(4000)
    expect(files.open).toBe(0)
  })

  test('that fails is tried again later: nothing waits for it, and it is logged once', async () => {
    const warned: string[] = []
    const warn = (_: object, message: string) => void warned.push(message)
    let attempts = 0
    const failing = {
      identity: meaning.identity,
      scan: meaning.scan,
      encode: (texts: readonly string[]) => {
        attempts++
        return attempts <= 2 ? Promise.reject(new Error('not now')) : meaning.encode(texts)
      },
    }
    const store = await openOn(files, { meaning: failing, log: { ...SILENT, warn } })
    await store.append('g', numbered(5), at)
    const start = performance.now()
    await store.caughtUp('g')
    expect(performance.now() - start).toBeLessThan(4000)
    expect(await ask(store, 'g').unread()).toBe(5)
    await sleep(500)
    expect(attempts).toBe(1)
    await fullyRead(store, 'g')
    expect([attempts, warned.length]).toEqual([3, 1])
    await store.close()
  })

  test('of graphs that are closed to make room is dropped, and done when they are asked again', async () => {
    const store = await openOn(files, { meaning, memoryBudget: 20_000 })
    const graphs = Array.from({ length: 12 }, (_, i) => `graph-${i}`)
    for (const graph of graphs) await store.append(graph, [event('skill:a', graph.repeat(50))], at)
    for (const graph of graphs) {
      await store.caughtUp(graph)
      expect(await ask(store, graph).nearest(near)).toHaveLength(1)
    }
    await Promise.all(
      graphs.flatMap((graph) => [
        store.append(graph, [event('skill:b', 'more')], at),
        ask(store, graph).nearest(near),
        everything(store, graph),
      ]),
    )
    for (const graph of graphs) {
      await store.caughtUp(graph)
      expect(await ask(store, graph).nearest(near)).toHaveLength(2)
    }
    await store.close()
    expect(files.open).toBe(0)
  })
})
