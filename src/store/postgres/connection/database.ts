import type pg from 'pg'
import { Failure, storeClosed } from '../../../domain/failure.js'
import type { GraphId } from '../../../domain/model.js'
import type { Turn } from '../../../loop/yielding.js'
import { isConnectionLost, isReadOnly, toFailure, type Verb } from './errors.js'
import { CONNECTION_TIMEOUT, createPool } from './pool.js'
import { Session } from './session.js'
import { hasStandbyReaders, Lagging, LEASE_MS, Standby } from './standby.js'
import { Turns } from './turns.js'
import { beginningOf, type WriteOptions } from './write-options.js'

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
  /** Many answers may come at once, and what is done with each takes a while: between them others have their turn. */
  readonly turn?: Turn | undefined
  readonly log: { warn(details: object, message: string): void }
}

/** How many there are, how many of them are idle, and how many requests wait for one. */
export interface Connections {
  readonly open: number
  readonly idle: number
  readonly awaited: number
}

const POOL_SIZE = 10
/** Of the connections, what writes leave alone: a write may wait for another one, of which reads know nothing. */
const FOR_READS = 0.2
const NO_CONNECTION = 'timeout exceeded when trying to connect'
/** For work of unknown length: longer than any timer of Node.js can count. */
const UNHURRIED = 2 ** 31 - 1
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Thrown by work that is to be rolled back, though nothing is wrong. */
export class Undo extends Error {}

/** The connections, and what is told to callers when they fail. */
export class Database {
  readonly #primary: pg.Pool
  readonly #standby: Standby | undefined
  readonly #options: DatabaseOptions
  readonly #unhurried: Turns
  readonly #writes: Turns
  #closed = false
  /** Connections that were made before this moment may lead to what is no longer the primary. */
  #goodSince = 0
  readonly #madeAt = new WeakMap<pg.ClientBase, number>()

  constructor(options: DatabaseOptions) {
    const { url, replicaUrl, poolSize: size = POOL_SIZE } = options
    this.#options = options
    const connected = (client: pg.ClientBase) => this.#madeAt.set(client, performance.now())
    this.#primary = createPool({ ...options, size, connected })
    this.#standby =
      replicaUrl === undefined
        ? undefined
        : new Standby({ ...options, primaryUrl: url, url: replicaUrl, size, connected })
    const unhurried = Math.max(1, Math.floor(size / 2))
    this.#unhurried = new Turns(unhurried)
    this.#writes = new Turns(Math.min(size, Math.max(unhurried + 1, size - Math.ceil(size * FOR_READS))))
  }

  /** Runs in one transaction of the primary: all of it holds when this resolves, none of it when it rejects. */
  async write<T>(work: (session: Session) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { verb = 'recorded', unhurried = false } = options
    const begin = beginningOf(options)
    if (unhurried)
      return this.#unhurried.run(() => this.#writes.run(() => this.#write(work, verb, begin, UNHURRIED)))
    const late = () => toFailure(new Error(NO_CONNECTION), verb)
    const patience = { ms: this.#options.connectionTimeout ?? CONNECTION_TIMEOUT, late }
    return this.#writes.run(() => this.#write(work, verb, begin), patience)
  }

  /**
   * Answers from one snapshot, so that the parts of an answer fit each other. A question about a graph is asked of the
   * standby, if there is one that has replayed what this process wrote to the graph and what was erased. Work that a
   * standby cannot do, or finds something missing for, is done again on the primary.
   */
  async read<T>(work: (session: Session) => Promise<T>, graphId?: GraphId): Promise<T> {
    const place = graphId === undefined ? undefined : this.#standby?.placeFor(graphId)
    if (this.#standby === undefined || place === undefined) return this.#readAgain(work)
    const { pool } = this.#standby
    try {
      return await this.#snapshot(pool, work, SNAPSHOT, (client) => this.#standby?.check(client, place))
    } catch (error) {
      if (error instanceof Failure && !MAY_LAG.has(error.code)) throw error
      if (!(error instanceof Failure || error instanceof Lagging))
        this.#options.log.warn({ err: error }, 'The standby did not answer; asking the primary.')
      return this.#readAgain(work)
    }
  }

  /** Notes that this process wrote to a graph: a standby that has not replayed it is not asked about the graph. */
  wrote(graphId: GraphId): void {
    this.#standby?.wrote(graphId)
  }

  /** Resolves when every process that reads from a standby knows of what was erased before this was called. */
  async erasureKnown(): Promise<void> {
    const client = await this.#connect(this.#primary, 'read').catch(() => undefined)
    const isRead = client && (await hasStandbyReaders(client).catch(() => true))
    client?.release()
    if (isRead !== false) await new Promise((resolve) => setTimeout(resolve, LEASE_MS))
  }

  /** One statement of the primary, outside of a transaction. */
  async ask<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#readAgain(work, null)
  }

  /** Does what has to be done once before the first question. */
  async prepare(work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> {
    const client = await this.#primary.connect()
    try {
      await work(client)
    } finally {
      client.release()
    }
    await this.#standby?.poll()
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
    const pools = [this.#primary, ...(this.#standby === undefined ? [] : [this.#standby.pool])]
    const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0)
    return {
      open: sum(({ totalCount }) => totalCount),
      idle: sum(({ idleCount }) => idleCount),
      awaited: sum(({ waitingCount }) => waitingCount) + this.#writes.waiting,
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all([this.#primary.end(), this.#standby?.close()])
  }

  async #write<T>(
    work: (session: Session) => Promise<T>,
    verb: Verb,
    begin: string,
    patience?: number,
  ): Promise<T> {
    const client = await this.#connect(this.#primary, verb)
    let committing = false
    try {
      const session = new Session(client, { patience, turn: this.#options.turn })
      const [, result] = await Promise.all([client.query(begin), work(session)])
      committing = true
      await Promise.all([client.query('COMMIT'), this.#standby?.committed(client)])
      client.release()
      return result
    } catch (error) {
      if (committing) this.#standby?.doubt()
      await this.#leave(client, error)
      throw toFailure(error, verb, !(committing && isConnectionLost(error)))
    }
  }

  async #readAgain<T>(work: (session: Session) => Promise<T>, begin: string | null = SNAPSHOT): Promise<T> {
    const once = () => this.#snapshot(this.#primary, work, begin)
    try {
      return await once().catch((error: unknown) => {
        // The database may have been restarted since; asking again does no harm.
        if (isConnectionLost(error)) return once()
        throw error
      })
    } catch (error) {
      throw toFailure(error)
    }
  }

  /** `before` is asked on the same connection before the transaction begins, if `begin` begins one. */
  async #snapshot<T>(
    pool: pg.Pool,
    work: (session: Session) => Promise<T>,
    begin: string | null,
    before?: (client: pg.ClientBase) => Promise<void> | undefined,
  ): Promise<T> {
    const client = await this.#connect(pool, 'read')
    const session = new Session(client, { turn: this.#options.turn })
    try {
      const begun = [before?.(client), begin === null ? undefined : client.query(begin)]
      const [result] = await Promise.all([work(session), ...begun]).finally(() => session.end())
      if (begin === null) client.release()
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

  async #connect(pool: pg.Pool, verb: Verb): Promise<pg.PoolClient> {
    if (this.#closed) throw storeClosed()
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw toFailure(error, verb)
      })
      if ((this.#madeAt.get(client) ?? 0) >= this.#goodSince) return client
      client.release(true)
    }
  }

  /** Gives a connection back, if it is still good for something. */
  async #leave(client: pg.PoolClient, error: unknown): Promise<void> {
    if (isReadOnly(error)) this.#goodSince = performance.now()
    // After an error of the database, statements that were asked with the one that failed may not have been prepared.
    if (!(error instanceof Failure || error instanceof Undo || error instanceof Lagging))
      return client.release(true)
    try {
      await client.query('ROLLBACK')
      client.release()
    } catch {
      client.release(true)
    }
  }
}

const READ_ONLY = {
  name: 'is-read-only',
  text: `SELECT current_setting('transaction_read_only') AS setting`,
}
const MAY_LAG = new Set(['graph_not_found', 'context_not_found', 'memory_not_found', 'storage_unavailable'])
