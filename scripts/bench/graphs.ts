import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as FileStoreModule from '../../src/log/file-store.js'
import type * as PostgresStoreModule from '../../src/log/postgres-store.js'
import type { LogStore } from '../../src/log/store.js'
import { createEvents } from './data.js'
import { GRAPH } from './service.js'

/** What is measured is what ships: the built store, not its source as a test runner would load it. */
const built = (name: string) => import(new URL(`../../dist/log/${name}`, import.meta.url).href)
// The build has the shape of its source.
const { openFileStore } = (await built('file-store.js')) as typeof FileStoreModule
const { openPostgresStore } = (await built('postgres-store.js')) as typeof PostgresStoreModule

const ALL_OPEN = 8 * 1024 ** 3
const COMPACT_BYTES = 4 * 1024 ** 2

export interface Filled {
  readonly folder: string
  readonly store: LogStore
  /** The next event that the graph does not hold yet. */
  readonly next: () => ReturnType<ReturnType<typeof createEvents>>
  dispose(): Promise<void>
}

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

/** A store with one graph of that many memories, in a folder of its own. */
export async function fill(memories: number, compactBytes = COMPACT_BYTES): Promise<Filled> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const store = await open(folder, { compactBytes })
  const eventAt = createEvents(1)
  let index = 0
  const next = () => eventAt(index++)
  while (index < memories)
    await store.append(GRAPH, Array.from({ length: Math.min(1000, memories - index) }, next), String)
  return {
    folder,
    store,
    next,
    async dispose() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
