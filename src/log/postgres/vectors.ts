import { DIMENSIONS } from '../../domain/meaning/nearness.js'
import type { GraphId, MemoryId } from '../../domain/model.js'
import type { VectorRecord, VectorStore } from '../../graph/embeddings.js'
import type { Database } from './database.js'

const PAGE_ROWS = 2_000
/** The vectors of a page as one value. */
const PAGE = `SELECT array_agg(memory_id ORDER BY memory_id) AS ids,
    array_agg(identity = $3 AND octet_length(vector) = ${DIMENSIONS} ORDER BY memory_id) AS good,
    string_agg(CASE WHEN identity = $3 AND octet_length(vector) = ${DIMENSIONS} THEN vector END, ''::bytea
      ORDER BY memory_id) AS bytes
  FROM (SELECT memory_id, identity, vector FROM vectors
    WHERE graph_id = $1 AND memory_id > $2 ORDER BY memory_id LIMIT ${PAGE_ROWS}) AS page`
const STATE = 'SELECT epoch, erased_at FROM graphs WHERE graph_id = $1'
/** Comes before an erasure, which then removes what is inserted here, or behind it and inserts nothing. */
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

/** What vectors may be added to: an epoch of a graph, in which nothing was erased that this process does not know. */
export interface State {
  readonly epoch: number
  readonly erased_at: number
}

/**
 * The vectors of a graph in the table, and all that were read or added, in memory off the heap, where `readNow` finds them.
 * Those of memories that nobody wants here stay: another process may have recorded them.
 */
export class PostgresVectors implements VectorStore {
  readonly #database: Database
  readonly #graphId: GraphId
  readonly #identity: string
  /** What this process has read of the graph; undefined if nothing. */
  readonly #known: () => State | undefined
  readonly #closed: () => void
  readonly #erased = new Set<MemoryId>()
  #chunks: Buffer[] = []
  #count = 0

  constructor(
    database: Database,
    graphId: GraphId,
    identity: string,
    { known, closed }: { known: () => State | undefined; closed: () => void },
  ) {
    this.#database = database
    this.#graphId = graphId
    this.#identity = identity
    this.#known = known
    this.#closed = closed
  }

  async open(
    isWanted: (id: MemoryId) => boolean,
    take: (record: VectorRecord, place: number) => void,
  ): Promise<void> {
    let last: MemoryId | undefined = ''
    while (last !== undefined) last = await this.#takePage(last, isWanted, take)
  }

  readNow(place: number, id: MemoryId): Int8Array | undefined {
    if (place < 0 || place >= this.#count || this.#erased.has(id)) return undefined
    const { chunk, start } = this.#at(place)
    if (chunk.toString('latin1', start, start + ID_BYTES) !== id) return undefined
    return new Int8Array(chunk.buffer, chunk.byteOffset + start + ID_BYTES, DIMENSIONS)
  }

  /** Rejects when something was erased that this process does not know yet: it may be what the vectors are of. */
  async append(records: readonly VectorRecord[]): Promise<number> {
    if (records.length === 0) return this.#count
    const state = this.#known() ?? (await this.#database.rows<State>(STATE, [this.#graphId]))[0]
    const ids = records.map(({ id }) => id)
    const bytes = records.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, DIMENSIONS))
    const values = [ids, bytes, this.#graphId, state?.epoch, state?.erased_at, this.#identity]
    const added = await this.#database.change('changed', INSERT, values)
    if (added.length === 0) throw new Error('The graph was changed since its vectors were read.')
    const place = this.#count
    for (const { id, vector } of records) this.#hold(id, vector)
    return place
  }

  /** The memories are gone, and their vectors from the table. */
  forget(ids: Iterable<MemoryId>): void {
    for (const id of ids) this.#erased.add(id)
  }

  async close(): Promise<void> {
    this.#closed()
    this.#chunks = []
    this.#count = 0
  }

  /** Takes the vectors after that of a memory, and tells the last; undefined if there are none. */
  async #takePage(
    after: MemoryId,
    isWanted: (id: MemoryId) => boolean,
    take: (record: VectorRecord, place: number) => void,
  ): Promise<MemoryId | undefined> {
    const [page] = await this.#database.rows<PageRow>(PAGE, [this.#graphId, after, this.#identity])
    const { ids = null, good = [], bytes = null } = page ?? {}
    const bad: MemoryId[] = []
    let start = 0
    for (const [i, id] of (ids ?? []).entries()) {
      if (good[i] !== true || bytes === null) {
        bad.push(id)
        continue
      }
      const vector = new Int8Array(bytes.buffer, bytes.byteOffset + start, DIMENSIONS)
      start += DIMENSIONS
      if (isWanted(id)) take({ id, vector }, this.#hold(id, vector))
    }
    if (bad.length > 0) await this.#database.change('changed', REMOVE, [this.#graphId, bad])
    return ids?.at(-1)
  }

  /** Keeps a vector in memory and tells its place. */
  #hold(id: MemoryId, vector: Int8Array): number {
    const place = this.#count++
    if (place % CHUNK_RECORDS === 0) this.#chunks.push(Buffer.alloc(CHUNK_RECORDS * RECORD_BYTES))
    const { chunk, start } = this.#at(place)
    chunk.fill(0, start, start + ID_BYTES)
    chunk.write(id, start, ID_BYTES, 'latin1')
    chunk.set(new Uint8Array(vector.buffer, vector.byteOffset, DIMENSIONS), start + ID_BYTES)
    return place
  }

  #at(place: number): { readonly chunk: Buffer; readonly start: number } {
    const chunk = this.#chunks[Math.floor(place / CHUNK_RECORDS)]
    if (chunk === undefined) throw new Error(`There is no vector at ${place}.`)
    return { chunk, start: (place % CHUNK_RECORDS) * RECORD_BYTES }
  }
}
