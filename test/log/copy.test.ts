import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { TextCache } from '../../src/domain/text-cache.js'
import { follow, openCopy } from '../../src/log/copy.js'
import { Diverged } from '../../src/log/graph-log.js'
import { openLogStore } from '../../src/log/store.js'
import type { KeyStore } from '../../src/store/key-store.js'
import { ask, at, event, exported, FIRST, record } from '../store/support.js'
import { WordMeaning } from '../support/meaning.js'
import { type MemoryHooks, MemoryLog } from '../support/memory-log/memory-log.js'
import { MemoryStorage } from '../support/memory-log/memory-storage.js'
import { SILENT } from '../support/silent.js'

const G = 'g'
const ports = { now: () => new Date('2026-01-01T00:00:00Z'), randomBytes }

function open(
  storage: MemoryStorage,
  hooks: MemoryHooks = {},
  more: Partial<Parameters<typeof openLogStore>[0]> = {},
) {
  return openLogStore({
    log: new MemoryLog(storage, hooks),
    keys: {} as KeyStore,
    health: () => ({ writable: true }),
    logger: SILENT,
    ...ports,
    ...more,
  })
}

describe('a process follows a log that others change meanwhile', () => {
  test('a question behind a removal does not get the graph that is being opened again', async () => {
    const storage = new MemoryStorage()
    let isHeld = false
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let reached = () => {}
    const isReading = new Promise<void>((resolve) => {
      reached = resolve
    })
    const reader = open(storage, {
      after: async (operation) => {
        if (!isHeld || operation !== 'read') return
        reached()
        await released
      },
    })
    const writer = open(storage)
    const contextTypes = () => ask(reader, G).contextTypes(FIRST)
    await record(writer, G, event('skill:a', 'first'))
    await contextTypes()
    await writer.erase(G, { everything: true }, { dryRun: false })
    await record(writer, G, event('skill:a', 'second'))

    isHeld = true
    const opening = contextTypes()
    await isReading
    await writer.erase(G, { everything: true }, { dryRun: false })
    const asked = contextTypes()
    release()
    await expect(asked).rejects.toMatchObject({ code: 'graph_not_found' })
    await Promise.allSettled([opening, reader.close(), writer.close()])
  })

  test('an import that fails leaves nothing open', async () => {
    const storage = new MemoryStorage()
    const writer = open(storage)
    await record(writer, 'source', event('skill:a', 'first'))
    const events = await exported(writer, 'source')
    const log = new MemoryLog(storage)
    let opened = 0
    let closed = 0
    const vectors = log.vectors.bind(log)
    log.vectors = (...range) => {
      opened++
      const store = vectors(...range)
      const close = store.close.bind(store)
      return Object.assign(store, {
        close: () => {
          closed++
          return close()
        },
      })
    }
    const importer = open(storage, {}, { log, meaning: await WordMeaning.create() })
    const cut = (async function* () {
      yield events
      throw new Error('The connection was cut.')
    })()
    await expect(importer.importGraph(G, cut, at)).rejects.toThrow('cut')
    expect(opened).toBeGreaterThan(0)
    expect(closed).toBe(opened)
    await Promise.all([importer.close(), writer.close()])
  })

  test('an erasure behind the head that a copy is brought to makes it diverge', async () => {
    const storage = new MemoryStorage()
    const writer = open(storage)
    const log = new MemoryLog(storage)
    const { memoryId } = await record(writer, G, event('skill:a', 'first'))
    const copy = await openCopy(G, {
      log,
      clockAndRandom: ports,
      texts: new TextCache(),
      logger: SILENT,
      embedding: undefined,
    })
    await record(writer, G, event('skill:a', 'second'))
    const head = await log.head(G)
    if (head === undefined) throw new Error('There is no graph.')
    await writer.erase(G, { memoryId }, { dryRun: false })
    await expect(follow(copy, head, log)).rejects.toBeInstanceOf(Diverged)
    await writer.close()
  })
})
