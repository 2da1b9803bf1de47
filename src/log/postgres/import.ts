import { Failure } from '../../domain/failure.js'
import type { GraphId } from '../../domain/model.js'
import type { Entry } from '../entries.js'
import { Behind, type Head } from '../graph-log.js'
import type { Database, Queries } from './database.js'
import { OutcomeUnknown, toFailure } from './errors.js'
import { Batch, ENTRY_VERSION, type GraphRow, texts, toHead } from './rows.js'
import { HEAD, REMOVE_ENTRIES, removeRows, STATEMENT_BYTES } from './write.js'

const HEARTBEAT_MS = 60_000
/** Many heartbeats, so that a process that stalls does not lose its import. */
const ABANDONED_AFTER_SECONDS = 600

const NOW = 'extract(epoch FROM now())::bigint::text'
const START = `INSERT INTO settings (name, value)
  SELECT 'import:' || epoch || ':' || $1, ${NOW} FROM nextval('epochs') AS epoch RETURNING name`
/** Returns no row if another process has removed the import as abandoned. */
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
const PUBLISH_NEW = `INSERT INTO graphs (graph_id, epoch, position, append_id, erased_at, bytes, min_version)
  VALUES ($1, $2, $3, $4, $5, $6, ${ENTRY_VERSION}) ON CONFLICT DO NOTHING RETURNING ${HEAD}`
const PUBLISH = `UPDATE graphs SET epoch = $2, position = $3, append_id = $4, erased_at = $5, bytes = $6,
    min_version = ${ENTRY_VERSION}
  WHERE graph_id = $1 AND epoch = $7 AND position = $8 AND append_id = $9 RETURNING ${HEAD}`
/** The name of an import's row in `settings`. */
const IMPORT_NAME = /^import:(\d+):(.*)$/
const LONG = { verb: 'imported', isLong: true } as const

/**
 * Begins an import. Its entries are written under a new epoch that `graphs` does not point to yet; a row in `settings` carries
 * its heartbeat.
 */
export async function beginImport(database: Database, graphId: GraphId, appendId: string) {
  const [row] = await asPlainFailure(database.change<{ name: string }>('imported', START, [graphId]))
  const name = row?.name ?? ''
  const [, epoch] = IMPORT_NAME.exec(name) ?? []
  if (epoch === undefined) throw new Error(`An import cannot be named ${JSON.stringify(name)}.`)
  const beat = () => database.change('imported', ALIVE, [name]).catch(() => undefined)
  const heartbeat = setInterval(beat, HEARTBEAT_MS).unref()
  let batch = new Batch()
  let bytes = 0
  let erasedAt = 0

  /** Writes what is still buffered. */
  async function flush(): Promise<void> {
    if (batch.positions.length === 0) return
    const values = [...batch.columns, name, graphId, epoch, appendId]
    const alive = await asPlainFailure(database.change('imported', STAGE, values))
    if (alive.length === 0) throw lost()
    bytes += batch.bytes
    erasedAt = Math.max(erasedAt, batch.erasedAt)
    const { last } = batch
    batch = new Batch()
    batch.last = last
  }

  return {
    epoch,
    flush,

    async add(entries: readonly Entry[]): Promise<void> {
      for (const entry of entries) {
        batch.add(entry)
        if (batch.bytes >= STATEMENT_BYTES) await flush()
      }
    },

    /** Publishes the import in place of the old graph. Call it within a transaction. */
    async publish(queries: Queries, after: Head | undefined): Promise<Head> {
      if (batch.last === 0) throw new Error('A graph has at least one entry.')
      if ((await queries.rows(END, [name])).length === 0) throw lost()
      const values = [graphId, epoch, batch.last, appendId, erasedAt, bytes]
      const [row] =
        after === undefined
          ? await queries.rows<GraphRow>(PUBLISH_NEW, values)
          : await queries.rows<GraphRow>(PUBLISH, [...values, after.epoch, after.position, after.appendId])
      if (row === undefined) throw new Behind()
      if (after !== undefined) await removeRows(queries, graphId, after.epoch)
      return toHead(row)
    },

    /** Removes the entries unless the import was published. Its row in `settings` says so, even if a COMMIT had no answer. */
    async discard(): Promise<void> {
      const remove = async (queries: Queries) => {
        const removed = await queries.rows(END, [name])
        if (removed.length > 0) await queries.rows(REMOVE_ENTRIES, [graphId, epoch])
      }
      await database.transaction(remove, LONG).catch(() => undefined)
    },

    close: () => clearInterval(heartbeat),
  }
}

/** Removes what is left of imports whose heartbeat has stopped. */
export async function removeAbandoned(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const { name } of await transaction.rows<{ name: string }>(ABANDONED)) {
      const [, epoch, graphId] = IMPORT_NAME.exec(name) ?? []
      await transaction.rows(REMOVE_ENTRIES, [graphId, epoch])
    }
  }, LONG)
}

/** An unpublished import is invisible, so a lost connection leaves nothing in doubt. */
async function asPlainFailure<T>(staging: Promise<T>): Promise<T> {
  try {
    return await staging
  } catch (error) {
    throw error instanceof OutcomeUnknown ? toFailure(error.cause, 'imported') : error
  }
}

function lost(): Failure {
  return new Failure(
    'storage_unavailable',
    'The import was removed before it was complete: nothing arrived for 10 minutes, or the database failed over. Nothing was imported; send it again.',
  )
}
