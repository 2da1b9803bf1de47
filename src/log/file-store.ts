import { type FileLogOptions, type FileLogStats, openFileLog } from './file/file-log.js'
import type { OpenGraphsStats } from './open-graphs.js'
import { type LogStore, type LogStoreOptions, openLogStore } from './store.js'

export interface FileStoreOptions
  extends FileLogOptions,
    Pick<LogStoreOptions, 'now' | 'texts' | 'meaning' | 'patienceMs' | 'turn' | 'memoryBudget'> {}

export interface FileStore extends LogStore {
  /** For metrics. */
  stats(): OpenGraphsStats & FileLogStats
}

/**
 * Opens the store of a data folder. Rejects with an `OpenError` when the folder is in use or damaged.
 *
 * ```ts
 * const store = await openFileStore({ folder: './data', now: () => new Date(), randomBytes, log })
 * ```
 */
export async function openFileStore(options: FileStoreOptions): Promise<FileStore> {
  const { now, texts, meaning, patienceMs, turn, memoryBudget, ...own } = options
  const log = await openFileLog(own)
  const { randomBytes, log: logger } = own
  const store = openLogStore({
    ...{ log, keys: log.keys, health: () => log.health(), now, randomBytes, logger },
    ...{ texts, meaning, patienceMs, turn, memoryBudget },
  })
  return { ...store, stats: () => ({ ...store.stats(), ...log.stats() }) }
}
