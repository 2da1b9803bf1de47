import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Behind } from '../../../src/log/graph-log.js'
import type { PostgresLog } from '../../../src/log/postgres/log.js'
import { hasPgBouncer, PgBouncer } from '../../support/pgbouncer.js'
import { createDatabase, type TestDatabase } from '../../support/postgres.js'
import { add, entryAt, erasedAt, idAt, openLog, textsOf } from './support.js'

describe.skipIf(inject('postgresUrl') === '' || !hasPgBouncer())(
  'behind PgBouncer in transaction mode',
  () => {
    let database: TestDatabase
    let bouncer: PgBouncer
    const logs: PostgresLog[] = []
    beforeAll(async () => {
      database = await createDatabase()
      bouncer = await PgBouncer.start(database.url)
      // Together they may have four times as many connections as the database gives to them.
      for (let i = 0; i < 2; i++) logs.push(await openLog(bouncer.url))
    })
    afterAll(async () => {
      await Promise.all(logs.map((log) => log.close()))
      await bouncer.stop()
      await database.drop()
    })

    test('two logs append 300 entries each at the same time, and read all of them', async () => {
      const write = async (log: PostgresLog, name: string) => {
        for (let i = 0; i < 300; )
          await add(log, 'both', `${name}-${i}`).then(
            () => i++,
            (error: unknown) => {
              if (!(error instanceof Behind)) throw error
            },
          )
      }
      const reads = logs.map(async (log) => {
        for (let i = 0; i < 20; i++) await textsOf(log, 'both')
      })
      await Promise.all([...logs.map((log, i) => write(log, `log${i}`)), ...reads])
      const texts = await textsOf(logs[0] as PostgresLog, 'both')
      expect(texts).toHaveLength(600)
      expect(new Set(texts).size).toBe(600)
    })

    test('locks, erases, replaces, keeps vectors, removes', async () => {
      const [log, other] = logs as [PostgresLog, PostgresLog]
      await add(log, 'g', 'one')
      const head = await log.locked('g', (locked) => add(locked, 'g', 'two'))
      const vectors = log.vectors('g', 'model', () => head)
      await vectors.open(
        () => true,
        () => undefined,
      )
      const place = await vectors.append([{ id: idAt(1), vector: new Int8Array(384).fill(7) }])
      expect(vectors.readNow(place, idAt(1))?.[383]).toBe(7)
      const erased = await log.erase('g', head, {
        changed: [{ ...entryAt(1, ''), records: [] }],
        erased: erasedAt(3, [1, 1]),
        memoryIds: new Set([idAt(1)]),
      })
      expect(await textsOf(other, 'g')).toEqual(['two'])
      async function* source() {
        yield [entryAt(1, 'new')]
      }
      const replaced = await other.replace('g', erased, source())
      expect(await log.head('g')).toEqual(replaced)
      await log.remove('g', replaced)
      expect(await other.graphs(undefined, { page: 0, pageSize: 10 })).toMatchObject({
        items: ['both'],
        total: 1,
      })
      expect(log.health()).toEqual({ writable: true })
    })

    test('PgBouncer is killed in the middle of appends: what was acknowledged is there once', async () => {
      const killed = await PgBouncer.start(database.url)
      const log = await openLog(killed.url, { connectionTimeout: 500 })
      const known: string[] = []
      const stopping = new Promise((resolve) => setTimeout(resolve, 500)).then(() => killed.stop())
      for (let isUp = true; isUp; ) {
        const text = `text-${known.length}`
        await add(log, 'killed', text).then(
          () => known.push(text),
          (error: unknown) => {
            expect(error).toMatchObject({ code: 'storage_unavailable' })
            isUp = false
          },
        )
      }
      await stopping
      const texts = await textsOf(logs[0] as PostgresLog, 'killed')
      expect(texts.slice(0, known.length)).toEqual(known)
      expect(texts.length - known.length).toBeLessThanOrEqual(1)
      expect(log.health()).toMatchObject({ writable: false })
      await log.close()
    })
  },
)
