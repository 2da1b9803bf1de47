import { EXIT_BROKEN, EXIT_IN_USE, OpenError } from '../../store/open-error.js'
import type { Database, Queries } from './database.js'
import { isConnectionLost } from './errors.js'

const SCHEMA_VERSION = 1
/** The oldest version that the statements are tested with. */
const MIN_SERVER_VERSION = 14
const ENCODING = 'UTF8'
/** The key of an advisory lock, which no other program on the same database should use: "lore" in ASCII. */
const SETUP_LOCK = 0x6c6f7265

/**
 * All tables are logged, even the derived `vectors`: an unlogged table is empty after a crash and on standbys, and computing a
 * million vectors takes hours.
 *
 * The key of `entries` contains `epoch`, so that an import or a replacement can write rows that no row of `graphs` refers to
 * yet. Each append updates a row of `graphs`; the fill factor leaves space for it on the same page, so that no index changes.
 * Erased text stays in dead rows until the vacuum after an erasure; if that fails, autovacuum runs after a few rows.
 */
const TABLES = `
  CREATE SEQUENCE epochs;
  CREATE TABLE graphs (
    graph_id text COLLATE "C" PRIMARY KEY,
    epoch bigint NOT NULL,
    position bigint NOT NULL,
    append_id text COLLATE "C" NOT NULL,
    erased_at bigint NOT NULL,
    bytes bigint NOT NULL,
    min_version integer NOT NULL
  ) WITH (fillfactor = 50);
  CREATE TABLE entries (
    graph_id text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    position bigint NOT NULL,
    count integer NOT NULL,
    append_id text COLLATE "C" NOT NULL,
    entry text NOT NULL,
    PRIMARY KEY (graph_id, epoch, position)
  ) WITH (autovacuum_vacuum_threshold = 20, autovacuum_vacuum_scale_factor = 0,
    toast.autovacuum_vacuum_threshold = 20, toast.autovacuum_vacuum_scale_factor = 0);
  CREATE TABLE vectors (
    graph_id text COLLATE "C" NOT NULL,
    memory_id text COLLATE "C" NOT NULL,
    identity text NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (graph_id, memory_id)
  ) WITH (autovacuum_vacuum_threshold = 20, autovacuum_vacuum_scale_factor = 0);
  CREATE TABLE keys (
    key_id text COLLATE "C" PRIMARY KEY,
    secret_hash text COLLATE "C" NOT NULL UNIQUE,
    name text NOT NULL,
    scopes text[] NOT NULL,
    graphs text[],
    sources text[],
    makers text[],
    created_at text NOT NULL,
    expires_at text
  );
  CREATE TABLE settings (
    name text COLLATE "C" PRIMARY KEY,
    value text NOT NULL
  );
  INSERT INTO settings (name, value) VALUES ('schema_version', '${SCHEMA_VERSION}')`

const SERVER = `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
  current_setting('synchronous_commit') AS commits, current_schema() AS schema, current_user AS name, has_schema_privilege(current_schema(), 'CREATE') AS allowed`
const FOUND = `SELECT to_regclass('schema_version') IS NOT NULL AS old, to_regclass('settings') IS NOT NULL AS present`
const VERSION = `SELECT value FROM settings WHERE name = 'schema_version'`

/**
 * Creates the tables if there are none. Only one process does so; others wait for it. Rejects with an `OpenError` if the
 * database cannot be used, or belongs to another version.
 */
export async function prepare(database: Database): Promise<void> {
  try {
    await database.transaction(setUp, { verb: 'changed', isLong: true })
  } catch (error) {
    throw refusalOf(error)
  }
}

async function setUp(transaction: Queries): Promise<void> {
  const [server] = await transaction.rows<Server & User>(SERVER)
  const reason = server && unusable(server)
  if (reason !== undefined) throw new OpenError(reason, EXIT_BROKEN)
  await transaction.rows('SELECT pg_advisory_xact_lock($1)', [SETUP_LOCK])
  const [found] = await transaction.rows<{ old: boolean; present: boolean }>(FOUND)
  if (found?.old) throw new OpenError(OLD, EXIT_BROKEN)
  if (!found?.present) {
    if (server !== undefined) refuseUnlessAllowed(server)
    for (const statement of TABLES.split(';')) await transaction.rows(statement)
    return
  }
  const [row] = await transaction.rows<{ value: string }>(VERSION)
  const version = Number(row?.value)
  if (version === SCHEMA_VERSION) return
  throw new OpenError(
    version > SCHEMA_VERSION
      ? `The database of DATABASE_URL is at version ${version}, this program knows version ${SCHEMA_VERSION}. Nothing was changed. Start a program of the version that wrote it, or a newer one.`
      : 'The database of DATABASE_URL has a table "settings" that is not of Loregraph. Nothing was changed. Use another database.',
    EXIT_BROKEN,
  )
}

const OLD =
  'The database of DATABASE_URL was made by Loregraph 0.2, which kept graphs in other tables. Nothing was changed. Bring them over: run "loregraph export" of 0.2 for each graph, name an empty database in DATABASE_URL, and run "loregraph import" of this version.'

interface Server {
  readonly version: string
  readonly encoding: string
  /** Of `synchronous_commit`. */
  readonly commits: string
}

interface User {
  readonly schema: string | null
  readonly name: string
  /** May the user create tables? */
  readonly allowed: boolean | null
}

/** Why a server cannot be used, as a sentence; undefined if it can. */
export function unusable({ version, encoding, commits }: Server): string | undefined {
  if (Number.parseInt(version, 10) < MIN_SERVER_VERSION)
    return `The database of DATABASE_URL is PostgreSQL ${version}; the least version that can be used is ${MIN_SERVER_VERSION}.`
  if (encoding !== ENCODING)
    return `The database of DATABASE_URL has the encoding ${encoding}, which cannot hold every text. Make one with ENCODING '${ENCODING}' TEMPLATE template0, and use that.`
  if (commits === 'off')
    return 'The database of DATABASE_URL has synchronous_commit = off, with which a crash of the server takes what was acknowledged. Set it on for the user: ALTER ROLE … SET synchronous_commit = on.'
  return undefined
}

function refuseUnlessAllowed({ schema, name, allowed }: User): void {
  if (allowed === true) return
  const where = schema ?? 'of its search_path, none of which it may use'
  throw new OpenError(
    `The user ${name} of DATABASE_URL may not make tables in the schema ${where}. Nothing was changed. Let its owner GRANT CREATE ON SCHEMA, or use a database that the user owns.`,
    EXIT_BROKEN,
  )
}

/** The error with which the service does not start. Its exit code tells whether another attempt may succeed. */
function refusalOf(error: unknown): unknown {
  if (error instanceof OpenError || !(error instanceof Error)) return error
  const cause = error.cause instanceof Error ? error.cause : error
  const reasons = cause instanceof AggregateError ? cause.errors.map(String).join('; ') : cause.message
  return new OpenError(
    `The database of DATABASE_URL cannot be used: ${reasons}.`,
    isConnectionLost(cause) ? EXIT_IN_USE : EXIT_BROKEN,
    { cause: error },
  )
}
