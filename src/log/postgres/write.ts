import type { GraphId } from '../../domain/model.js'
import type { Entry } from '../entries.js'
import { Behind, type Erasure, type Head, isSame } from '../graph-log.js'
import { prepared, type Queries } from './database.js'
import { Batch, ENTRY_VERSION, type GraphRow, texts, toHead } from './rows.js'

export const HEAD = 'graph_id, epoch, position, append_id, erased_at, bytes'

/** Waits for a concurrent write. */
const LOCK = `SELECT ${HEAD} FROM graphs WHERE graph_id = $1 FOR UPDATE`
const ADDED = `added AS (
    INSERT INTO entries (graph_id, epoch, position, count, append_id, entry)
      SELECT head.graph_id, head.epoch, e.position, e.count, head.append_id, e.entry
        FROM head, unnest($1::bigint[], $2::integer[], ${texts('$3')}) AS e (position, count, entry))
  SELECT ${HEAD} FROM head`
/**
 * Bounds the wait for a lock, which starts after the rows of FROM were read. If only the client stopped waiting, the statement
 * would still be executed later.
 */
const WITH_LOCK_TIMEOUT = `(SELECT set_config('lock_timeout', $9, true) AS lock_timeout) AS patience`
/** Compares the head and inserts the entries in one statement, which needs no explicit transaction. */
export const APPEND = prepared(`WITH head AS (
    UPDATE graphs SET position = $5, append_id = $6, erased_at = greatest(erased_at, $7), bytes = bytes + $8,
        min_version = greatest(min_version, ${ENTRY_VERSION})
      FROM ${WITH_LOCK_TIMEOUT} WHERE graph_id = $4 AND epoch = $10 AND position = $11 AND append_id = $12 AND lock_timeout IS NOT NULL
      RETURNING ${HEAD}),
  ${ADDED}`)
const BEGIN = `WITH head AS (
    INSERT INTO graphs (graph_id, epoch, position, append_id, erased_at, bytes, min_version)
      SELECT $4::text, nextval('epochs'), $5::bigint, $6::text, $7::bigint, $8::bigint, ${ENTRY_VERSION} FROM ${WITH_LOCK_TIMEOUT}
        WHERE lock_timeout IS NOT NULL ON CONFLICT DO NOTHING RETURNING ${HEAD}),
  ${ADDED}`
const WRITTEN = 'SELECT FROM entries WHERE graph_id = $1 AND epoch = $2 AND position = $3 AND append_id = $4'
/** Returns the former length of the entries. */
const REWRITE = `WITH before AS (
    SELECT coalesce(sum(octet_length(entry)), 0)::bigint AS bytes FROM entries
      WHERE graph_id = $3 AND epoch = $4 AND position = ANY($1)),
  changed AS (
    UPDATE entries SET entry = n.entry FROM unnest($1::bigint[], ${texts('$2')}) AS n (position, entry)
      WHERE graph_id = $3 AND epoch = $4 AND entries.position = n.position)
  SELECT bytes FROM before`
const REMOVE_VECTORS = 'DELETE FROM vectors WHERE graph_id = $1 AND memory_id = ANY($2)'
const REMOVE =
  'DELETE FROM graphs WHERE graph_id = $1 AND epoch = $2 AND position = $3 AND append_id = $4 RETURNING 1'
export const REMOVE_ENTRIES = 'DELETE FROM entries WHERE graph_id = $1 AND epoch = $2'
const REMOVE_ALL_VECTORS = 'DELETE FROM vectors WHERE graph_id = $1'

/** The approximate size of a statement. */
export const STATEMENT_BYTES = 256 * 1024
const MAX_IDS = 10_000

/** Locks a graph until the transaction ends, and returns its head. */
export async function lock(queries: Queries, graphId: GraphId): Promise<Head | undefined> {
  const [row] = await queries.rows<GraphRow>(LOCK, [graphId])
  return row && toHead(row)
}

/** Entries to append after a head. */
export interface Write {
  readonly graphId: GraphId
  readonly after: Head | undefined
  readonly entries: readonly Entry[]
  readonly appendId: string
}

/** Compares the head and inserts the entries in one statement. `changedBytes` is the growth of changed entries. */
export async function append(
  queries: Queries,
  write: Write,
  { lockTimeout, changedBytes = 0 }: { readonly lockTimeout: number; readonly changedBytes?: number },
): Promise<Head> {
  const { graphId, after, appendId } = write
  const batch = new Batch(write.entries)
  const bytes = batch.bytes + changedBytes
  const values = [...batch.columns, graphId, batch.last, appendId, batch.erasedAt, bytes, String(lockTimeout)]
  const rows =
    after === undefined
      ? await queries.rows<GraphRow>(BEGIN, values)
      : await queries.rows<GraphRow>(APPEND, [...values, after.epoch, after.position, after.appendId])
  const [row] = rows
  if (row === undefined) throw new Behind()
  return toHead(row)
}

/** The head after a write, if the write happened. Must run within a transaction, which locks the graph. */
export async function find(
  queries: Queries,
  { graphId, after, entries, appendId }: Write,
): Promise<Head | undefined> {
  const head = await lock(queries, graphId)
  if (head === undefined || head.appendId === appendId) return head
  if (after !== undefined && head.epoch !== after.epoch) return undefined
  const found = await queries.rows(WRITTEN, [graphId, head.epoch, (after?.position ?? 0) + 1, appendId])
  if (found.length === 0) return undefined
  const { last, erasedAt } = new Batch(entries)
  return { ...head, position: last, appendId, erasedAt: Math.max(erasedAt, after?.erasedAt ?? 0) }
}

/** Must run within a transaction. */
export async function erase(
  queries: Queries,
  write: Write,
  { changed, memoryIds }: Pick<Erasure, 'changed' | 'memoryIds'>,
): Promise<Head> {
  const { graphId, after } = write
  if (!isSame(await lock(queries, graphId), after)) throw new Behind()
  let changedBytes = 0
  for (const batch of batches(changed)) {
    const values = [batch.positions, batch.text, graphId, after?.epoch]
    const [before] = await queries.rows<{ bytes: number }>(REWRITE, values)
    changedBytes += batch.bytes - (before?.bytes ?? 0)
  }
  const ids = [...memoryIds]
  for (let from = 0; from < ids.length; from += MAX_IDS)
    await queries.rows(REMOVE_VECTORS, [graphId, ids.slice(from, from + MAX_IDS)])
  // The graph is locked already.
  return append(queries, write, { lockTimeout: 0, changedBytes })
}

/** Must run within a transaction. */
export async function remove(queries: Queries, graphId: GraphId, after: Head): Promise<void> {
  const removed = await queries.rows(REMOVE, [graphId, after.epoch, after.position, after.appendId])
  if (removed.length === 0) throw new Behind()
  await removeRows(queries, graphId, after.epoch)
}

/** Removes the entries and vectors of a graph. */
export async function removeRows(queries: Queries, graphId: GraphId, epoch: string): Promise<void> {
  await queries.rows(REMOVE_ENTRIES, [graphId, epoch])
  await queries.rows(REMOVE_ALL_VECTORS, [graphId])
}

/** Splits entries into batches of about `STATEMENT_BYTES`. */
function* batches(entries: readonly Entry[]): Generator<Batch> {
  let batch = new Batch()
  for (const entry of entries) {
    batch.add(entry)
    if (batch.bytes < STATEMENT_BYTES) continue
    yield batch
    batch = new Batch()
  }
  if (batch.positions.length > 0) yield batch
}
