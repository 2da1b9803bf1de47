import type { OpenGraphsStats } from './open-graphs.js'
import type { Connections } from './postgres/database.js'
import { openPostgresLog, type PostgresLogOptions } from './postgres/log.js'
import type { SharedSecret } from './postgres/settings.js'
import { type LogStore, type LogStoreOptions, openLogStore } from './store.js'

export interface PostgresStoreOptions
  extends Omit<PostgresLogOptions, 'log'>,
    Pick<LogStoreOptions, 'now' | 'texts' | 'meaning' | 'patienceMs' | 'memoryBudget'> {
  readonly log: LogStoreOptions['logger']
}

export interface PostgresStore extends LogStore {
  /** For metrics. */
  stats(): OpenGraphsStats & { readonly connections: Connections }
  readonly rootSecret: SharedSecret
}

/** Writes are never refused in advance: the database itself accepts or rejects each one. */
const ASK_THE_DATABASE = () => ({ writable: true }) as const

/**
 * Opens the store that keeps everything in PostgreSQL. Any number of processes can share one database. Rejects with an
 * `OpenError` when the database cannot be used.
 *
 * ```ts
 * const store = await openPostgresStore({ url: 'postgres://localhost/loregraph', now: () => new Date(), randomBytes, log })
 * ```
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { now, texts, meaning, patienceMs, memoryBudget, ...own } = options
  const log = await openPostgresLog(own)
  const { randomBytes, turn, log: logger } = own
  const store = openLogStore({
    ...{ log, keys: log.keys, health: ASK_THE_DATABASE, now, randomBytes, logger },
    ...{ texts, meaning, patienceMs, turn, memoryBudget },
  })
  return {
    ...store,
    health: () => log.health(),
    stats: () => ({ ...store.stats(), connections: log.stats() }),
    rootSecret: log.rootSecret,
  }
}
