import type pg from 'pg'
import { EXIT_BROKEN, OpenError } from '../../open-error.js'

/** The least version that the statements are tested with. */
const LEAST = 14
const ENCODING = 'UTF8'

export interface Server {
  readonly version: string
  readonly encoding: string
}

/** Refuses a server that cannot keep what it is given, before anything is made in it. */
export async function checkServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Server>(
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`,
  )
  const reason = rows[0] && unusable(rows[0])
  if (reason !== undefined) throw new OpenError(reason, EXIT_BROKEN)
}

/** Why a server cannot be used, as a sentence. */
export function unusable({ version, encoding }: Server): string | undefined {
  if (Number.parseInt(version, 10) < LEAST)
    return `The database of DATABASE_URL is PostgreSQL ${version}; the least version that can be used is ${LEAST}.`
  if (encoding !== ENCODING)
    return `The database of DATABASE_URL has the encoding ${encoding}, which cannot hold every text. Make one with ENCODING '${ENCODING}' TEMPLATE template0, and use that.`
  return undefined
}

/** Refuses a user who may not make the tables that are missing. */
export async function checkRights(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ schema: string | null; name: string; allowed: boolean | null }>(
    `SELECT current_schema() AS schema, current_user AS name,
      has_schema_privilege(current_schema(), 'CREATE') AS allowed`,
  )
  const [row] = rows
  if (row === undefined || row.allowed === true) return
  const schema = row.schema ?? 'of its search_path, none of which it may use'
  throw new OpenError(
    `The user ${row.name} of DATABASE_URL may not make tables in the schema ${schema}. Nothing was changed. Let its owner GRANT CREATE ON SCHEMA, or use a database that the user owns.`,
    EXIT_BROKEN,
  )
}
