import { join } from 'node:path'
import { Failure } from '../../domain/failure.js'
import type { GraphId } from '../../domain/model.js'
import { byCodeUnit } from '../../domain/names.js'
import { pageOf } from '../../domain/page.js'
import type { Health } from '../../store/health.js'
import type { KeyStore } from '../../store/key-store.js'
import type { Logger } from '../../store/logger.js'
import { EXIT_IN_USE, OpenError } from '../../store/open-error.js'
import type { GraphLog, Head } from '../graph-log.js'
import { Fatal, isFull, isReadOnly } from './disk/errors.js'
import { withFence } from './disk/fenced.js'
import { type Files, nodeFilesFor } from './disk/files.js'
import { StoreHealth } from './disk/health.js'
import { fenceOf, isLocked, type Lock, lockFolder } from './disk/lock.js'
import { GraphFile, type GraphPorts } from './graph-file.js'
import { openKeys } from './keys.js'
import { latestManifest, Manifest, manifestPath } from './manifest.js'
import {
  type FoundFolder,
  makeFolders,
  markClosed,
  prepareFolder,
  scanFolder,
  takeNumber,
} from './recover.js'

export interface FileLogOptions {
  /** The data folder; created if it does not exist. */
  readonly folder: string
  readonly log: Logger
  readonly randomBytes: (size: number) => Uint8Array
  /** The id of this process, for the error of a second process that finds the folder in use. */
  readonly pid?: number
  /** Locks the folder, but changes nothing in it. */
  readonly readOnly?: boolean
  readonly files?: Files
  readonly lock?: (folder: string, pid?: number) => Promise<Lock>
  /** Is another process using the folder? Called if it cannot be locked. */
  readonly isLocked?: (folder: string) => Promise<boolean>
  /** The minimum length of a journal to be compacted into the snapshot. */
  readonly compactBytes?: number
  /** Called once, when the disk can no longer be trusted: the process should exit with an error. */
  readonly onFatal?: (error: Error) => void
}

/** For metrics. */
export interface FileLogStats {
  readonly graphs: number
  readonly flushes: number
  readonly compactions: number
  /** Folders of erased, replaced or unfinished graphs that could not be removed yet. */
  readonly notRemoved: number
}

export interface FileLog extends GraphLog {
  readonly keys: KeyStore
  health(): Health
  stats(): FileLogStats
}

const COMPACT_BYTES = 4 * 1024 ** 2
/** Journals that stay open: well below what a process may usually have open. */
const MAX_OPEN_JOURNALS = 200
/** How often a process without a lock checks whether another one writes. */
const CHECK_OWNER_MS = 2_000
const REMOVE_AGAIN_MS = 30_000

/**
 * Opens the log of a data folder: for each graph a journal that every entry is flushed to before it is acknowledged, and a
 * snapshot that the journal is compacted into (`docs/file-format.md`). Rejects with an `OpenError` when the folder is in use
 * or damaged.
 *
 * ```ts
 * const log = await openFileLog({ folder: './data', randomBytes, log: logger })
 * ```
 */
export async function openFileLog(options: FileLogOptions): Promise<FileLog> {
  const { folder, log, readOnly = false } = options
  const unfenced = options.files ?? (await nodeFilesFor(folder))
  const { lock, reason } = await lockIfPossible(unfenced, options)
  let manifest: Manifest | undefined
  try {
    let flushes = 0
    const files = withFence(unfenced, fenceOf(folder, readOnly ? undefined : lock), () => {
      flushes++
    })
    const trace = lock === undefined ? await traceOf(unfenced, folder) : ''
    const found = await scanFolder(files, folder, log)
    const health = new StoreHealth(
      reason === undefined ? { writable: true } : { writable: false, reason },
      log,
      options.onFatal,
    )
    let owner = 0
    const keys = await openKeys(files, folder, () => owner, health)
    await writeIfPossible(health, log, async () => {
      owner = await takeNumber(files, folder)
    })
    if (health.current.writable) {
      manifest = new Manifest(files, folder, owner, found.scan)
      await prepareFolder(files, folder, found, owner, manifest, log)
    }
    const watching = lock === undefined && !readOnly ? watch(unfenced, options, trace, health) : undefined
    return createLog(options, {
      ...{ files, manifest, health, owner, keys, graphs: found.graphs },
      flushes: () => flushes,
      async release() {
        clearInterval(watching)
        await manifest?.close()
        if (lock?.isHeld() && health.current.writable) await markClosed(files, folder, owner)
        await lock?.release()
      },
    })
  } catch (error) {
    await manifest?.close()
    await lock?.release()
    throw error
  }
}

/** Locks the folder. If it is read-only or the disk is full, returns the reason why nothing can be written instead. */
async function lockIfPossible(
  files: Files,
  { folder, log, pid, readOnly, ...ports }: FileLogOptions,
): Promise<{ readonly lock?: Lock; readonly reason?: string }> {
  try {
    if (!readOnly) await makeFolders(files, join(folder, 'graphs'))
    const lock = await (ports.lock ?? lockFolder)(folder, pid)
    return readOnly ? { lock, reason: 'the data folder was opened for reading only' } : { lock }
  } catch (error) {
    if (!isReadOnly(error) && !isFull(error)) throw error
    if (await (ports.isLocked ?? isLocked)(folder))
      throw new OpenError(
        'Another Loregraph is using this data folder, which this one may only read. Stop it, or choose another folder.',
        EXIT_IN_USE,
        { cause: error },
      )
    const reason = reasonOf(error)
    if (!readOnly) log.warn({ folder, err: error }, `Starting without writing: ${reason}.`)
    return { reason }
  }
}

function reasonOf(error: unknown): string {
  return isFull(error) ? 'the disk was full at the start' : 'the data folder is read-only'
}

/** Runs `work`, which writes. If the disk is full or read-only, the store becomes read-only instead of failing to start. */
async function writeIfPossible(health: StoreHealth, log: Logger, work: () => Promise<void>): Promise<void> {
  if (!health.current.writable) return
  try {
    await work()
  } catch (error) {
    const cause = error instanceof Failure ? error.cause : error
    if (!isReadOnly(cause) && !isFull(cause)) throw error
    const reason = reasonOf(cause)
    health.current = { writable: false, reason }
    log.warn({ err: cause }, `Starting without writing: ${reason}.`)
  }
}

/** Without a lock, another process may write. Detects this, so that erased text is served for a few seconds at most. */
function watch(
  files: Files,
  { folder, ...ports }: FileLogOptions,
  trace: string,
  health: StoreHealth,
): NodeJS.Timeout {
  const look = async () => {
    if (!(await (ports.isLocked ?? isLocked)(folder)) && (await traceOf(files, folder)) === trace) return
    health.loseOwnership(
      new Fatal('Another Loregraph writes to this data folder, which this one may only read.'),
    )
  }
  return setInterval(() => void look().catch(() => undefined), CHECK_OWNER_MS).unref()
}

/** A value that changes whenever a process opens the folder for writing. */
async function traceOf(files: Files, folder: string): Promise<string> {
  const names = (await files.list(folder)).filter((name) => !name.startsWith('lock'))
  const latest = await latestManifest(files, folder)
  const identity = latest === undefined ? undefined : files.identify(manifestPath(folder, latest))
  return JSON.stringify([names, identity])
}

interface Parts extends Pick<GraphPorts, 'files' | 'manifest' | 'health' | 'owner'> {
  readonly keys: KeyStore
  /** The graphs found in the folder. */
  readonly graphs: FoundFolder['graphs']
  readonly flushes: () => number
  readonly release: () => Promise<void>
}

function createLog(
  options: FileLogOptions,
  { keys, graphs: found, flushes, release, ...parts }: Parts,
): FileLog {
  const { folder, log: logger, randomBytes, compactBytes = COMPACT_BYTES } = options
  const { health, owner } = parts
  const graphs = new Map<GraphId, GraphFile>()
  /** The graphs with an open journal, the last written one at the end. */
  const openJournals = new Set<GraphFile>()
  let removing: NodeJS.Timeout | undefined
  let compactions = 0
  let epochs = 0
  const ports: GraphPorts = {
    ...parts,
    ...{ folder, randomBytes, compactBytes },
    newEpoch: () => `${owner}-${++epochs}-${Buffer.from(randomBytes(8)).toString('hex')}`,
    onCompacted(details) {
      compactions++
      logger.info(details, 'Compacted a journal.')
    },
    onWrite: closeOldestJournal,
    onNotRemoved() {
      removing ??= setInterval(() => void removeAgain(), REMOVE_AGAIN_MS).unref()
    },
  }
  for (const [graph, foundGraph] of found) graphs.set(graph, new GraphFile(graph, ports, foundGraph))

  /** The files of a graph, which may not exist. */
  function fileOf(graph: GraphId): GraphFile {
    return graphs.get(graph) ?? new GraphFile(graph, ports)
  }

  function fileToChange(graph: GraphId): GraphFile {
    const file = fileOf(graph)
    graphs.set(graph, file)
    return file
  }

  function closeOldestJournal(written: GraphFile): void {
    openJournals.delete(written)
    openJournals.add(written)
    const [oldest] = openJournals
    if (oldest === undefined || openJournals.size <= MAX_OPEN_JOURNALS) return
    openJournals.delete(oldest)
    void oldest.closeJournal().catch((error: unknown) => health.noteFailure(error))
  }

  function notRemoved(): number {
    return [...graphs.values()].reduce((count, { leftovers }) => count + leftovers, 0)
  }

  async function removeAgain(): Promise<void> {
    for (const graph of graphs.values()) await graph.removeLeftovers().catch(() => undefined)
    if (notRemoved() > 0) return
    clearInterval(removing)
    removing = undefined
  }

  const log: FileLog = {
    keys,
    async graphs(reach, paging) {
      health.refuseIfClosed()
      const wanted = reach === undefined ? [...graphs.keys()] : [...new Set(reach)]
      return pageOf(wanted.filter((graph) => graphs.get(graph)?.head !== undefined).sort(byCodeUnit), paging)
    },
    async head(graphId) {
      health.refuseIfClosed()
      return graphs.get(graphId)?.head
    },
    async heads(graphIds) {
      health.refuseIfClosed()
      const heads = new Map<GraphId, Head>()
      for (const graphId of graphIds) {
        const head = graphs.get(graphId)?.head
        if (head !== undefined) heads.set(graphId, head)
      }
      return heads
    },
    read: (graphId, ...range) => fileOf(graphId).read(...range),
    append: (graphId, after, entries) => fileToChange(graphId).append(after, entries),
    erase: (graphId, after, erasure) => fileToChange(graphId).erase(after, erasure),
    replace: (graphId, after, entries) => fileToChange(graphId).replace(after, entries),
    remove: (graphId, after) => fileToChange(graphId).remove(after),
    /** Needs no lock, since a data folder has one owner. */
    async locked(_, work) {
      health.refuseUnlessWritable()
      return work(log)
    },
    vectors: (graphId, identity) => fileToChange(graphId).vectors(identity),
    indexes: {
      read: async (graphId) => graphs.get(graphId)?.readIndexes(),
      write: async (graphId, indexes) => graphs.get(graphId)?.writeIndexes(indexes),
    },
    health: () => health.current,
    stats: () => ({
      graphs: [...graphs.values()].filter(({ head }) => head !== undefined).length,
      flushes: flushes(),
      compactions,
      notRemoved: notRemoved(),
    }),
    async close() {
      if (health.closed) return
      health.closed = true
      clearInterval(removing)
      const failed: unknown[] = []
      for (const graph of graphs.values()) await graph.close().catch((error: unknown) => failed.push(error))
      await release()
      if (failed.length > 0) throw failed[0]
    },
  }
  return log
}
