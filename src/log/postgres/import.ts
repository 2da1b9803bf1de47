import { Failure } from '../../domain/failure.js'
import type { GraphId } from '../../domain/model.js'
import type { Entry } from '../entries.js'
import { Behind, type Head } from '../graph-log.js'
import type { Database, Queries } from './database.js'
import { OutcomeUnknown, toFailure } from './errors.js'
import { Batch, ENTRY_VERSION, type GraphRow, texts, toHead } from './rows.js'
import { HEAD, REMOVE_ENTRIES, removeRows, STATEMENT_BYTES } from './write.js'

const HEARTBEAT_MS = 60_000
/** So many times longer than `HEARTBEAT_MS` that a process which is held up for a while does not lose what it received. */
const ABANDONED_AFTER_SECONDS = 600

const NOW = 'extract(epoch FROM now())::bigint::text'
const START = `INSERT INTO settings (name, value)
  SELECT 'import:' || epoch || ':' || $1, ${NOW} FROM nextval('epochs') AS epoch RETURNING name`
/** No row if others have taken the import for abandoned. */
const STAGE = `WITH alive AS (UPDATE settings SET value = ${NOW} WHERE name = $4 RETURNING 1),
  added AS (
    INSERT INTO entries (graph_id, epoch, position, count, append_id, entry)
      SELECT $5, $6, e.position, e.count, $7, e.entry
        FROM alive, unnest($1::bigint[], $2::integer[], ${texts('$3')}) AS e (position, count, entry))
  SELECT 1 FROM alive`
const ALIVE = `UPDATE settings SET value = ${NOW} WHERE name = $1`
const END = 'DELETE FROM settings WHERE name = $1 RETURNING 1'
const ABANDONED = `DELETE FROM settings WHERE name IN (
    SELECT name FROM settings WHERE CASE WHEN name LIKE 'import:%'
      THEN value::bigint < extract(epoch FROM now()) - ${ABANDONED_AFTER_SECONDS} ELSE false END
    FOR UPDATE SKIP LOCKED) RETURNING name`
const ANNOUNCE_NEW = `INSERT INTO graphs (graph_id, epoch, position, append_id, erased_at, bytes, min_version)
  VALUES ($1, $2, $3, $4, $5, $6, ${ENTRY_VERSION}) ON CONFLICT DO NOTHING RETURNING ${HEAD}`
const ANNOUNCE = `UPDATE graphs SET epoch = $2, position = $3, append_id = $4, erased_at = $5, bytes = $6,
    min_version = ${ENTRY_VERSION}
  WHERE graph_id = $1 AND epoch = $7 AND position = $8 AND append_id = $9 RETURNING ${HEAD}`
/** The names of such rows. */
const STAGED = /^import:(\d+):(.*)$/
const LONG = { verb: 'imported', isLong: true } as const

/**
 * The entries of a graph that is received: rows of an epoch that no row of `graphs` names yet, and a row of `settings` that
 * says so and when the last of them came.
 */
export class Staged {
  readonly #database: Database
  readonly #name: string
  readonly #graphId: GraphId
  readonly epoch: string
  readonly #appendId: string
  readonly #heartbeat: NodeJS.Timeout
  #batch = new Batch()
  #bytes = 0
  #erasedAt = 0

  private constructor(database: Database, name: string, graphId: GraphId, appendId: string) {
    this.#database = database
    this.#name = name
    this.#graphId = graphId
    this.epoch = STAGED.exec(name)?.[1] ?? ''
    this.#appendId = appendId
    const beat = () => database.change('imported', ALIVE, [name]).catch(() => undefined)
    this.#heartbeat = setInterval(beat, HEARTBEAT_MS).unref()
  }

  static async begin(database: Database, graphId: GraphId, appendId: string): Promise<Staged> {
    const [row] = await known(database.change<{ name: string }>('imported', START, [graphId]))
    return new Staged(database, row?.name ?? '', graphId, appendId)
  }

  async add(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      this.#batch.add(entry)
      if (this.#batch.bytes >= STATEMENT_BYTES) await this.#flush()
    }
  }

  /** The graph is there, whole, in the place of what it replaces; within a transaction. */
  async announce(queries: Queries, after: Head | undefined): Promise<Head> {
    const { last } = this.#batch
    if (last === 0) throw new Error('A graph has at least one entry.')
    if ((await queries.rows(END, [this.#name])).length === 0) throw lost()
    const values = [this.#graphId, this.epoch, last, this.#appendId, this.#erasedAt, this.#bytes]
    const [row] =
      after === undefined
        ? await queries.rows<GraphRow>(ANNOUNCE_NEW, values)
        : await queries.rows<GraphRow>(ANNOUNCE, [...values, after.epoch, after.position, after.appendId])
    if (row === undefined) throw new Behind()
    if (after !== undefined) await removeRows(queries, this.#graphId, after.epoch)
    return toHead(row)
  }

  /** Everything that was added is in the database. */
  async flush(): Promise<void> {
    if (this.#batch.positions.length > 0) await this.#flush()
  }

  async end(isAnnounced: boolean): Promise<void> {
    clearInterval(this.#heartbeat)
    if (isAnnounced) return
    await this.#database
      .transaction(async (transaction) => {
        await transaction.rows(END, [this.#name])
        await transaction.rows(REMOVE_ENTRIES, [this.#graphId, this.epoch])
      }, LONG)
      .catch(() => undefined)
  }

  async #flush(): Promise<void> {
    const batch = this.#batch
    const values = [...batch.columns, this.#name, this.#graphId, this.epoch, this.#appendId]
    const alive = await known(this.#database.change('imported', STAGE, values))
    if (alive.length === 0) throw lost()
    this.#bytes += batch.bytes
    this.#erasedAt = Math.max(this.#erasedAt, batch.erasedAt)
    this.#batch = new Batch()
    this.#batch.last = batch.last
  }
}

/** Removes what is left of imports of which nothing was heard for long, since their process was killed. */
export async function removeAbandoned(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const { name } of await transaction.rows<{ name: string }>(ABANDONED)) {
      const [, epoch, graphId] = STAGED.exec(name) ?? []
      await transaction.rows(REMOVE_ENTRIES, [graphId, epoch])
    }
  }, LONG)
}

/** Of what is not announced, the outcome is known: nothing. */
async function known<T>(staging: Promise<T>): Promise<T> {
  try {
    return await staging
  } catch (error) {
    throw error instanceof OutcomeUnknown ? toFailure(error.cause, 'imported') : error
  }
}

function lost(): Failure {
  return new Failure(
    'storage_unavailable',
    'The database has lost what it had received of the import; nothing was imported.',
  )
}
