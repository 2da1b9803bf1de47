import { afterAll, beforeAll, expect, test } from 'vitest'
import { Behind, type Head } from '../../../src/log/graph-log.js'
import type { PostgresLog } from '../../../src/log/postgres/log.js'
import { APPEND as appending } from '../../../src/log/postgres/write.js'
import { type Cut, CuttingProxy, LATE_MS } from '../../support/cutting-proxy.js'
import { describePostgres } from '../../support/postgres.js'
import { add, entryAt, erasedAt, idAt, openLog, textsOf, useLog } from './support.js'

const CUTS: readonly Cut[] = ['before', 'after', 'late']
/** What the statements of each change hold. */
const APPEND = appending.name
const BEGIN = 'INSERT INTO graphs'

/** Long enough for a statement that comes late. */
async function afterLate(how: Cut): Promise<void> {
  if (how === 'late') await new Promise((resolve) => setTimeout(resolve, LATE_MS + 200))
}

describePostgres('D23: connections that are cut', () => {
  const bench = useLog()
  let proxy: CuttingProxy
  let cut: PostgresLog
  beforeAll(async () => {
    proxy = await CuttingProxy.start(bench.database.url)
    cut = await openLog(proxy.url)
  })
  afterAll(async () => {
    await cut.close()
    await proxy.stop()
  })

  test.each(CUTS)('%s the commit of an append: it is there once, and its head is told', async (how) => {
    const graph = `append-${how}`
    const first = await add(cut, graph, 'one')
    proxy.cutNext(how, APPEND)
    const { cuts } = proxy
    const head = await cut.append(graph, first, [entryAt(2, 'two'), entryAt(3, 'three')])
    expect(proxy.cuts).toBe(cuts + 1)
    expect(head).toEqual(await bench.log.head(graph))
    await afterLate(how)
    expect(await bench.log.head(graph)).toEqual(head)
    expect(await textsOf(bench.log, graph)).toEqual(['one', 'two', 'three'])
  })

  test.each(CUTS)('%s the commit of the first append of a graph', async (how) => {
    proxy.cutNext(how, BEGIN)
    const head = await add(cut, `first-${how}`, 'one')
    await afterLate(how)
    expect(await bench.log.head(`first-${how}`)).toEqual(head)
    expect(await textsOf(bench.log, `first-${how}`)).toEqual(['one'])
  })

  test('after the commit, when another process has appended since: it was there', async () => {
    const first = await add(cut, 'since', 'one')
    proxy.cutNext('after', APPEND)
    const appending = cut.append('since', first, [entryAt(2, 'two')])
    let later: Head | undefined
    while (later === undefined) {
      const head = await bench.log.head('since')
      if (head?.position !== 2) continue
      later = await bench.log.append('since', head, [entryAt(3, 'three')])
    }
    expect((await appending).position).toBe(2)
    expect(await textsOf(bench.log, 'since')).toEqual(['one', 'two', 'three'])
  })

  test('before the commit, when another process has appended since: it is not there', async () => {
    const first = await add(cut, 'other', 'one')
    const other = await bench.log.append('other', first, [entryAt(2, 'other')])
    proxy.cutNext('after', APPEND)
    await expect(cut.append('other', first, [entryAt(2, 'two')])).rejects.toThrow(Behind)
    expect(await bench.log.head('other')).toEqual(other)
  })

  test.each(['before', 'after'] as const)(
    '%s the commit of an erasure, a replacement, a removal',
    async (how) => {
      const graph = `erased-${how}`
      const head = await add(cut, graph, 'secret')
      proxy.cutNext(how, 'COMMIT')
      const erased = await cut.erase(graph, head, {
        changed: [{ ...entryAt(1, ''), records: [] }],
        erased: erasedAt(2, [1, 1]),
        memoryIds: new Set([idAt(1)]),
      })
      expect(await bench.log.head(graph)).toEqual(erased)
      expect(await textsOf(bench.log, graph)).toEqual([])
      async function* source() {
        yield [entryAt(1, 'new')]
      }
      const { cuts } = proxy
      const replacing = cut.replace(graph, erased, source())
      proxy.cutNext(how, 'UPDATE graphs SET epoch')
      const replaced = await replacing.catch((error: unknown) => error)
      // Whoever is cut before COMMIT knows that nothing happened.
      expect(replaced).toMatchObject({ code: 'storage_unavailable' })
      expect(await bench.log.head(graph)).toEqual(erased)
      expect(proxy.cuts).toBe(cuts + 1)
      proxy.cutNext(how, 'COMMIT')
      await cut.remove(graph, erased)
      expect(await bench.log.head(graph)).toBeUndefined()
    },
  )

  test.each(CUTS)('%s the commit of what is appended under the lock', async (how) => {
    const graph = `locked-${how}`
    await add(cut, graph, 'one')
    const head = await cut.locked(graph, async (log) => {
      const before = await log.head(graph)
      proxy.cutNext(how, 'COMMIT')
      return log.append(graph, before, [entryAt(2, 'two')])
    })
    await afterLate(how)
    expect(await bench.log.head(graph)).toEqual(head)
    expect(await textsOf(bench.log, graph)).toEqual(['one', 'two'])
  })

  test('ended by the database at random under appends of two logs: what was acknowledged is there once, in order', async () => {
    const logs = [cut, bench.log]
    let isOver = false
    const ending = (async () => {
      while (!isOver) {
        await bench.database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
            AND application_name = 'loregraph' AND random() < 0.3`,
        )
        await new Promise((resolve) => setTimeout(resolve, 30 * Math.random()))
      }
    })()
    const acknowledged: string[][] = await Promise.all(
      logs.map(async (log, name) => {
        const known: string[] = []
        for (let i = 0; i < 150; i++) {
          const text = `log${name}-${i}`
          for (let isDone = false; !isDone; ) {
            try {
              const head = await log.head('ended')
              await log.append('ended', head, [entryAt((head?.position ?? 0) + 1, text)])
              known.push(text)
              isDone = true
            } catch (error) {
              if (error instanceof Behind) continue
              expect(error).toMatchObject({ code: 'storage_unavailable' })
              // What is not known may be there.
              isDone = /not known/.test(String(error))
            }
          }
        }
        return known
      }),
    )
    isOver = true
    await ending
    const texts = await textsOf(bench.log, 'ended')
    expect(new Set(texts).size).toBe(texts.length)
    for (const [name, known] of acknowledged.entries()) {
      expect(known.length).toBeGreaterThan(140)
      const kept = texts.filter((text) => text.startsWith(`log${name}-`) && known.includes(text))
      expect(kept).toEqual(known)
    }
  })

  test('a process that stops while it holds a graph holds it for three seconds', async () => {
    const frozen = await CuttingProxy.start(bench.database.url)
    const stopped = await openLog(frozen.url)
    const head = await add(bench.log, 'held', 'one')
    const holding = stopped
      .locked('held', async (log) => {
        frozen.freeze()
        await log.head('held')
      })
      .catch((error: unknown) => error)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const began = performance.now()
    await bench.log.append('held', head, [entryAt(2, 'two')])
    const took = performance.now() - began
    expect(took).toBeGreaterThan(1_500)
    expect(took).toBeLessThan(4_500)
    await frozen.stop()
    expect(await holding).toMatchObject({ code: 'storage_unavailable' })
    await stopped.close()
  })
})
