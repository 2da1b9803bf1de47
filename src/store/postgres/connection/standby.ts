import type pg from 'pg'
import type { GraphId } from '../../../domain/model.js'
import { createPool, type PoolOptions } from './pool.js'

/** A place in the write-ahead log: what has a smaller one happened before. */
type Place = bigint

interface StandbyOptions extends PoolOptions {
  readonly primaryUrl: string
}

/** Thrown by a read of a standby that has not replayed what must be seen. */
export class Lagging extends Error {}

/** By this name the primary knows which processes read from a standby. */
const READER = 'loregraph, reading from a standby'
const POLL_MS = 400
/** How long what the primary has told may be relied on; an erasure by another process is waited for this long. */
export const LEASE_MS = 1_000

const READERS = {
  name: 'standby-readers',
  text: `SELECT 1 AS found FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = '${READER}' LIMIT 1`,
}
/** The statement sees erasures up to a moment before it asks for the place. */
const ERASURES = {
  name: 'erasures-so-far',
  text: `SELECT (SELECT value FROM settings WHERE name = 'erasures') AS erasures,
    pg_current_wal_insert_lsn()::text AS place`,
}
const WRITTEN = { name: 'written-so-far', text: 'SELECT pg_current_wal_insert_lsn()::text AS place' }
const REPLAYED = { name: 'replayed-so-far', text: 'SELECT pg_last_wal_replay_lsn()::text AS place' }

/**
 * A standby, and how far it must have come to be asked: it must have replayed what this process wrote to the graph in
 * question, and every erasure, whoever erased. Those of other processes the primary is asked for again and again, on a
 * connection of its own; when it does not answer, nobody can say what was erased, and the standby is not asked.
 */
export class Standby {
  readonly pool: pg.Pool
  readonly #primaryPoll: pg.Pool
  readonly #standbyPoll: pg.Pool
  readonly #timer: NodeJS.Timeout
  readonly #written = new Map<GraphId, Place>()
  #lastWritten: Place = 0n
  #erasures: string | null | undefined
  /** What must have been replayed, whatever the graph: the last erasure, and writes that the standby has replayed already. */
  #least: Place = 0n
  #replayed: Place = -1n
  #polledAt = Number.NEGATIVE_INFINITY
  /** Has something been written since the last poll began of which the place is not known? */
  #inDoubt = true
  #polling: Promise<void> | undefined

  constructor(options: StandbyOptions) {
    const { primaryUrl, url, connectionTimeout, log } = options
    this.pool = createPool(options)
    const poll = { size: 1, statementTimeout: LEASE_MS, connectionTimeout, name: READER, log }
    this.#primaryPoll = createPool({ ...poll, url: primaryUrl })
    this.#standbyPoll = createPool({ ...poll, url })
    this.#timer = setInterval(() => this.poll(), POLL_MS).unref()
  }

  /** May the standby be asked about a graph? Then it must have replayed this place, which `check` makes sure of. */
  placeFor(graphId: GraphId): Place | undefined {
    if (this.#inDoubt || performance.now() - this.#polledAt > LEASE_MS) return undefined
    const needed = later(this.#written.get(graphId) ?? 0n, this.#least)
    return this.#replayed >= needed ? needed : undefined
  }

  /** To be asked before the snapshot is taken: what was replayed by then is in it. */
  async check(client: pg.ClientBase, needed: Place): Promise<void> {
    const { rows } = await client.query<{ place: string | null }>(REPLAYED)
    if (toPlace(rows[0]?.place) < needed) throw new Lagging()
  }

  /** Asked right after a commit, on its connection. */
  async committed(client: pg.ClientBase): Promise<void> {
    try {
      const { rows } = await client.query<{ place: string }>(WRITTEN)
      this.#lastWritten = later(this.#lastWritten, toPlace(rows[0]?.place))
    } catch {
      this.doubt()
    }
  }

  /** What was committed last is, or is later than, what was written to the graph. */
  wrote(graphId: GraphId): void {
    this.#written.set(graphId, this.#lastWritten)
  }

  /** Something may have been committed, nobody knows where. */
  doubt(): void {
    this.#inDoubt = true
  }

  /** Resolves when the primary and the standby have been asked how far they are, or cannot be. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll()
      .catch(() => undefined)
      .finally(() => {
        this.#polling = undefined
      })
    return this.#polling
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#polling
    await Promise.all([this.pool.end(), this.#primaryPoll.end(), this.#standbyPoll.end()])
  }

  async #poll(): Promise<void> {
    const began = performance.now()
    const wasInDoubt = this.#inDoubt
    this.#inDoubt = false
    try {
      const { rows } = await this.#primaryPoll.query<{ erasures: string | null; place: string }>(ERASURES)
      const erasures = rows[0]?.erasures ?? null
      if (wasInDoubt || erasures !== this.#erasures) this.#least = toPlace(rows[0]?.place)
      this.#erasures = erasures
      this.#polledAt = began
    } catch (error) {
      this.#inDoubt ||= wasInDoubt
      throw error
    }
    const { rows } = await this.#standbyPoll.query<{ place: string | null }>(REPLAYED)
    this.#replayed = toPlace(rows[0]?.place)
    for (const [graphId, place] of this.#written) {
      if (place > this.#replayed) continue
      this.#least = later(this.#least, place)
      this.#written.delete(graphId)
    }
  }
}

/** Does any process on this database read from a standby? Asked of the primary. */
export async function hasStandbyReaders(client: pg.ClientBase): Promise<boolean> {
  return (await client.query(READERS)).rows.length > 0
}

function later(a: Place, b: Place): Place {
  return a > b ? a : b
}

/** `X/Y` in hexadecimal; -1 for a server that replays nothing. */
function toPlace(text: string | null | undefined): Place {
  const [high, low] = (text ?? '').split('/')
  if (high === undefined || low === undefined) return -1n
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
