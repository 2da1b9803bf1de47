import { hash } from 'node:crypto'
import pg from 'pg'
import { errorCode, Failure, storeClosed } from '../../domain/failure.js'
import { Semaphore } from '../../loop/semaphore.js'
import type { Turn } from '../../loop/yielding.js'
import type { Health } from '../../store/health.js'
import { isConnectionLost, isReadOnly, isTimeout, toFailure, type Verb } from './errors.js'

export interface DatabaseOptions {
  readonly url: string
  /** The maximum number of connections. */
  readonly poolSize?: number | undefined
  /** How long a statement may take, in milliseconds. */
  readonly statementTimeout?: number | undefined
  /** How long to wait for a connection, and for the outcome of a write whose connection was lost, in milliseconds. */
  readonly connectionTimeout?: number | undefined
  /** Called after each result to yield to the event loop: many results may arrive at once. */
  readonly turn?: Turn | undefined
  readonly log: { warn(details: object, message: string): void }
}

/** The number of connections, of idle ones, and of requests that wait for one. */
export interface Connections {
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

/** A frequent statement, which the database parses and plans only once for each connection. */
export interface Prepared {
  /** Depends on the text, since a pooler may share connections with other versions of this program. */
  readonly name: string
  readonly text: string
}

export function prepared(text: string): Prepared {
  return { name: hash('sha256', text, 'base64url'), text }
}

/** Runs queries, within a transaction or outside of one. */
export interface Queries {
  rows<Row extends object>(statement: string | Prepared, values?: readonly unknown[]): Promise<Row[]>
}

/** One connection within a transaction. */
export interface Transaction extends Queries {
  /** Commits before the work ends; later statements are refused. Rejects with `OutcomeUnknown` like `Database.change`. */
  commit(): Promise<void>
}

export interface WriteOptions {
  /** Names the change in messages of failures: "nothing was recorded". */
  readonly verb: Verb
  /** For work of unknown length, which may use at most half of the connections. */
  readonly isLong?: boolean
  /** How long the database waits for the next statement of the transaction, in milliseconds. */
  readonly idleTimeout?: number
  /** After this many milliseconds no statement of the transaction begins any more. */
  readonly maxTime?: number
}

const DEFAULT_POOL_SIZE = 10
/** The share of the connections reserved for reads: waiting for locks, writes could occupy all others. */
const SHARE_FOR_READS = 0.2
const DEFAULT_STATEMENT_TIMEOUT_MS = 15_000
const DEFAULT_CONNECTION_TIMEOUT_MS = 5_000
/** After this time, a process that hangs in a transaction loses its locks. */
const MAX_IDLE_IN_TRANSACTION_MS = 3_000
/** So that the database aborts a statement before the client gives it up. */
const GRACE_MS = 5_000
/** The longest timer of Node.js; longer than removing the largest graph takes. */
const NO_TIMEOUT_MS = 2 ** 31 - 1
/** Kept open, since no connection can be made while the disk of the database is full. */
const MIN_IDLE = 2
const MAX_ATTEMPTS = 3
const HEALTH_INTERVAL_MS = 2_000
const NO_CONNECTION = 'timeout exceeded when trying to connect'

/** SQLSTATE of a prepared statement that is not known, that is known already, or whose tables were changed. */
const NOT_PREPARED = ['26000', '42P05', '0A000']

/**
 * The connections to the database, and the failures that callers get. Needs no session state, so that it works with PgBouncer in
 * transaction mode: no settings beyond a transaction, and no prepared statements if the pooler does not support them.
 */
export class Database implements Queries {
  readonly connectionTimeout: number
  /** How long a statement may wait for a lock, in milliseconds. */
  readonly lockTimeout: number
  readonly #pool: pg.Pool
  readonly #turn: Turn | undefined
  readonly #writes: Semaphore
  readonly #longWrites: Semaphore
  readonly #timer: NodeJS.Timeout
  readonly #madeAt = new WeakMap<pg.ClientBase, number>()
  #canPrepare = true
  /** Connections that were made before this moment may lead to a former primary. */
  #validSince = 0
  #closed = false
  /** Why nothing can be written, as a sentence; undefined if entries can be written. */
  #problem: string | undefined

  constructor(options: DatabaseOptions) {
    const { poolSize: size = DEFAULT_POOL_SIZE, statementTimeout = DEFAULT_STATEMENT_TIMEOUT_MS } = options
    this.connectionTimeout = options.connectionTimeout ?? DEFAULT_CONNECTION_TIMEOUT_MS
    this.lockTimeout = statementTimeout
    this.#turn = options.turn
    this.#pool = new pg.Pool({
      connectionString: options.url,
      application_name: 'loregraph',
      min: MIN_IDLE,
      max: size,
      connectionTimeoutMillis: this.connectionTimeout,
      query_timeout: statementTimeout + GRACE_MS,
      keepAlive: true,
      pipeline: true,
      types: { getTypeParser },
    })
    this.#pool.on('error', (error) => options.log.warn({ err: error }, 'A connection to the database ended.'))
    this.#pool.on('connect', (client) => {
      this.#madeAt.set(client, performance.now())
      // A lost connection also fails its statement. Without a listener, the event would end the process.
      client.on('error', () => undefined)
    })
    const long = Math.max(1, Math.floor(size / 2))
    this.#longWrites = new Semaphore(long)
    this.#writes = new Semaphore(Math.min(size, Math.max(long + 1, size - Math.ceil(size * SHARE_FOR_READS))))
    this.#timer = this.#watch()
  }

  /**
   * Runs a statement that changes nothing. Repeats it on another connection if the connection was lost, but not if it took too
   * long: the database may still be working on it.
   */
  async rows<Row extends object>(
    statement: string | Prepared,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#query<Row>(statement, values, 'read')
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isConnectionLost(error) || isTimeout(error))
          throw this.#noteFailure(toFailure(error))
      }
    }
  }

  /** Runs a change that is a single statement. Rejects with `OutcomeUnknown` if the change may or may not have been made. */
  change<Row extends object>(
    verb: Verb,
    statement: string | Prepared,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    return this.#enqueue({ verb }, async () => {
      try {
        const rows = await this.#query<Row>(statement, values, verb)
        this.#problem = undefined
        return rows
      } catch (error) {
        throw this.#noteFailure(toFailure(error, verb, false))
      }
    })
  }

  /** Runs a transaction. If it rejects, nothing was changed, unless with `OutcomeUnknown`. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options: WriteOptions): Promise<T> {
    return this.#enqueue(options, () => this.#transaction(work, options))
  }

  /** Runs a maintenance statement, which PostgreSQL refuses within transactions, without a timeout. */
  async maintain(text: string): Promise<void> {
    const client = await this.#connect('changed')
    try {
      await client.query({ text, query_timeout: NO_TIMEOUT_MS } as pg.QueryConfig)
      client.release()
    } catch (error) {
      this.#release(client, error)
      throw error
    }
  }

  /** Can entries be written, according to the last requests and a check every two seconds? */
  health(): Health {
    return this.#problem === undefined ? { writable: true } : { writable: false, reason: this.#problem }
  }

  connections(): Connections {
    const { totalCount: open, idleCount: idle, waitingCount } = this.#pool
    return { open, idle, waiting: waitingCount + this.#writes.waiting + this.#longWrites.waiting }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#timer)
    await this.#pool.end()
  }

  #enqueue<T>({ verb, isLong = false }: WriteOptions, work: () => Promise<T>): Promise<T> {
    if (isLong) return this.#longWrites.run(() => this.#writes.run(work))
    const onTimeout = () => toFailure(new Error(NO_CONNECTION), verb)
    return this.#writes.run(work, { timeoutMs: this.connectionTimeout, onTimeout })
  }

  async #query<Row extends object>(
    statement: string | Prepared,
    values: readonly unknown[],
    verb: Verb,
  ): Promise<Row[]> {
    const client = await this.#connect(verb)
    const isPrepared = this.#canPrepare && typeof statement !== 'string'
    try {
      const query = isPrepared ? statement : { text: textOf(statement) }
      const { rows } = await client.query<Row>({ ...query, values: [...values] })
      client.release()
      await this.#turn?.()
      return rows
    } catch (error) {
      this.#release(client, error)
      if (!isPrepared || !NOT_PREPARED.includes(errorCode(error) ?? '')) throw error
    }
    // The statement was not executed.
    this.#canPrepare = false
    return this.#query(statement, values, verb)
  }

  async #transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { verb, isLong = false, idleTimeout = MAX_IDLE_IN_TRANSACTION_MS, maxTime }: WriteOptions,
  ): Promise<T> {
    const client = await this.#connect(verb)
    const session = new Session(client, verb, this.#turn, isLong ? NO_TIMEOUT_MS : undefined)
    const overdue =
      maxTime &&
      setTimeout(() => {
        if (!session.isOver) void client.end()
      }, maxTime)
    const timeout = isLong ? 0 : this.lockTimeout
    const begin = `BEGIN; SET LOCAL statement_timeout = ${timeout}; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeout}`
    try {
      // Pipelined: the work need not wait for BEGIN.
      const [, result] = await Promise.all([client.query(begin), work(session)])
      await session.commit()
      this.#problem = undefined
      client.release()
      return result
    } catch (thrown) {
      const error = session.error ?? thrown
      session.isOver = true
      const isRolledBack = !isConnectionLost(error) && (await rollback(client))
      this.#release(client, error, isRolledBack)
      throw this.#noteFailure(toFailure(error, verb, !session.isCommitting))
    } finally {
      clearTimeout(overdue)
    }
  }

  async #connect(verb: Verb): Promise<pg.PoolClient> {
    if (this.#closed) throw storeClosed()
    for (;;) {
      const client = await this.#pool.connect().catch((error: unknown) => {
        throw this.#noteFailure(toFailure(error, verb))
      })
      if ((this.#madeAt.get(client) ?? 0) >= this.#validSince) return client
      client.release(true)
    }
  }

  /** Releases a connection after an error. Keeps it if only the statement failed: on a full disk there may be no other. */
  #release(client: pg.PoolClient, error: unknown, isUsable = isServerError(error)): void {
    if (isReadOnly(error)) this.#validSince = performance.now()
    client.release(!isUsable || isReadOnly(error))
  }

  /** Remembers a failure for `health`, and returns the error. */
  #noteFailure(error: unknown): unknown {
    if (error instanceof Failure && (error.code === 'storage_full' || isConnectionLost(error.cause)))
      this.#problem = problemOf(error)
    return error
  }

  /** Checks the database every two seconds, so that a health probe need not wait for it. */
  #watch(): NodeJS.Timeout {
    let isChecking = false
    const timer = setInterval(async () => {
      if (isChecking) return
      isChecking = true
      this.#problem = await this.#check()
      isChecking = false
    }, HEALTH_INTERVAL_MS)
    return timer.unref()
  }

  async #check(): Promise<string | undefined> {
    try {
      const [row] = await this.rows<{ setting: string }>(READ_ONLY)
      if (row?.setting === 'on') {
        this.#validSince = performance.now()
        return 'the database is read-only.'
      }
      // A service that is not ready gets no requests that would show that it can write again.
      if (this.#problem !== undefined) await this.#tryToWrite()
      return undefined
    } catch (error) {
      return problemOf(error)
    }
  }

  async #tryToWrite(): Promise<void> {
    const probe = async (transaction: Transaction) => {
      await transaction.rows(PROBE)
      throw new Rollback()
    }
    await this.transaction(probe, { verb: 'changed' }).catch((error: unknown) => {
      if (!(error instanceof Rollback)) throw error
    })
  }
}

/** Thrown by work in a transaction to roll it back without an error. */
export class Rollback extends Error {}

const READ_ONLY = `SELECT current_setting('transaction_read_only') AS setting`
/** Some pages of text that cannot be compressed. */
const PROBE = `INSERT INTO settings (name, value)
  SELECT 'probe', string_agg(md5(random()::text), '') FROM generate_series(1, 4000)`

class Session implements Transaction {
  readonly #client: pg.ClientBase
  readonly #verb: Verb
  readonly #turn: Turn | undefined
  /** Of each statement, in milliseconds; undefined for the one of the pool. */
  readonly #timeout: number | undefined
  isOver = false
  isCommitting = false
  /** The first error; later errors are caused by it. */
  error: unknown

  constructor(client: pg.ClientBase, verb: Verb, turn: Turn | undefined, timeout: number | undefined) {
    this.#client = client
    this.#verb = verb
    this.#turn = turn
    this.#timeout = timeout
  }

  /** Prepares nothing: if that failed, it would end the transaction. */
  async rows<Row extends object>(
    statement: string | Prepared,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    // The connection may be used for something else by now.
    if (this.isOver) throw new Error('The transaction that this statement was for is over.')
    const timeout = this.#timeout === undefined ? {} : { query_timeout: this.#timeout }
    const query: pg.QueryConfig = { text: textOf(statement), values: [...values], ...timeout }
    try {
      const { rows } = await this.#client.query<Row>(query)
      await this.#turn?.()
      return rows
    } catch (error) {
      this.error ??= error
      throw error
    }
  }

  async commit(): Promise<void> {
    // The work committed, and may have found out what became of a commit whose connection was lost.
    if (this.isCommitting) return
    // The database answers COMMIT without an error even if it rolls back.
    if (this.error !== undefined) throw this.error
    this.isCommitting = true
    const committed = this.rows('COMMIT')
    this.isOver = true
    await committed.catch((error: unknown) => {
      throw toFailure(error, this.#verb, false)
    })
  }
}

function textOf(statement: string | Prepared): string {
  return typeof statement === 'string' ? statement : statement.text
}

function rollback(client: pg.ClientBase): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  )
}

/** Is it an error of the database, on a connection that still works? */
function isServerError(error: unknown): boolean {
  return errorCode(error) !== undefined && !isConnectionLost(error)
}

function problemOf(error: unknown): string {
  if (error instanceof Failure && error.code === 'storage_full') return 'the disk of the database is full.'
  const cause = error instanceof Failure ? error.cause : error
  return `the database cannot be reached (${cause instanceof Error ? cause.message : String(cause)}).`
}

const BIGINT = 20
const BIGINTS = 1016

/** Positions and counts stay far below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === BIGINT) return Number
  if (oid === BIGINTS)
    return (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))
  return pg.types.getTypeParser(oid, format)
}
