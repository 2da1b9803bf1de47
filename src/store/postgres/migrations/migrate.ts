import type pg from 'pg'
import { EXIT_BROKEN, OpenError } from '../../open-error.js'
import { Session } from '../connection/session.js'
import { checkRights, checkServer } from './check-server.js'
import { MIGRATIONS, type Migration } from './index.js'

/** Any number that no other program on the same database locks: "lore" in ASCII. */
const MIGRATION_LOCK = 0x6c6f7265

/** For work of unknown length: longer than any timer of Node.js can count. */
const UNHURRIED = 2 ** 31 - 1

interface MigrationLog {
  warn(details: object, message: string): void
}

/**
 * Brings the tables up to date, one process at a time; the others wait and find nothing left to do. A database that is
 * newer than the program is left alone, since the program cannot know what it would break.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[] = MIGRATIONS,
  log?: MigrationLog,
): Promise<number> {
  await checkServer(client)
  await client.query('BEGIN')
  try {
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0')
    const session = new Session(client, { patience: UNHURRIED })
    await session.run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    const version = await versionOf(client)
    if (version > migrations.length)
      throw new OpenError(
        `The database is at version ${version}, this program knows versions up to ${migrations.length}. Nothing was changed. Start a program of the version that wrote it, or a newer one.`,
        EXIT_BROKEN,
      )
    if (version < migrations.length) await checkRights(client)
    if (version === 0) await client.query('CREATE TABLE schema_version (version integer NOT NULL)')
    if (version > 0 && version < migrations.length) log?.warn({ version, to: migrations.length }, WARNING)
    for (const migration of migrations.slice(version))
      await (typeof migration === 'string' ? session.run(migration) : migration(session))
    if (version < migrations.length) {
      await client.query('DELETE FROM schema_version')
      await client.query('INSERT INTO schema_version VALUES ($1)', [migrations.length])
    }
    await client.query('COMMIT')
    return migrations.length - version
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

const WARNING =
  'The tables are brought to a new version, which older programs refuse. There is no way back but a copy: if there is none, stop this program now and run pg_dump first. Nothing changes until all of it is done.'

/** How many migrations the database has had. */
async function versionOf(client: pg.ClientBase): Promise<number> {
  const { rows: known } = await client.query(`SELECT 1 WHERE to_regclass('schema_version') IS NOT NULL`)
  if (known.length === 0) return 0
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version')
  return rows[0]?.version ?? 0
}
