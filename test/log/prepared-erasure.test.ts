import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { LINK_KINDS, type LinkKind, type MemoryId, type NewMemory, SOURCES } from '../../src/domain/model.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { presentOf } from '../../src/graph/answers.js'
import { type Copy, emptyCopy, follow, openCopy } from '../../src/log/copy.js'
import { PreparedErasure } from '../../src/log/erasure.js'
import { openLogStore } from '../../src/log/store.js'
import type { KeyStore } from '../../src/store/key-store.js'
import { ask, at, event, everything, exported, record } from '../store/support.js'
import { type MemoryHooks, MemoryLog } from '../support/memory-log/memory-log.js'
import { MemoryStorage } from '../support/memory-log/memory-storage.js'
import { createRandom } from '../support/random.js'
import { SILENT } from '../support/silent.js'

const G = 'g'
/** Two reads to catch up; of those with which the erasure follows, the second fails. */
const FAILING_READ = 4
const LATER = '2026-01-02T00:00:00.000Z'
const ports = { now: () => new Date('2026-01-01T00:00:00Z'), randomBytes }

function open(storage: MemoryStorage, hooks: MemoryHooks = {}) {
  return openLogStore({
    log: new MemoryLog(storage, hooks),
    keys: {} as KeyStore,
    health: () => ({ writable: true }),
    logger: SILENT,
    ...ports,
  })
}

describe('an erasure that is prepared while other processes write', () => {
  test('gives what one gives that is prepared anew, or says that it must be', async () => {
    let followed = 0
    let refused = 0
    for (let seed = 1; seed <= 80; seed++) {
      const random = createRandom(seed)
      const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
      const storage = new MemoryStorage()
      const [writer, log] = [open(storage), new MemoryLog(storage)]
      const ids: MemoryId[] = []
      const contexts = Array.from({ length: 4 }, (_, i) => `skill:${i}`)
      const write = async () => {
        const target = random() < 0.5 ? pick(contexts) : (pick(ids) ?? pick(contexts))
        const links = random() < 0.4 ? [{ kind: pick(LINK_KINDS), target }] : []
        const payload = { state: pick(['on', 'off']), [pick(['port', 'host'])]: pick([1, 2, 3]) }
        const next: NewMemory = { ...event(pick(contexts), ''), payload, links, source: pick(SOURCES) }
        const once = random() < 0.3 ? { key: `${random()}`, body: 'body' } : undefined
        const [receipt] = await writer.append(G, [next], at, once)
        if (receipt !== undefined && !ids.includes(receipt.memoryId)) ids.push(receipt.memoryId)
      }
      for (let i = 0; i < 25; i++) await write()

      const copyPorts = {
        log,
        clockAndRandom: ports,
        texts: new TextCache(),
        logger: SILENT,
        embedding: undefined,
      }
      const copy = await openCopy(G, copyPorts)
      const erased = new Set([pick(ids)])
      const prepared = new PreparedErasure(copy, erased, emptyCopy(G, copyPorts))
      await prepared.prepare(log)
      for (let i = 0; i < 2; i++) await write()
      const head = await log.head(G)
      if (head === undefined) throw new Error('There is no graph.')
      await follow(copy, head, log)
      if (!(await prepared.follow(copy, erased, log))) refused++
      else {
        followed++
        const anew = new PreparedErasure(copy, erased, emptyCopy(G, copyPorts))
        await anew.prepare(log)
        expect(prepared.erasure).toEqual(anew.erasure)
        expect(prepared.left.head).toEqual(head)
        const memories = ({ graph }: Copy) =>
          graph.rows.list.map(({ id }) => presentOf(graph, LATER).memory(id))
        expect(memories(prepared.left)).toEqual(memories(anew.left))
      }
      await writer.close()
    }
    expect(followed).toBeGreaterThan(10)
    expect(refused).toBeGreaterThan(10)
  })

  test('is prepared anew after a contradiction of what the erased memory built on as a whole', async () => {
    const storage = new MemoryStorage()
    const writer = open(storage)
    const link = (kind: LinkKind, target: string) => ({ links: [{ kind, target }] })
    const other = await record(writer, G, event('decision:base', 'Logs are kept'))
    const base = await record(writer, G, event('decision:base', 'Backups run at night'))
    const x = await record(writer, G, {
      ...event('skill:x', 'Buttons are green'),
      ...link('extension', 'decision:base'),
    })
    const y = await record(writer, G, {
      ...event('skill:y', 'Links are green too'),
      ...link('extension', x.memoryId),
    })
    const dropped = event('decision:base', 'Nothing is logged')
    await record(writer, G, { ...dropped, ...link('contradiction', other.memoryId) })
    let meanwhile = 1
    const eraser = open(storage, {
      before: async (operation) => {
        if (operation !== 'erase' || meanwhile-- <= 0) return
        const closed = event('decision:base', 'Backups run at noon')
        await record(writer, G, { ...closed, ...link('contradiction', base.memoryId) })
      },
    })
    await eraser.erase(G, { memoryId: x.memoryId }, { dryRun: false })
    for (const store of [writer, eraser]) {
      const { trust } = await ask(store, G).memory(y.memoryId)
      expect(trust.status).toBe('stale')
      await store.close()
    }
  })

  test('is not used any more when it could not be finished', async () => {
    const storage = new MemoryStorage()
    const writer = open(storage)
    for (let i = 0; i < 10; i++) await record(writer, G, event(`skill:${i}`, `text ${i}`))
    let erasures = 0
    let readsSince = 0
    const eraser = open(storage, {
      before: async (operation) => {
        if (operation === 'erase' && ++erasures === 1)
          for (let i = 0; i < 150; i++) await record(writer, G, event(`skill:more-${i}`, `more ${i}`))
        // The second batch of what the erasure follows, when another process has written once more.
        if (operation !== 'read' || erasures !== 1 || ++readsSince !== FAILING_READ) return
        await record(writer, G, event('skill:last', 'the last'))
        throw new Error('The connection was cut.')
      },
    })
    const [first] = await exported(eraser, G)
    if (first === undefined) throw new Error('Nothing is recorded.')
    await eraser.erase(G, { memoryId: first.memoryId }, { dryRun: false }).catch(() => undefined)
    expect(readsSince).toBeGreaterThanOrEqual(FAILING_READ)
    expect(await everything(eraser, G)).toEqual(await everything(writer, G))
    await Promise.all([writer.close(), eraser.close()])
  })

  test('ends although the graph is written to all the time, and does not read it anew each time', async () => {
    const storage = new MemoryStorage()
    const writer = open(storage)
    for (let i = 0; i < 400; i++) await record(writer, G, event(`skill:${i}`, `text ${i}`))
    const attempts: number[] = []
    let reads = 0
    const eraser = open(storage, {
      before: async (operation) => {
        if (operation === 'read') reads++
        if (operation !== 'erase') return
        attempts.push(reads)
        reads = 0
        // The third attempt has the lock.
        if (attempts.length <= 2) await record(writer, G, event('skill:new', `meanwhile ${attempts.length}`))
      },
    })
    const [first] = await exported(eraser, G)
    reads = 0
    if (first === undefined) throw new Error('Nothing is recorded.')
    await eraser.erase(G, { memoryId: first.memoryId }, { dryRun: false })
    expect(attempts).toHaveLength(3)
    expect(attempts[0]).toBeGreaterThanOrEqual(12)
    expect(Math.max(...attempts.slice(1))).toBeLessThanOrEqual(6)
    const left = await exported(writer, G)
    expect(left).toHaveLength(401)
    expect(left.map(({ memoryId }) => memoryId)).not.toContain(first.memoryId)
    expect(await exported(eraser, G)).toEqual(left)
    await Promise.all([writer.close(), eraser.close()])
  })
})
