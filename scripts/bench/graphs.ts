import { randomBytes } from 'node:crypto'
import type { NewMemory } from '../../src/domain/model.js'
import type * as FileStoreModule from '../../src/log/file-store.js'
import type * as PostgresStoreModule from '../../src/log/postgres-store.js'
import type { LogStore } from '../../src/log/store.js'
import { GRAPH } from './service.js'

/** What is measured is what ships: the built store, not its source as a test runner would load it. */
const built = (name: string) => import(new URL(`../../dist/log/${name}`, import.meta.url).href)
// The build has the shape of its source.
const { openFileStore } = (await built('file-store.js')) as typeof FileStoreModule
const { openPostgresStore } = (await built('postgres-store.js')) as typeof PostgresStoreModule

const ALL_OPEN = 8 * 1024 ** 3
const COMPACT_BYTES = 4 * 1024 ** 2
const BATCH = 1000

/**
 * Opens the store in a folder or in a database. `onCompaction` is called whenever a journal was compacted, which happens
 * from `compactBytes` on.
 */
export function open(
  where: string,
  { onCompaction = () => {}, compactBytes = COMPACT_BYTES } = {},
): Promise<LogStore> {
  const log = {
    info: (_: object, message: string) => message.startsWith('Compacted') && onCompaction(),
    warn() {},
    error: console.error,
  }
  const options = { now: () => new Date(), randomBytes, log, memoryBudget: ALL_OPEN }
  return where.startsWith('postgres:')
    ? openPostgresStore({ ...options, url: where })
    : openFileStore({ ...options, folder: where, compactBytes })
}

/** Records so many memories in batches. */
export async function fill(store: LogStore, next: () => NewMemory, memories: number): Promise<void> {
  for (let left = memories; left > 0; left -= BATCH)
    await store.append(GRAPH, Array.from({ length: Math.min(BATCH, left) }, next), String)
}
