import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { PostgresLog } from '../../../src/log/postgres/log.js'
import { createDatabase, describePostgres, type TestDatabase } from '../../support/postgres.js'
import { olderPostgres, PostgresServer } from '../../support/postgres-server.js'
import { describeGraphLog } from '../graph-log.suite.js'
import { openLog } from './support.js'

const STORED = `SELECT coalesce(string_agg(row, E'\\n'), '') AS text FROM (
  SELECT e::text AS row FROM entries e UNION ALL SELECT g::text FROM graphs g
  UNION ALL SELECT memory_id || encode(vector, 'hex') FROM vectors) AS rows`
const LOSE_TAIL = `WITH lost AS (DELETE FROM entries e USING graphs g
    WHERE e.graph_id = g.graph_id AND e.append_id = g.append_id AND g.graph_id = $1 RETURNING e.position, octet_length(e.entry) AS bytes),
  tail AS (SELECT e.* FROM entries e WHERE e.graph_id = $1 AND position < (SELECT min(position) FROM lost)
    ORDER BY position DESC LIMIT 1)
  UPDATE graphs g SET position = tail.position + tail.count - 1, append_id = tail.append_id,
      bytes = g.bytes - (SELECT sum(bytes) FROM lost) FROM tail
    WHERE g.graph_id = tail.graph_id`

function suiteOn(name: string, server: () => string): void {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase(server())
  })
  afterAll(() => database.drop())

  describeGraphLog(name, async () => {
    const open: PostgresLog[] = []
    const another = async () => {
      const log = await openLog(database.url)
      open.push(log)
      return log
    }
    const close = async () => {
      await Promise.all(open.splice(0).map((log) => log.close()))
    }
    const log = await another()
    return {
      log,
      another,
      reopen: () => close().then(another),
      close: async () => {
        await close()
        await database.query('DELETE FROM graphs; DELETE FROM entries; DELETE FROM vectors')
      },
      stored: async () => String((await database.query(STORED))[0]?.['text']),
      loseTail: async (graphId) => {
        await database.query(LOSE_TAIL, [graphId])
        return log
      },
    }
  })
}

describePostgres('the newest PostgreSQL', () => suiteOn('in PostgreSQL', () => inject('postgresUrl')))

const isThere = existsSync(olderPostgres(14)) || process.env['CI'] !== undefined
if (!isThere) console.error('NOT TESTED: PostgreSQL 14, because it is not installed; .ci/run says how.')

describe.skipIf(process.env['TEST_DATABASE_URL'] !== undefined || !isThere)(
  'the oldest PostgreSQL that can be used',
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await PostgresServer.create(undefined, 14)
    }, 120_000)
    afterAll(() => server.remove())
    suiteOn('in PostgreSQL 14', () => server.url())
  },
)
