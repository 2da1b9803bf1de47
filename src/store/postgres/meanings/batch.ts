import { toBytes, toCode } from '../../../domain/meaning/nearness.js'
import type { ContextId, GraphId, MemoryId } from '../../../domain/model.js'
import { MAX_MEMORIES_OF_A_TURN } from '../../meaning.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Database } from '../connection/database.js'
import { codeToBytes } from './code-bytes.js'
import { readingOf } from './reading.js'

/** Who reads: a model, and the number of this process, which is higher than that of any that was opened before. */
export interface Reader {
  readonly model: string
  readonly number: number
}

/** The next memories of a graph, which this process alone is to read. */
export interface Batch {
  readonly generation: number
  /** The memories up to this `seq` were read before. */
  readonly after: number
  readonly memories: readonly Unread[]
}

export interface Unread {
  readonly seq: number
  readonly memory_id: MemoryId
  readonly context_id: ContextId
  readonly payload: string
}

interface Locked {
  readonly generation: number
  readonly model: string
  readonly opened: number
  readonly last_seq: number
  readonly is_ours: boolean
  readonly is_taken: boolean
}

/** Far longer than it takes to read a batch: a process that has not kept one for so long is gone. */
const HELD = `interval '30 seconds'`

const LOCK = {
  name: 'lock-reading',
  text: `SELECT generation, model, opened, last_seq, reader = $2 AS is_ours,
      reader <> $2 AND held_until > now() AS is_taken
    FROM readings WHERE graph_id = $1 FOR UPDATE`,
}
/** An erasure may hold the row for long: there is no need to wait for it before something has been read. */
const LOCK_IF_FREE = { name: 'lock-reading-if-free', text: `${LOCK.text} SKIP LOCKED` }
const NEXT = {
  name: 'next-unread',
  text: `SELECT m.seq, m.memory_id, m.payload, c.context_id
    FROM (SELECT seq, memory_id, payload, context_no FROM memories WHERE graph_id = $1 AND seq > $2
      ORDER BY seq LIMIT ${MAX_MEMORIES_OF_A_TURN}) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c
    ORDER BY m.seq`,
}
const HOLD = {
  name: 'hold-reading',
  text: `UPDATE readings SET reader = $2, held_until = now() + ${HELD}, opened = greatest(opened, $2)
    WHERE graph_id = $1`,
}
const RELEASE = {
  name: 'release-reading',
  text: `UPDATE readings SET reader = 0, held_until = '-infinity' WHERE graph_id = $1 AND reader = $2`,
}
const KEEP = {
  name: 'keep-reading',
  text: `UPDATE readings SET last_seq = $2, memories = memories + $3, held_until = now() + ${HELD}
    WHERE graph_id = $1`,
}
const FORGET = { name: 'forget-vectors', text: 'DELETE FROM vectors WHERE graph_id = $1' }
const BEGIN_AGAIN = {
  name: 'begin-reading-again',
  text: `UPDATE readings SET generation = nextval('reading_numbers'), model = $2, opened = $3, last_seq = 0, memories = 0,
      reader = 0, held_until = '-infinity' WHERE graph_id = $1`,
}
const UNHURRIED = { verb: 'changed', unhurried: true } as const
/** What a crash of the database undoes here is read again, so that no write need wait for the disk on its account. */
const LAZILY = 'SET LOCAL synchronous_commit = off'

/**
 * Takes the next batch of a graph; undefined when there is none for this process, `busy` when another reads the graph now.
 * The process holds the graph until it finds all of it read, but holds no connection while it reads: `keepBatch` looks
 * whether the graph is still as it was.
 */
export async function takeBatch(
  database: Database,
  graphId: GraphId,
  reader: Reader,
): Promise<Batch | 'busy' | undefined> {
  const taken = await database.write(async (session) => {
    await session.run(LAZILY)
    const row = await session.row<Locked>(LOCK_IF_FREE, [graphId, reader.number])
    if (row === undefined) return (await readingOf(session, graphId)) && 'busy'
    if (row.model !== reader.model) return row.opened < reader.number ? 'of another model' : undefined
    if (row.is_taken) return 'busy'
    const memories = await session.rows<Unread>(NEXT, [graphId, row.last_seq])
    if (memories.length > 0) {
      await session.rows(HOLD, [graphId, reader.number])
      return { generation: row.generation, after: row.last_seq, memories }
    }
    if (row.is_ours) await session.rows(RELEASE, [graphId, reader.number])
    return undefined
  })
  if (taken !== 'of another model') return taken
  return (await beginAgain(database, graphId, reader)) ? takeBatch(database, graphId, reader) : 'busy'
}

/**
 * Removes the vectors of another model. Of processes with different models on one database, the one that was opened last
 * has its way, even while another reads: so that each opening has every graph read anew once at most, and none is read by
 * turns.
 */
async function beginAgain(database: Database, graphId: GraphId, reader: Reader): Promise<boolean> {
  return database.write(async (session) => {
    const row = await session.row<Locked>(LOCK, [graphId, reader.number])
    if (row === undefined || row.model === reader.model || row.opened >= reader.number) return false
    await session.rows(FORGET, [graphId])
    await session.rows(BEGIN_AGAIN, [graphId, reader.model, reader.number])
    return true
  }, UNHURRIED)
}

/** Keeps the vectors of a batch, unless the graph was erased from or taken over since it was taken. */
export async function keepBatch(
  database: Database,
  graphId: GraphId,
  reader: Reader,
  { generation, after, memories }: Batch,
  vectors: readonly Float32Array[],
): Promise<void> {
  const bytes = vectors.map(toBytes)
  await database.write(async (session) => {
    await session.run(LAZILY)
    const row = await session.row<Locked>(LOCK, [graphId, reader.number])
    if (row?.generation !== generation || row.last_seq !== after) return
    const tables = new BulkWrite(session, graphId)
    tables.insert('vectors', [
      ['memory_id', 'text', memories.map(({ memory_id }) => memory_id)],
      ['seq', 'bigint', memories.map(({ seq }) => seq)],
      ['code', 'bytea', bytes.map((vector) => codeToBytes(toCode(vector)))],
      ['vector', 'bytea', bytes.map(({ buffer }) => Buffer.from(buffer))],
    ])
    await session.rows(KEEP, [graphId, memories.at(-1)?.seq ?? after, memories.length])
    await tables.done()
  })
}

/** Lets other processes read the graph at once. */
export async function releaseGraph(database: Database, graphId: GraphId, reader: Reader): Promise<void> {
  await database.ask((session) => session.rows(RELEASE, [graphId, reader.number]))
}

const NUMBER = { name: 'reading-number', text: `SELECT nextval('reading_numbers') AS number` }

/** The number of a process that is opened now. */
export async function drawNumber(database: Database): Promise<number> {
  const row = await database.ask((session) => session.row<{ number: number }>(NUMBER))
  return row?.number ?? 0
}
