import type { ClockAndRandom } from '../../domain/clock-and-random.js'
import { noGraphYet } from '../../domain/failure.js'
import type { GraphId } from '../../domain/model.js'
import { TextCache } from '../../domain/text-cache.js'
import type { AsOf } from '../../domain/time.js'
import { createYielding } from '../../loop/yielding.js'
import { Feeds } from '../../store/feeds.js'
import type { Health } from '../health.js'
import type { Meaning } from '../meaning.js'
import { EXIT_BROKEN, EXIT_IN_USE, OpenError } from '../open-error.js'
import type { Ask, PresentReader, Store } from '../store.js'
import { type Connections, Database, type DatabaseOptions } from './connection/database.js'
import { isConnectionLost } from './connection/errors.js'
import { watchHealth } from './connection/health.js'
import type { Session } from './connection/session.js'
import { SharedLookup } from './connection/shared-lookup.js'
import { erase } from './erase/erase.js'
import { createGraphReader } from './graph-reader.js'
import { createKeyStore } from './keys/key-table.js'
import { type SharedSecret, sharedSecret } from './keys/root-secret.js'
import { CodeCache } from './meanings/code-cache.js'
import type { Meanings } from './meanings/nearest.js'
import { graphsBehind } from './meanings/progress.js'
import { MeaningReader } from './meanings/reader.js'
import { MIGRATIONS } from './migrations/index.js'
import { migrate } from './migrations/migrate.js'
import { listGraphs } from './read/browse.js'
import { momentOf, sessionAt } from './read/then.js'
import { graphRow, graphsThere } from './schema/graph-row.js'
import type { GraphRow } from './schema/rows.js'
import { exportGraph, statementsAfter } from './transfer/export.js'
import { importGraph } from './transfer/import.js'
import { type Alone, Staging } from './transfer/staging.js'
import { GraphWatch } from './transfer/watch.js'
import { GraphCommits } from './write/append.js'
import { dryRun } from './write/dry-run.js'

export interface PostgresStoreOptions extends DatabaseOptions, ClockAndRandom {
  /** Cleared by every erasure; one that the store shares with the engine, or else one of its own. */
  readonly texts?: TextCache
  /** Reads memories for meaning, in the background; without it, none are read. */
  readonly meaning?: Meaning
}

export interface PostgresStore extends Store {
  health(): Health
  connections(): Connections
  readonly rootSecret: SharedSecret
}

/**
 * Another process on the same database may erase a text that this one remembers: what was not asked for during the whole
 * of such an interval is forgotten, so that no erased text is remembered for longer than two of them.
 */
const FORGET_MS = 60_000

/**
 * Opens the store that keeps everything in PostgreSQL, and brings its tables up to date. Any number of processes can
 * share one database. Rejects with an `OpenError` when the database is newer than this
 * program, or when its server or the rights of its user do not do.
 *
 * ```ts
 * const store = await openPostgresStore({ url: 'postgres://localhost/loregraph', now: () => new Date(), randomBytes, log })
 * ```
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const database = new Database(options)
  try {
    await database.prepare((client) => migrate(client, MIGRATIONS, options.log))
  } catch (error) {
    await database.close()
    throw refusalOf(error)
  }
  const staging = new Staging(database)
  await staging.clean().catch((error: unknown) => options.log.warn({ err: error }, NOT_CLEANED))
  return createStore(database, staging, options)
}

const NOT_CLEANED = 'What is left of imports that never ended could not be removed; it will be tried again.'

function createStore(database: Database, staging: Staging, options: PostgresStoreOptions): PostgresStore {
  const health = watchHealth(database)
  const { now, randomBytes, texts = new TextCache(), meaning, log } = options
  const commits = new GraphCommits(database, { now, randomBytes, texts })
  const forgetting = setInterval(() => texts.age(), FORGET_MS).unref()
  const keys = createKeyStore(database)
  const there = new SharedLookup(async (graphIds) => {
    const found = await database.ask((session) => graphsThere(session, graphIds))
    return new Map(found.map((graphId) => [graphId, graphId]))
  })
  const meanings = meaning && { meaning, codes: new CodeCache() }
  const feeds = new Feeds()
  const watch = new GraphWatch(database, feeds)
  const reader = meanings && new MeaningReader({ database, ...meanings, log })

  const pausing =
    <Reader, T>(ask: Ask<Reader, T>) =>
    (graph: Reader) =>
      ask(graph, createYielding(options.turn))

  /** This process sees what it wrote, and what was written is there to be read for meaning. */
  async function writing<T>(graphId: GraphId, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      database.wrote(graphId)
      reader?.wake(graphId)
      feeds.recorded(graphId)
    }
  }

  return {
    read: (graphId, ask) =>
      database.read((session) => readWith(session, graphId, pausing(ask), meanings), graphId),
    readAt: (graphId, asOf, ask) =>
      database.read(async (session) => {
        const then = asOf && (await lookBack(session, graphId, asOf))
        const asked = pausing(ask)
        if (then === undefined) return readWith(session, graphId, asked, meanings)
        return asked(createGraphReader(then, graphId, FOUND, rowOfThen(then, graphId), meanings))
      }, graphId),
    append: (graphId, events, at, once) => writing(graphId, () => commits.append(graphId, events, at, once)),
    // Of the primary, which alone knows what the next record would follow on.
    dryRun: (graphId, event, at) =>
      database.read((session) => dryRun(session, graphId, event, at, { now, randomBytes })),
    graphs: (reach, paging) => database.read((session) => listGraphs(session, reach, paging)),
    caughtUp: async (graphId, waiter) => reader?.caughtUp(graphId, waiter),
    async unread(graphIds) {
      if (meaning === undefined) return new Map()
      const behind = await graphsBehind(database, meaning.identity, graphIds)
      return new Map(behind.map(({ graph_id, unread }) => [graph_id, unread]))
    },
    async erase(graphId, what, { dryRun }) {
      const work = () => erase(database, graphId, what, { dryRun }, texts)
      if (dryRun) return work()
      const erased = await writing(graphId, () => commits.exclusive(graphId, work))
      // Not waited for: it tells followers, and tries again by itself.
      void watch.look().catch(() => undefined)
      texts.clear()
      meanings?.codes.forget(graphId)
      await database.erasureKnown()
      return erased
    },
    exportGraph: (graphId, part = {}) => exportGraph(database, graphId, part),
    statements: (graphId, after) => statementsAfter(database, graphId, after),
    follow: (graphId) => feeds.follow(graphId, () => watch.begin(graphId)),
    importGraph: (graphId, events, at) =>
      writing(graphId, () => {
        const alone: Alone = (work) => commits.exclusive(graphId, work)
        return importGraph({ there, staging, alone, texts }, graphId, events, at)
      }),
    keys,
    health: health.current,
    connections: () => database.connections(),
    rootSecret: sharedSecret(database),
    async close() {
      health.stop()
      feeds.close()
      clearInterval(forgetting)
      staging.close()
      await Promise.all([commits.settled(), reader?.close(), watch.close()])
      await database.close()
    },
  }
}

/** What follows is asked of the graph as it was; undefined when the moment is the present. */
async function lookBack(session: Session, graphId: GraphId, asOf: AsOf): Promise<Session | undefined> {
  const { last_seq, last_place, last_recorded_at } = await graphRow(session, graphId)
  const isNow = 'place' in asOf ? asOf.place >= last_place : asOf.time >= last_recorded_at
  if (isNow) return
  const moment = await momentOf(session, graphId, asOf, last_seq)
  if (moment === undefined) throw noGraphYet(graphId)
  return sessionAt(session, moment)
}

const FOUND = Promise.resolve()

/** It is added up from the past, which many questions can do without. */
function rowOfThen(session: Session, graphId: GraphId): () => Promise<GraphRow> {
  let row: Promise<GraphRow> | undefined
  return () => {
    row ??= graphRow(session, graphId)
    return row
  }
}

/** The graph row travels with the first question; a missing graph wins over any other error. */
async function readWith<T>(
  session: Session,
  graphId: GraphId,
  ask: (graph: PresentReader) => Promise<T>,
  meanings: Meanings | undefined,
): Promise<T> {
  const graph = graphRow(session, graphId)
  const answer = ask(createGraphReader(session, graphId, graph, () => graph, meanings))
  const [found] = await Promise.allSettled([graph, answer])
  if (found.status === 'rejected') throw found.reason
  return answer
}

/** Why the service does not start, as a sentence. What may pass by itself is worth another try. */
function refusalOf(error: unknown): unknown {
  if (error instanceof OpenError || !(error instanceof Error)) return error
  const reasons = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message
  return new OpenError(
    `The database of DATABASE_URL cannot be used: ${reasons}.`,
    isConnectionLost(error) ? EXIT_IN_USE : EXIT_BROKEN,
    { cause: error },
  )
}
