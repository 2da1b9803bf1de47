import { setTimeout as sleep } from 'node:timers/promises'
import type { ClockAndRandom } from '../../domain/clock-and-random.js'
import { storeClosed } from '../../domain/failure.js'
import type { GraphId } from '../../domain/model.js'
import type { Page, Paging } from '../../domain/page.js'
import type { VectorStore } from '../../graph/embeddings.js'
import type { Health } from '../../store/health.js'
import type { KeyStore } from '../../store/key-store.js'
import type { Entry } from '../entries.js'
import { Behind, type Erasure, type GraphLog, type Head, isSame, type LockedLog } from '../graph-log.js'
import {
  type Connections,
  Database,
  type DatabaseOptions,
  prepared,
  type Queries,
  type Transaction,
} from './database.js'
import { beginImport, removeAbandoned } from './import.js'
import { createKeyStore } from './keys.js'
import { type Attempts, untilKnown } from './outcome.js'
import { readEntries } from './read.js'
import { type GraphRow, toHead } from './rows.js'
import { prepare } from './schema.js'
import { type SharedSecret, sharedSecret } from './settings.js'
import { type SharedCall, sharedCall } from './shared-call.js'
import { openVectors, type PostgresVectors } from './vectors.js'
import { append, erase, find, HEAD, lock, remove, type Write } from './write.js'

export interface PostgresLogOptions extends DatabaseOptions, Pick<ClockAndRandom, 'randomBytes'> {}

const HEADS = prepared(`SELECT ${HEAD} FROM graphs WHERE graph_id = ANY($1)`)
const GRAPHS = `WITH found AS (SELECT graph_id FROM graphs WHERE $1::text[] IS NULL OR graph_id = ANY($1))
  SELECT (SELECT count(*) FROM found) AS total,
    ARRAY(SELECT graph_id FROM found ORDER BY graph_id LIMIT $2 OFFSET $3) AS items`

const RECORDED = { verb: 'recorded' } as const
const ERASED = { verb: 'erased', isLong: true } as const
const IMPORTED = { verb: 'imported', isLong: true } as const
const LOCKED = { verb: 'recorded', maxTime: 3_000 } as const
const APPEND_ID_BYTES = 12
const CLEANING_INTERVAL_MS = 600_000
/** Enough for a table that was vacuumed recently. */
const VACUUM_PATIENCE_MS = 2_000
const NOT_CLEANED = 'What is left of imports that never ended could not be removed; it will be tried again.'

/**
 * Opens the log that keeps everything in PostgreSQL, and creates its tables in an empty database. Any number of processes can
 * share a database. Rejects with an `OpenError` if the database, its server or the rights of its user are not sufficient.
 *
 * ```ts
 * const log = await openPostgresLog({ url: 'postgres://localhost/loregraph', randomBytes, log: logger })
 * ```
 */
export async function openPostgresLog(options: PostgresLogOptions): Promise<PostgresLog> {
  const database = new Database(options)
  try {
    await prepare(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return new PostgresLog(database, options)
}

export class PostgresLog implements GraphLog {
  readonly keys: KeyStore
  readonly rootSecret: SharedSecret
  readonly #database: Database
  readonly #options: PostgresLogOptions
  readonly #heads: SharedCall<ReadonlyMap<GraphId, Head>>
  readonly #vacuum: SharedCall<void>
  readonly #vectors = new Set<{ readonly graphId: GraphId; readonly vectors: PostgresVectors }>()
  readonly #cleaning: NodeJS.Timeout
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(database: Database, options: PostgresLogOptions) {
    const { log } = options
    this.#database = database
    this.#options = options
    this.keys = createKeyStore(database)
    this.rootSecret = sharedSecret(database)
    this.#heads = sharedCall(async (graphIds) => {
      const rows = await database.rows<GraphRow>(HEADS, [graphIds])
      return new Map(rows.map((row) => [row.graph_id, toHead(row)]))
    })
    this.#vacuum = sharedCall((tables) =>
      database.maintain(`VACUUM ${tables.join()}`).catch((error: unknown) => {
        log.warn({ err: error }, 'Erased text could not be vacuumed; autovacuum removes it later.')
      }),
    )
    const clean = () =>
      removeAbandoned(database).catch((error: unknown) => log.warn({ err: error }, NOT_CLEANED))
    this.#cleaning = setInterval(clean, CLEANING_INTERVAL_MS).unref()
    void clean()
  }

  async graphs(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<GraphId>> {
    const { page, pageSize } = paging
    const values = [reach ?? null, pageSize, page * pageSize]
    const [found] = await this.#database.rows<{ total: number; items: GraphId[] }>(GRAPHS, values)
    return { items: found?.items ?? [], total: found?.total ?? 0, ...paging }
  }

  async head(graphId: GraphId): Promise<Head | undefined> {
    return (await this.#run(() => this.#heads([graphId]))).get(graphId)
  }

  async heads(graphIds: readonly GraphId[]): Promise<ReadonlyMap<GraphId, Head>> {
    if (graphIds.length === 0) return new Map()
    const wanted = new Set(graphIds)
    const found = await this.#run(() => this.#heads(graphIds))
    return new Map([...found].filter(([graphId]) => wanted.has(graphId)))
  }

  read(...range: Parameters<GraphLog['read']>): AsyncIterable<readonly Entry[]> {
    return readEntries(this.#database, ...range)
  }

  append(...change: Parameters<GraphLog['append']>): Promise<Head> {
    return this.#run(() => this.#append(this.#writeOf(...change)))
  }

  erase(graphId: GraphId, after: Head, erasure: Erasure): Promise<Head> {
    return this.#run(() => this.#erase(this.#writeOf(graphId, after, [erasure.erased]), erasure))
  }

  replace(...change: Parameters<GraphLog['replace']>): Promise<Head> {
    return this.#run(() => this.#replace(...change))
  }

  remove(graphId: GraphId, after: Head): Promise<void> {
    return this.#run(() => this.#remove(graphId, after))
  }

  locked<T>(graphId: GraphId, work: (log: LockedLog) => Promise<T>): Promise<T> {
    const lockedWork = async (transaction: Transaction) => {
      await lock(transaction, graphId)
      return work(this.#lockedLog(transaction))
    }
    return this.#run(() => this.#database.transaction(lockedWork, LOCKED))
  }

  vectors(graphId: GraphId, identity: string, head: () => Head | undefined): VectorStore {
    const onClose = () => this.#vectors.delete(open)
    const vectors = openVectors(this.#database, graphId, identity, { head, onClose })
    const open = { graphId, vectors }
    this.#vectors.add(open)
    return vectors
  }

  health(): Health {
    return this.#database.health()
  }

  stats(): Connections {
    return this.#database.connections()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#cleaning)
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    await this.#database.close()
  }

  /** The log within a transaction that locks a graph. A change commits the transaction, to be durable. */
  #lockedLog(transaction: Transaction): LockedLog {
    const committed = async (change: Promise<Head>) => {
      const head = await change
      await transaction.commit()
      return head
    }
    return {
      head: (graphId) => lock(transaction, graphId),
      read: (...range) => readEntries(transaction, ...range),
      append: (...change) => {
        const write = this.#writeOf(...change)
        return this.#append(write, () => committed(append(transaction, write, this.#database)))
      },
      erase: (graphId, after, erasure) => {
        const write = this.#writeOf(graphId, after, [erasure.erased])
        return this.#erase(write, erasure, () => committed(erase(transaction, write, erasure)))
      },
    }
  }

  /** `first` makes the first attempt (see `untilKnown`). */
  #append(write: Write, first?: () => Promise<Head>): Promise<Head> {
    const queries: Queries = { rows: (...query) => this.#database.change('recorded', ...query) }
    const change = () => append(queries, write, this.#database)
    return this.#untilKnown({ change, find: () => this.#find(write), first })
  }

  async #erase(write: Write, erasure: Erasure, first?: () => Promise<Head>): Promise<Head> {
    const change = () => this.#database.transaction((queries) => erase(queries, write, erasure), ERASED)
    const head = await this.#untilKnown({ change, find: () => this.#find(write), first })
    for (const { graphId, vectors } of this.#vectors)
      if (graphId === write.graphId) vectors.forget(erasure.memoryIds)
    await this.#vacuumTables(erasure.memoryIds.size > 0 ? ['entries', 'vectors'] : ['entries'])
    return head
  }

  async #replace(
    graphId: GraphId,
    after: Head | undefined,
    entries: AsyncIterable<readonly Entry[]>,
  ): Promise<Head> {
    if (!isSame(await this.head(graphId), after)) throw new Behind()
    const staged = await beginImport(this.#database, graphId, this.#appendId())
    try {
      for await (const page of entries) await staged.add(page)
      await staged.flush()
      const change = () => this.#database.transaction((queries) => staged.publish(queries, after), IMPORTED)
      const find = async () => {
        const found = await this.#lockedHead(graphId)
        return found?.epoch === staged.epoch ? found : undefined
      }
      const head = await this.#untilKnown({ change, find })
      if (after !== undefined) await this.#vacuumTables(['entries', 'vectors'])
      return head
    } catch (error) {
      await staged.discard()
      throw error
    } finally {
      staged.close()
    }
  }

  async #remove(graphId: GraphId, after: Head): Promise<void> {
    const change = async () => {
      await this.#database.transaction((queries) => remove(queries, graphId, after), ERASED)
      return true
    }
    const find = async () => ((await this.#lockedHead(graphId))?.epoch === after.epoch ? undefined : true)
    await this.#untilKnown({ change, find })
    await this.#vacuumTables(['entries', 'vectors'])
  }

  #find(write: Write): Promise<Head | undefined> {
    return this.#database.transaction((queries) => find(queries, write), RECORDED)
  }

  /** The head, after waiting for concurrent changes. */
  #lockedHead(graphId: GraphId): Promise<Head | undefined> {
    return this.#database.transaction((queries) => lock(queries, graphId), RECORDED)
  }

  #untilKnown<T>(attempts: Attempts<T>): Promise<T> {
    return untilKnown(this.#database.connectionTimeout, attempts)
  }

  /** Removes erased text from dead rows. Continues in the background if that takes long. */
  async #vacuumTables(tables: readonly string[]): Promise<void> {
    const vacuumed = this.#track(this.#vacuum(tables))
    await Promise.race([vacuumed, sleep(VACUUM_PATIENCE_MS, undefined, { ref: false })])
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw storeClosed()
    return this.#track(work())
  }

  /** `close` waits for the work. */
  #track<T>(working: Promise<T>): Promise<T> {
    this.#underWay.add(working)
    return working.finally(() => this.#underWay.delete(working))
  }

  #writeOf(...[graphId, after, entries]: Parameters<GraphLog['append']>): Write {
    return { graphId, after, entries, appendId: this.#appendId() }
  }

  #appendId(): string {
    return Buffer.from(this.#options.randomBytes(APPEND_ID_BYTES)).toString('base64url')
  }
}
