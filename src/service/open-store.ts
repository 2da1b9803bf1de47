import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import type { TextCache } from '../domain/text-cache.js'
import type { Metrics } from '../http/pages/metrics.js'
import { openFileStore } from '../log/file-store.js'
import type { Health } from '../store/health.js'
import type { Meaning } from '../store/meaning.js'
import type { Store } from '../store/store.js'
import { type RootSecret, SECRET_FILE, secretInDatabase, secretInFolder } from './root-secret.js'
import { databaseMetrics, storeMetrics } from './store-metrics.js'

export interface ServicePorts {
  readonly log: Logger
  readonly droppedLines: () => number
  readonly print: (line: string) => void
  /** Shows text on stdout; rejects if the write fails or stdout is /dev/null. */
  readonly show: (text: string) => Promise<void>
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly pid: number
  /** Resolves when the process is asked to stop. */
  readonly stop: Promise<void>
}

/** The store that the settings choose, with what depends on its kind. */
export interface Opened {
  readonly store: Store & { health(): Health }
  readonly secret: RootSecret
  /** For messages: where the hash of the root secret is kept, and how to get a new secret. */
  readonly secretPlace: { readonly kept: string; readonly renew: string }
  readonly addMetrics: (metrics: Metrics) => void
}

interface StoreParts {
  /** Cleared by every erasure. */
  readonly texts: TextCache
  /** Undefined when reading for meaning is off. */
  readonly meaning: Meaning | undefined
  /** Resolves when work that waited for a database, or paused, may go on; see http/load/loop-queue.ts. */
  readonly turn: () => Promise<void> | undefined
  /** Called when the store can no longer be trusted. */
  readonly failed: (error: Error) => void
}

/** Share of the heap for open graphs. The rest is for answers, imports and reads. */
const HEAP_SHARE = 0.6

export async function openStore(
  { data, database, memory = HEAP_SHARE * getHeapStatistics().heap_size_limit }: Config,
  { now, randomBytes, log, pid }: ServicePorts,
  { texts, meaning, turn, failed }: StoreParts,
): Promise<Opened> {
  const shared = { now, randomBytes, log, texts, turn, ...(meaning && { meaning }) }
  if (database === undefined) {
    const store = await openFileStore({ ...shared, memoryBudget: memory, folder: data, pid, onFatal: failed })
    return {
      store,
      secret: secretInFolder(data, randomBytes),
      secretPlace: { kept: join(data, SECRET_FILE), renew: 'stop the service and delete that file' },
      addMetrics: (metrics) => storeMetrics(metrics, store),
    }
  }
  // Loaded only here, so that a start with files is faster.
  const { openPostgresStore } = await import('../log/postgres-store.js')
  const store = await openPostgresStore({ ...shared, ...database, memoryBudget: memory })
  return {
    store,
    secret: secretInDatabase(store, randomBytes),
    secretPlace: {
      kept: 'the table "settings" of the database',
      renew: `stop the service and delete the row named 'root_secret' there`,
    },
    addMetrics: (metrics) => databaseMetrics(metrics, store),
  }
}
