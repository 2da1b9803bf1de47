import pg from 'pg'
import { Failure, storeClosed } from '../../../domain/failure.js'
import { isConnectionLost, isReadOnly, toFailure } from './errors.js'
import { Session } from './session.js'

export interface DatabaseOptions {
  readonly url: string
  /** A standby that answers questions, if there is one. */
  readonly replicaUrl?: string | undefined
  /** The most connections to each database. */
  readonly poolSize?: number | undefined
  /** How long a statement may take, in milliseconds. */
  readonly statementTimeout?: number | undefined
  /** How long to wait for a connection, in milliseconds. */
  readonly connectionTimeout?: number | undefined
  readonly log: { warn(details: object, message: string): void }
}

/** How many there are, how many of them are idle, and how many requests wait for one. */
export interface Connections {
  readonly open: number
  readonly idle: number
  readonly awaited: number
}

const POOL_SIZE = 10
const STATEMENT_TIMEOUT = 15_000
const CONNECTION_TIMEOUT = 5_000
const IDLE_IN_TRANSACTION = 30_000
/** How long the client of an export or import may pause. */
const PAUSE = 600_000
/** What the network may add to a statement that the database has given up on. */
const GRACE = 5_000
/** For work of unknown length: longer than any timer of Node.js can count. */
const UNHURRIED = 2 ** 31 - 1
/** For work of unknown length; `SET LOCAL` lasts as long as the transaction. */
const UNLIMITED = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = ${PAUSE}`
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Thrown by work that is to be rolled back, though nothing is wrong. */
export class Undo extends Error {}

/** The connections, and what is told to callers when they fail. */
export class Database {
  readonly #primary: pg.Pool
  readonly #replica: pg.Pool | undefined
  readonly #options: DatabaseOptions
  #closed = false
  /** Connections that were made before this moment may lead to what is no longer the primary. */
  #goodSince = 0
  readonly #madeAt = new WeakMap<pg.ClientBase, number>()

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#primary = this.#pool(options.url)
    this.#replica = options.replicaUrl === undefined ? undefined : this.#pool(options.replicaUrl)
  }

  /** Runs in one transaction of the primary: all of it holds when this resolves, none of it when it rejects. */
  async write<T>(work: (session: Session) => Promise<T>, unhurried = false): Promise<T> {
    const client = await this.#connect(this.#primary)
    let committing = false
    try {
      const begin = unhurried ? `BEGIN; ${UNLIMITED}` : 'BEGIN'
      const session = new Session(client, unhurried ? UNHURRIED : undefined)
      const [, result] = await Promise.all([client.query(begin), work(session)])
      committing = true
      await client.query('COMMIT')
      client.release()
      return result
    } catch (error) {
      await this.#leave(client, error)
      throw toFailure(error, !(committing && isConnectionLost(error)))
    }
  }

  /**
   * Answers from one snapshot, so that the parts of an answer fit each other: of the standby if there is one and
   * `fresh` is not asked for. Work that a standby cannot do, or finds something missing for, is done again on the primary.
   */
  async read<T>(work: (session: Session) => Promise<T>, fresh = false): Promise<T> {
    if (this.#replica === undefined || fresh) return this.#readAgain(this.#primary, work)
    try {
      return await this.#snapshot(this.#replica, work)
    } catch (error) {
      if (error instanceof Failure && !MAY_LAG.has(error.code)) throw error
      if (!(error instanceof Failure))
        this.#options.log.warn({ err: error }, 'The standby did not answer; asking the primary.')
      return this.#readAgain(this.#primary, work)
    }
  }

  /** One statement of the primary, outside of a transaction. */
  async ask<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#readAgain(this.#primary, work, false)
  }

  /** A connection for one caller alone, in a snapshot that lasts until `end` is called. */
  async hold(): Promise<{ session: Session; end: (error?: unknown) => Promise<void> }> {
    const client = await this.#connect(this.#primary)
    try {
      await client.query(`${SNAPSHOT}; ${UNLIMITED}`)
    } catch (error) {
      await this.#leave(client, error)
      throw toFailure(error)
    }
    return {
      session: new Session(client, UNHURRIED),
      end: (error) => this.#leave(client, error),
    }
  }

  /** Does what has to be done once before the first question. */
  async prepare(work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> {
    const client = await this.#primary.connect()
    try {
      await work(client)
    } finally {
      client.release()
    }
  }

  /** Resolves to why nothing can be recorded now; undefined if something can. */
  async trouble(): Promise<string | undefined> {
    try {
      const setting = await this.ask((session) => session.row<{ setting: string }>(READ_ONLY))
      if (setting?.setting !== 'on') return undefined
      this.#goodSince = performance.now()
      return 'the database takes no writes.'
    } catch (error) {
      const cause = error instanceof Failure ? error.cause : error
      return `the database cannot be reached (${cause instanceof Error ? cause.message : String(cause)}).`
    }
  }

  connections(): Connections {
    const pools = [this.#primary, ...(this.#replica === undefined ? [] : [this.#replica])]
    const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0)
    return {
      open: sum(({ totalCount }) => totalCount),
      idle: sum(({ idleCount }) => idleCount),
      awaited: sum(({ waitingCount }) => waitingCount),
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all([this.#primary.end(), this.#replica?.end()])
  }

  async #readAgain<T>(pool: pg.Pool, work: (session: Session) => Promise<T>, snapshot = true): Promise<T> {
    try {
      return await this.#snapshot(pool, work, snapshot)
    } catch (error) {
      // The database may have been restarted since; asking again does no harm.
      if (!isConnectionLost(error)) throw toFailure(error)
    }
    try {
      return await this.#snapshot(pool, work, snapshot)
    } catch (error) {
      throw toFailure(error)
    }
  }

  async #snapshot<T>(pool: pg.Pool, work: (session: Session) => Promise<T>, snapshot = true): Promise<T> {
    const client = await this.#connect(pool)
    const session = new Session(client)
    try {
      const begun = snapshot ? client.query(SNAPSHOT) : undefined
      const [, result] = await Promise.all([begun, work(session)]).finally(() => session.end())
      if (!snapshot) client.release()
      // The caller need not wait for the end of a transaction that changed nothing.
      else
        client.query('COMMIT').then(
          () => client.release(),
          () => client.release(true),
        )
      return result
    } catch (error) {
      await this.#leave(client, error)
      throw error
    }
  }

  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    if (this.#closed) throw storeClosed()
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw toFailure(error)
      })
      if ((this.#madeAt.get(client) ?? 0) >= this.#goodSince) return client
      client.release(true)
    }
  }

  /** Gives a connection back, if it is still good for something. */
  async #leave(client: pg.PoolClient, error: unknown): Promise<void> {
    if (isReadOnly(error)) this.#goodSince = performance.now()
    // After an error of the database, statements that were asked with the one that failed may not have been prepared.
    if (error !== undefined && !(error instanceof Failure || error instanceof Undo))
      return client.release(true)
    try {
      await client.query('ROLLBACK')
      client.release()
    } catch {
      client.release(true)
    }
  }

  #pool(url: string): pg.Pool {
    const statementTimeout = this.#options.statementTimeout ?? STATEMENT_TIMEOUT
    const pool = new pg.Pool({
      connectionString: url,
      application_name: 'loregraph',
      max: this.#options.poolSize ?? POOL_SIZE,
      connectionTimeoutMillis: this.#options.connectionTimeout ?? CONNECTION_TIMEOUT,
      query_timeout: statementTimeout + GRACE,
      keepAlive: true,
      pipeline: true,
      types: { getTypeParser },
    })
    pool.on('error', (error) => this.#options.log.warn({ err: error }, 'A connection to the database ended.'))
    pool.on('connect', (client) => {
      this.#madeAt.set(client, performance.now())
      // A connection in use fails its statement, which says so; the pool listens only to idle ones.
      client.on('error', () => undefined)
      // Compiling a query takes longer than any of ours.
      const settings = `SET jit = off; SET statement_timeout = ${statementTimeout}; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION}`
      client.query(settings).catch(() => undefined)
    })
    return pool
  }
}

const READ_ONLY = {
  name: 'is-read-only',
  text: `SELECT current_setting('transaction_read_only') AS setting`,
}
const MAY_LAG = new Set(['graph_not_found', 'context_not_found', 'memory_not_found', 'storage_unavailable'])
const BIGINT = 20
const BIGINTS = 1016

/** Places in the order of recording and counts stay far below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === BIGINT) return Number
  if (oid === BIGINTS)
    return (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))
  return pg.types.getTypeParser(oid, format)
}
