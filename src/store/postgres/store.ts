import type { ClockAndRandom } from '../../domain/clock-and-random.js'
import type { GraphId } from '../../domain/model.js'
import type { Health } from '../health.js'
import { EXIT_BROKEN, EXIT_IN_USE, OpenError } from '../open-error.js'
import type { Store } from '../store.js'
import { type Connections, Database, type DatabaseOptions } from './connection/database.js'
import { isConnectionLost } from './connection/errors.js'
import { watchHealth } from './connection/health.js'
import { migrate } from './connection/migrate.js'
import type { Session } from './connection/session.js'
import { createKeyStore } from './keys/key-table.js'
import { rootSecret } from './keys/root-secret.js'
import {
  contextMemories,
  contextRow,
  contextsOfType,
  contextTypes,
  listGraphs,
  memoryById,
} from './read/browse.js'
import { ContextFilterQuery } from './read/context-filter.js'
import { memoriesAt } from './read/memories.js'
import { neighboursOf } from './read/neighbours.js'
import { relationshipsOf } from './read/relations.js'
import { graphRow } from './schema/graph-row.js'
import { type GraphRow, toContext } from './schema/rows.js'
import { searchContexts } from './search/name-search.js'
import { retrieve, weigh } from './search/retrieve.js'
import { erase } from './transfer/erase.js'
import { exportGraph } from './transfer/export.js'
import { importGraph } from './transfer/import.js'
import { GraphCommits } from './write/append.js'

export interface PostgresStoreOptions extends DatabaseOptions, ClockAndRandom {}

export interface PostgresStore extends Store {
  health(): Health
  connections(): Connections
  /** The hash of the root secret that all processes on this database share; `make` is asked for one if there is none. */
  rootSecret(make: () => string): Promise<{ hash: string; isNew: boolean }>
}

/** After a write of ours a graph is read from the primary for so long, so that we see what we wrote. */
const CATCH_UP_MS = 10_000

/**
 * Opens the store that keeps everything in PostgreSQL, and brings its tables up to date. Any number of processes can
 * share one database. Rejects with an `OpenError` when the database is newer than this program.
 *
 * ```ts
 * const store = await openPostgresStore({ url: 'postgres://localhost/loregraph', now: () => new Date(), randomBytes, log })
 * ```
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const database = new Database(options)
  try {
    await database.prepare(migrate)
  } catch (error) {
    await database.close()
    throw refusalOf(error)
  }
  return createStore(database, options)
}

function createStore(database: Database, options: PostgresStoreOptions): PostgresStore {
  const commits = new GraphCommits(database, options)
  const health = watchHealth(database)
  const written = new Map<GraphId, number>()
  const keys = createKeyStore(database)

  /** Notes that this process wrote to a graph, and forgets those it has not written to for long. */
  async function writing<T>(graphId: GraphId, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      const now = performance.now()
      for (const [graph, at] of written) if (now - at > CATCH_UP_MS) written.delete(graph)
      written.delete(graphId)
      written.set(graphId, now)
    }
  }

  function read<T>(graphId: GraphId, answer: Answer<T>): Promise<T> {
    const at = written.get(graphId)
    const isFresh = at !== undefined && performance.now() - at <= CATCH_UP_MS
    return database.read((session) => answerWith(session, graphId, answer), isFresh)
  }

  return {
    append: (graphId, events, at, once) => writing(graphId, () => commits.append(graphId, events, at, once)),
    graphs: (reach, paging) => database.read((session) => listGraphs(session, reach, paging), true),
    erase: (graphId, what, dry) => writing(graphId, () => erase(database, graphId, what, dry)),
    exportGraph: (graphId) => exportGraph(database, graphId),
    importGraph: (graphId, events, at) => writing(graphId, () => importGraph(database, graphId, events, at)),
    keys,
    contextTypes: (graphId, paging) => read(graphId, (session) => contextTypes(session, graphId, paging)),
    contexts: (graphId, type, paging) =>
      read(graphId, (session) => contextsOfType(session, graphId, type, paging)),
    searchContexts: (graphId, query, paging) =>
      read(graphId, (session) => searchContexts(session, graphId, query, paging)),
    context: (graphId, id) =>
      read(graphId, async (session) => toContext(await contextRow(session, graphId, id))),
    contextMemories: (graphId, id, paging) =>
      read(graphId, (session) => contextMemories(session, graphId, id, paging)),
    relationships: (graphId, id, filter) =>
      read(graphId, (session) => relationshipsOf(session, graphId, id, filter)),
    memory: (graphId, id) => read(graphId, (session) => memoryById(session, graphId, id)),
    retrieve: (graphId, retrieval) =>
      read(graphId, (session, graph) => retrieve(session, graphId, graph, retrieval)),
    latest: (graphId, scope, limit) =>
      read(graphId, async (session, graph) => {
        const seqs = await new ContextFilterQuery(session, graphId, scope).latest(limit, graph)
        return memoriesAt(session, graphId, seqs)
      }),
    weigh: (graphId, terms) => read(graphId, (session, graph) => weigh(session, graphId, graph, terms)),
    neighbours: (graphId, ids) => read(graphId, (session) => neighboursOf(session, graphId, ids)),
    health: health.current,
    connections: () => database.connections(),
    rootSecret: (make) => rootSecret(database, make),
    async close() {
      health.stop()
      await commits.settled()
      await database.close()
    },
  }
}

type Answer<T> = (session: Session, graph: Promise<GraphRow>) => Promise<T>

/** The graph is asked for together with what is asked about it; a missing graph wins over any other error. */
async function answerWith<T>(session: Session, graphId: GraphId, answer: Answer<T>): Promise<T> {
  const graph = graphRow(session, graphId)
  const answering = answer(session, graph)
  answering.catch(() => undefined)
  await graph
  return answering
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
