import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, inject } from 'vitest'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/log/postgres-store.js'
import { SILENT } from './silent.js'

/** A suite that needs PostgreSQL. Where there is none the whole run has said so already, and CI has failed. */
export const describePostgres: typeof describe = describe.skipIf(
  inject('postgresUrl') === '',
) as typeof describe

export interface TestDatabase {
  readonly url: string
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** Empties every table that there is. */
  empty(): Promise<void>
  drop(): Promise<void>
}

/** A fresh database. */
export async function createDatabase(server = inject('postgresUrl')): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await once(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 2 })
  pool.on('error', () => undefined)
  return {
    url: url.href,
    async query(text, values) {
      return (await pool.query(text, values)).rows
    },
    async empty() {
      // For tables as small as those of a test, this is far quicker than TRUNCATE.
      const { rows } = await pool.query<{ statements: string }>(
        `SELECT string_agg(format('DELETE FROM %I WHERE %s', tablename,
            CASE tablename WHEN 'settings' THEN 'name <> ''schema_version''' ELSE 'true' END), ';') AS statements
          FROM pg_tables WHERE schemaname = 'public'`,
      )
      await pool.query(rows[0]?.statements ?? '')
    },
    async drop() {
      await pool.end()
      await once(server, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

export function openStore(url: string, more: Partial<PostgresStoreOptions> = {}) {
  return openPostgresStore({ url, now: () => new Date(), randomBytes, log: SILENT, ...more })
}

async function once(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
