import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as StoreModule from '../../src/log/file-store.js'
import { createEvents } from './data.js'
import { GRAPH } from './service.js'

type FileStore = StoreModule.FileStore

/** What is measured is what ships: the built store, not its source as a test runner would load it. */
const BUILT = new URL('../../dist/log/file-store.js', import.meta.url).href
// The build has the shape of its source.
const { openFileStore } = (await import(BUILT)) as typeof StoreModule

const ALL_OPEN = 8 * 1024 ** 3
const COMPACT_BYTES = 4 * 1024 ** 2

export interface Filled {
  readonly folder: string
  readonly store: FileStore
  /** The next event that the graph does not hold yet. */
  readonly next: () => ReturnType<ReturnType<typeof createEvents>>
  dispose(): Promise<void>
}

/** `onCompaction` is called whenever a journal was compacted, which happens from `compactBytes` on. */
export function open(
  folder: string,
  { onCompaction = () => {}, compactBytes = COMPACT_BYTES } = {},
): Promise<FileStore> {
  const log = {
    info: (_: object, message: string) => message.startsWith('Compacted') && onCompaction(),
    warn() {},
    error: console.error,
  }
  return openFileStore({
    folder,
    now: () => new Date(),
    randomBytes,
    log,
    compactBytes,
    memoryBudget: ALL_OPEN,
  })
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
