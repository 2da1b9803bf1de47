import { DIMENSIONS } from '../../domain/meaning/nearness.js'
import type { GraphId, MemoryId } from '../../domain/model.js'
import type { VectorStore } from '../../graph/embeddings.js'
import type { Head } from '../graph-log.js'
import type { Database } from './database.js'

const PAGE_ROWS = 2_000
/** The vectors of a page as one value. */
const PAGE = `SELECT array_agg(memory_id ORDER BY memory_id) AS ids,
    array_agg(identity = $3 AND octet_length(vector) = ${DIMENSIONS} ORDER BY memory_id) AS good,
    string_agg(CASE WHEN identity = $3 AND octet_length(vector) = ${DIMENSIONS} THEN vector END, ''::bytea
      ORDER BY memory_id) AS bytes
  FROM (SELECT memory_id, identity, vector FROM vectors
    WHERE graph_id = $1 AND memory_id > $2 ORDER BY memory_id LIMIT ${PAGE_ROWS}) AS page`
/** Locks the row of the graph: a later erasure removes these vectors, and after an earlier one nothing is inserted. */
const INSERT = `WITH graph AS (SELECT FROM graphs WHERE graph_id = $3 AND epoch = $4 AND erased_at = $5 FOR SHARE),
  added AS (
    INSERT INTO vectors (graph_id, memory_id, identity, vector)
      SELECT $3, v.memory_id, $6, v.vector FROM graph, unnest($1::text[], $2::bytea[]) AS v (memory_id, vector)
      ON CONFLICT (graph_id, memory_id) DO UPDATE SET identity = excluded.identity, vector = excluded.vector)
  SELECT 1 FROM graph`
const REMOVE = 'DELETE FROM vectors WHERE graph_id = $1 AND memory_id = ANY($2)'

/** `mem_` and a ULID. */
const ID_BYTES = 30
const RECORD_BYTES = ID_BYTES + DIMENSIONS
const CHUNK_RECORDS = 2_048

interface PageRow {
  readonly ids: readonly MemoryId[] | null
  readonly good: readonly boolean[]
  readonly bytes: Buffer | null
}

export interface PostgresVectors extends VectorStore {
  /** Hides the vectors of erased memories, which are already removed from the table. */
  forget(ids: Iterable<MemoryId>): void
}

/**
 * The vectors of a graph in the table. All vectors that were read or added are also in memory, off the heap, for `readNow`.
 * Vectors of unwanted memories stay in the table: another process may have recorded them.
 */
export function openVectors(
  database: Database,
  graphId: GraphId,
  identity: string,
  { head, onClose }: { head: () => Head | undefined; onClose: () => void },
): PostgresVectors {
  const erased = new Set<MemoryId>()
  let chunks: Buffer[] = []
  let count = 0

  /** Stores a vector in memory and returns its index. */
  function store(id: MemoryId, vector: Int8Array): number {
    const index = count++
    if (index % CHUNK_RECORDS === 0) chunks.push(Buffer.alloc(CHUNK_RECORDS * RECORD_BYTES))
    const { chunk, start } = at(index)
    chunk.fill(0, start, start + ID_BYTES)
    chunk.write(id, start, ID_BYTES, 'latin1')
    chunk.set(new Uint8Array(vector.buffer, vector.byteOffset, DIMENSIONS), start + ID_BYTES)
    return index
  }

  function at(index: number): { readonly chunk: Buffer; readonly start: number } {
    const chunk = chunks[Math.floor(index / CHUNK_RECORDS)]
    if (chunk === undefined) throw new Error(`There is no vector at ${index}.`)
    return { chunk, start: (index % CHUNK_RECORDS) * RECORD_BYTES }
  }

  return {
    async open(isWanted, take) {
      for (let after: MemoryId | undefined = ''; after !== undefined; ) {
        const pages: PageRow[] = await database.rows(PAGE, [graphId, after, identity])
        const { ids, good, bytes } = pages[0] ?? { ids: null, good: [], bytes: null }
        const unusable: MemoryId[] = []
        let start = 0
        for (const [i, id] of (ids ?? []).entries()) {
          if (good[i] !== true || bytes === null) {
            unusable.push(id)
            continue
          }
          const vector = new Int8Array(bytes.buffer, bytes.byteOffset + start, DIMENSIONS)
          start += DIMENSIONS
          if (isWanted(id)) take({ id, vector }, store(id, vector))
        }
        if (unusable.length > 0) await database.change('changed', REMOVE, [graphId, unusable])
        after = ids?.at(-1)
      }
    },

    readNow(index, id) {
      if (index < 0 || index >= count || erased.has(id)) return undefined
      const { chunk, start } = at(index)
      if (chunk.toString('latin1', start, start + ID_BYTES) !== id) return undefined
      return new Int8Array(chunk.buffer, chunk.byteOffset + start + ID_BYTES, DIMENSIONS)
    },

    /** Rejects if something was erased that this process has not read yet: it may be the memories of these vectors. */
    async append(records) {
      if (records.length === 0) return count
      const ids = records.map(({ id }) => id)
      const bytes = records.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, DIMENSIONS))
      const { epoch, erasedAt } = head() ?? {}
      const added = await database.change('changed', INSERT, [ids, bytes, graphId, epoch, erasedAt, identity])
      if (added.length === 0) throw new Error('The graph was changed since its vectors were read.')
      const place = count
      for (const { id, vector } of records) store(id, vector)
      return place
    },

    forget(ids) {
      for (const id of ids) erased.add(id)
    },

    async close() {
      onClose()
      chunks = []
      count = 0
    },
  }
}
