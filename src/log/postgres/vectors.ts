import { DIMENSIONS } from '../../domain/meaning/nearness.js'
import type { GraphId, MemoryId } from '../../domain/model.js'
import type { VectorRecord, VectorStore } from '../../graph/embeddings.js'
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

/**
 * The vectors of a graph in the table. All vectors that were read or added are also in memory, off the heap, for `readNow`.
 * Vectors of unwanted memories stay in the table: another process may have recorded them.
 */
export class PostgresVectors implements VectorStore {
  readonly #database: Database
  readonly #graphId: GraphId
  readonly #identity: string
  readonly #head: () => Head | undefined
  readonly #onClose: () => void
  readonly #erased = new Set<MemoryId>()
  #chunks: Buffer[] = []
  #count = 0

  constructor(
    database: Database,
    graphId: GraphId,
    identity: string,
    { head, onClose }: { head: () => Head | undefined; onClose: () => void },
  ) {
    this.#database = database
    this.#graphId = graphId
    this.#identity = identity
    this.#head = head
    this.#onClose = onClose
  }

  async open(
    isWanted: (id: MemoryId) => boolean,
    take: (record: VectorRecord, place: number) => void,
  ): Promise<void> {
    for (let after: MemoryId | undefined = ''; after !== undefined; ) {
      const pages: PageRow[] = await this.#database.rows(PAGE, [this.#graphId, after, this.#identity])
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
        if (isWanted(id)) take({ id, vector }, this.#store(id, vector))
      }
      if (unusable.length > 0) await this.#database.change('changed', REMOVE, [this.#graphId, unusable])
      after = ids?.at(-1)
    }
  }

  readNow(index: number, id: MemoryId): Int8Array | undefined {
    if (index < 0 || index >= this.#count || this.#erased.has(id)) return undefined
    const { chunk, start } = this.#at(index)
    if (chunk.toString('latin1', start, start + ID_BYTES) !== id) return undefined
    return new Int8Array(chunk.buffer, chunk.byteOffset + start + ID_BYTES, DIMENSIONS)
  }

  /** Rejects if something was erased that this process has not read yet: it may be the memories of these vectors. */
  async append(records: readonly VectorRecord[]): Promise<number> {
    if (records.length === 0) return this.#count
    const head = this.#head()
    const ids = records.map(({ id }) => id)
    const bytes = records.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, DIMENSIONS))
    const values = [ids, bytes, this.#graphId, head?.epoch, head?.erasedAt, this.#identity]
    const added = await this.#database.change('changed', INSERT, values)
    if (added.length === 0) throw new Error('The graph was changed since its vectors were read.')
    const place = this.#count
    for (const { id, vector } of records) this.#store(id, vector)
    return place
  }

  /** Hides the vectors of erased memories, which are already removed from the table. */
  forget(ids: Iterable<MemoryId>): void {
    for (const id of ids) this.#erased.add(id)
  }

  async close(): Promise<void> {
    this.#onClose()
    this.#chunks = []
    this.#count = 0
  }

  /** Stores a vector in memory and returns its index. */
  #store(id: MemoryId, vector: Int8Array): number {
    const index = this.#count++
    if (index % CHUNK_RECORDS === 0) this.#chunks.push(Buffer.alloc(CHUNK_RECORDS * RECORD_BYTES))
    const { chunk, start } = this.#at(index)
    chunk.fill(0, start, start + ID_BYTES)
    chunk.write(id, start, ID_BYTES, 'latin1')
    chunk.set(new Uint8Array(vector.buffer, vector.byteOffset, DIMENSIONS), start + ID_BYTES)
    return index
  }

  #at(index: number): { readonly chunk: Buffer; readonly start: number } {
    const chunk = this.#chunks[Math.floor(index / CHUNK_RECORDS)]
    if (chunk === undefined) throw new Error(`There is no vector at ${index}.`)
    return { chunk, start: (index % CHUNK_RECORDS) * RECORD_BYTES }
  }
}
