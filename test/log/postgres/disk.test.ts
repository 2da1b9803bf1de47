import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../support/postgres.js'
import { PostgresServer } from '../../support/postgres-server.js'
import { add, entryAt, erasedAt, idAt, openLog, textsOf } from './support.js'

const run = promisify(execFile)

describe.skipIf(inject('postgresUrl') === '' || process.env['TEST_DATABASE_URL'] !== undefined)(
  'the disk of the database',
  () => {
    let server: PostgresServer
    let database: TestDatabase
    beforeAll(async () => {
      server = await PostgresServer.create()
      database = await createDatabase(server.url())
    })
    afterAll(async () => {
      await database.drop()
      await server.remove()
    })

    /** Is it in a file of a table? */
    async function isInTables(text: string): Promise<boolean> {
      await database.query('CHECKPOINT')
      const [row] = await database.query('SHOW data_directory')
      const found = await run('grep', ['-rlaF', text, `${row?.['data_directory']}/base`]).catch(() => ({
        stdout: '',
      }))
      return found.stdout !== ''
    }

    test('D24: after an erasure no row holds the text, dead ones included, and VACUUM FULL takes it out of the files', async () => {
      const log = await openLog(database.url)
      const secret = 'wormwood-4711'
      for (let i = 1; i <= 20; i++) await add(log, 'erased', i % 5 === 0 ? `${secret} ${i}` : `note ${i}`)
      const before = await log.head('erased')
      const vectors = log.vectors('erased', 'model', () => before)
      await vectors.append([{ id: idAt(5), vector: new Int8Array(384).fill(7) }])
      expect(await isInTables(secret)).toBe(true)
      const head = await add(log, 'erased', 'last')
      const gone = [5, 10, 15, 20]
      await log.erase('erased', head, {
        changed: gone.map((position) => ({ ...entryAt(position, ''), records: [] })),
        erased: erasedAt(22, ...gone.map((position) => [position, position] as const)),
        memoryIds: new Set(gone.map(idAt)),
      })
      const dead = () =>
        database.query(
          `SELECT relname, n_dead_tup::int AS dead, (vacuum_count > 0) AS vacuumed FROM pg_stat_user_tables
            WHERE relname IN ('entries', 'vectors') ORDER BY relname`,
        )
      await expect.poll(dead).toEqual([
        { relname: 'entries', dead: 0, vacuumed: true },
        { relname: 'vectors', dead: 0, vacuumed: true },
      ])
      // Pages may have its bytes where no row is; SECURITY.md says so, and what to do about it.
      await database.query('VACUUM FULL entries, vectors')
      expect(await isInTables(secret)).toBe(false)
      expect(await textsOf(log, 'erased')).toHaveLength(17)
      await log.close()
    })

    test('M3: a vector that comes after the erasure of its memory is not kept', async () => {
      const [one, two] = [await openLog(database.url), await openLog(database.url)]
      const head = await add(one, 'late', 'secret')
      // The second process has the graph open, and does not know of the erasure yet.
      expect(await textsOf(two, 'late')).toEqual(['secret'])
      let read = await two.head('late')
      const vectors = two.vectors('late', 'model', () => read)
      await one.erase('late', head, {
        changed: [{ ...entryAt(1, ''), records: [] }],
        erased: erasedAt(2, [1, 1]),
        memoryIds: new Set([idAt(1)]),
      })
      const record = { id: idAt(1), vector: new Int8Array(384) }
      await expect(vectors.append([record])).rejects.toThrow(/was changed/)
      expect(await database.query(`SELECT FROM vectors WHERE graph_id = 'late'`)).toEqual([])
      read = await two.head('late')
      await vectors.append([{ ...record, id: idAt(3) }])
      expect(await database.query(`SELECT FROM vectors WHERE graph_id = 'late'`)).toHaveLength(1)
      await Promise.all([one.close(), two.close()])
    })
  },
)
