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
import { fenced } from './disk/fenced.js'
import { countingFlushes, type Files, nodeFilesFor } from './disk/files.js'
import { StoreHealth } from './disk/health.js'
import { fenceOf, isLocked, type Lock, lockFolder } from './disk/lock.js'
import { GraphFile, type GraphPorts } from './graph-file.js'
import { openKeys } from './keys.js'
import { latestManifest, Manifest, manifestPath } from './manifest.js'
import { lookAtFolder, makeFolders, markClosed, prepareFolder, takeNumber } from './recover.js'

export interface FileLogOptions {
  /** The data folder; made if it is not there. */
  readonly folder: string
  readonly log: Logger
  readonly randomBytes: (size: number) => Uint8Array
  /** Our process id, which a second process that finds the folder in use gives in its error. */
  readonly pid?: number
  /** For a command that only reads: the folder is locked, and nothing in it is changed. */
  readonly readOnly?: boolean
  readonly files?: Files
  readonly lock?: (folder: string, pid?: number) => Promise<Lock>
  /** Is another process using the folder? Asked where it cannot be locked. */
  readonly isLocked?: (folder: string) => Promise<boolean>
  /** The least length of a journal at which it is compacted into the snapshot. */
  readonly compactBytes?: number
  /** Called once, when the disk can no longer be trusted: the process should end, and not with 0. */
  readonly onFatal?: (error: Error) => void
}

/** What the log has done and holds, for its metrics. */
export interface FileLogStats {
  readonly graphs: number
  readonly flushes: number
  readonly compactions: number
  /** Folders of what was erased, replaced or never finished that could not be removed yet. */
  readonly notRemoved: number
}

export interface FileLog extends GraphLog {
  readonly keys: KeyStore
  health(): Health
  /** Throws when nothing may be written, or when the log is closed. */
  refuseUnlessWritable(): void
  stats(): FileLogStats
}

const COMPACT_BYTES = 4 * 1024 ** 2
/** Journals that stay open: well below what a process may usually have open. */
const MAX_OPEN_JOURNALS = 200
/** How often a process that may not write looks whether another one does. */
const ASK_MS = 2_000
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
  const flushes = { count: 0 }
  const unfenced = countingFlushes(options.files ?? (await nodeFilesFor(folder)), flushes)
  const { lock, reason } = await lockIfPossible(unfenced, options)
  let manifest: Manifest | undefined
  try {
    const fence = fenceOf(folder, readOnly ? undefined : lock)
    const files = fenced(unfenced, fence)
    const seen = lock === undefined ? await traceOf(unfenced, folder) : ''
    const found = await lookAtFolder(files, folder, log)
    const health = new StoreHealth(
      reason === undefined ? { writable: true } : { writable: false, reason },
      log,
      options.onFatal,
    )
    let owner = 0
    const keys = await openKeys(files, folder, () => owner, health)
    await unlessRefused(health, log, async () => {
      owner = await takeNumber(files, folder)
    })
    if (health.current.writable) {
      manifest = new Manifest(files, fence, folder, owner, found.scan)
      await prepareFolder(files, folder, found, owner, manifest, log)
    }
    const opened = new OpenFileLog(options, { files, fence, folder, manifest, health, owner, keys, flushes })
    for (const [graph, one] of found.graphs) opened.add(graph, one)
    const watching = lock === undefined && !readOnly ? watch(unfenced, options, seen, health) : undefined
    opened.released = async () => {
      clearInterval(watching)
      await manifest?.close()
      if (lock?.held() && health.current.writable) await markClosed(files, folder, owner)
      await lock?.release()
    }
    return opened
  } catch (error) {
    await manifest?.close()
    await lock?.release()
    throw error
  }
}

/** Without a lock, `reason` says why nothing can be written; nobody else may be writing then. */
async function lockIfPossible(
  files: Files,
  { folder, log, pid, readOnly, ...given }: FileLogOptions,
): Promise<{ readonly lock?: Lock; readonly reason?: string }> {
  try {
    if (!readOnly) await makeFolders(files, join(folder, 'graphs'))
    const lock = await (given.lock ?? lockFolder)(folder, pid)
    return readOnly ? { lock, reason: 'the data folder was opened for reading only' } : { lock }
  } catch (error) {
    if (!isReadOnly(error) && !isFull(error)) throw error
    if (await (given.isLocked ?? isLocked)(folder))
      throw new OpenError(
        'Another Loregraph is using this data folder, which this one may only read. Stop it, or choose another folder.',
        EXIT_IN_USE,
        { cause: error },
      )
    const reason = whyRefused(error)
    if (!readOnly) log.warn({ folder, err: error }, `Starting without writing: ${reason}.`)
    return { reason }
  }
}

function whyRefused(error: unknown): string {
  return isFull(error) ? 'the disk was full at the start' : 'the data folder is read-only'
}

/** Does what a start does when it may write. When the disk is full or read-only, what is there is still served, and nothing is written. */
async function unlessRefused(health: StoreHealth, log: Logger, work: () => Promise<void>): Promise<void> {
  if (!health.current.writable) return
  try {
    await work()
  } catch (error) {
    const cause = error instanceof Failure ? error.cause : error
    if (!isReadOnly(cause) && !isFull(cause)) throw error
    const reason = whyRefused(cause)
    health.current = { writable: false, reason }
    log.warn({ err: cause }, `Starting without writing: ${reason}.`)
  }
}

/** Without a lock nothing keeps another process from writing, and what was erased must not be served for longer than some seconds. */
function watch(
  files: Files,
  { folder, ...given }: FileLogOptions,
  seen: string,
  health: StoreHealth,
): NodeJS.Timeout {
  const look = async () => {
    if (!(await (given.isLocked ?? isLocked)(folder)) && (await traceOf(files, folder)) === seen) return
    health.lost(new Fatal('Another Loregraph writes to this data folder, which this one may only read.'))
  }
  return setInterval(() => void look().catch(() => undefined), ASK_MS).unref()
}

/** What every process that opens the folder for writing leaves changed. */
async function traceOf(files: Files, folder: string): Promise<string> {
  const names = (await files.list(folder)).filter((name) => !name.startsWith('lock'))
  const latest = await latestManifest(files, folder)
  const identity = latest === undefined ? undefined : files.identify(manifestPath(folder, latest))
  return JSON.stringify([names, identity])
}

interface Parts {
  readonly files: Files
  readonly fence: () => void
  readonly folder: string
  readonly manifest: Manifest | undefined
  readonly health: StoreHealth
  readonly owner: number
  readonly keys: KeyStore
  readonly flushes: { readonly count: number }
}

class OpenFileLog implements FileLog {
  readonly keys: KeyStore
  readonly indexes: NonNullable<GraphLog['indexes']>
  released: () => Promise<void> = async () => undefined
  readonly #parts: Parts
  readonly #ports: GraphPorts
  readonly #graphs = new Map<GraphId, GraphFile>()
  /** Those with an open journal, the one that was written to last at the end. */
  readonly #written = new Set<GraphFile>()
  #removing: NodeJS.Timeout | undefined
  #compactions = 0
  #epochs = 0

  constructor({ log, randomBytes, compactBytes = COMPACT_BYTES }: FileLogOptions, parts: Parts) {
    this.#parts = parts
    this.keys = parts.keys
    const { files, fence, folder, manifest, health, owner } = parts
    this.#ports = {
      ...{ files, fence, manifest, health, owner, randomBytes, compactBytes },
      graphsFolder: join(folder, 'graphs'),
      newEpoch: () => `${owner}-${++this.#epochs}-${Buffer.from(randomBytes(8)).toString('hex')}`,
      compacted: (details) => {
        this.#compactions++
        log.info(details, 'Compacted a journal.')
      },
      wrote: (graph) => this.#wrote(graph),
      notRemoved: () => {
        this.#removing ??= setInterval(() => void this.#removeAgain(), REMOVE_AGAIN_MS).unref()
      },
    }
    this.indexes = {
      read: async (graphId) => this.#graphs.get(graphId)?.readIndexes(),
      write: async (graphId, kept) => this.#graphs.get(graphId)?.writeIndexes(kept),
    }
  }

  /** A graph that was found in the folder. */
  add(graph: GraphId, found: ConstructorParameters<typeof GraphFile>[2]): void {
    this.#graphs.set(graph, new GraphFile(graph, this.#ports, found))
  }

  graphs: GraphLog['graphs'] = async (reach, paging) => {
    this.#parts.health.refuseIfClosed()
    const wanted = reach === undefined ? [...this.#graphs.keys()] : [...new Set(reach)]
    return pageOf(wanted.filter((graph) => this.#head(graph) !== undefined).sort(byCodeUnit), paging)
  }

  head: GraphLog['head'] = async (graphId) => {
    this.#parts.health.refuseIfClosed()
    return this.#head(graphId)
  }

  heads: GraphLog['heads'] = async (graphIds) => {
    this.#parts.health.refuseIfClosed()
    const heads = new Map<GraphId, Head>()
    for (const graph of graphIds) {
      const head = this.#head(graph)
      if (head !== undefined) heads.set(graph, head)
    }
    return heads
  }

  read: GraphLog['read'] = (graphId, after, from) => this.#file(graphId).read(after, from)

  append: GraphLog['append'] = (graphId, after, entries) => this.#changing(graphId).append(after, entries)

  erase: GraphLog['erase'] = (graphId, after, erasure) => this.#changing(graphId).erase(after, erasure)

  replace: GraphLog['replace'] = (graphId, after, entries) => this.#changing(graphId).replace(after, entries)

  remove: GraphLog['remove'] = (graphId, after) => this.#changing(graphId).remove(after)

  /** A data folder has one owner. */
  locked: GraphLog['locked'] = async (_, work) => {
    this.#parts.health.refuseUnlessWritable()
    return work(this)
  }

  vectors: GraphLog['vectors'] = (graphId, identity) => this.#changing(graphId).vectors(identity)

  health(): Health {
    return this.#parts.health.current
  }

  refuseUnlessWritable(): void {
    this.#parts.health.refuseUnlessWritable()
  }

  stats(): FileLogStats {
    return {
      graphs: [...this.#graphs.values()].filter(({ head }) => head !== undefined).length,
      flushes: this.#parts.flushes.count,
      compactions: this.#compactions,
      notRemoved: this.#notRemoved(),
    }
  }

  async close(): Promise<void> {
    if (this.#parts.health.closed) return
    this.#parts.health.closed = true
    clearInterval(this.#removing)
    const failed: unknown[] = []
    for (const graph of this.#graphs.values())
      await graph.close().catch((error: unknown) => failed.push(error))
    await this.released()
    if (failed.length > 0) throw failed[0]
  }

  #head(graph: GraphId): Head | undefined {
    return this.#graphs.get(graph)?.head
  }

  /** The files of a graph, which need not be there. */
  #file(graph: GraphId): GraphFile {
    return this.#graphs.get(graph) ?? new GraphFile(graph, this.#ports)
  }

  #changing(graph: GraphId): GraphFile {
    const file = this.#file(graph)
    this.#graphs.set(graph, file)
    return file
  }

  #wrote(graph: GraphFile): void {
    this.#written.delete(graph)
    this.#written.add(graph)
    if (this.#written.size <= MAX_OPEN_JOURNALS) return
    const [least] = this.#written
    if (least === undefined) return
    this.#written.delete(least)
    void least.closeJournal().catch((error: unknown) => this.#parts.health.failed(error))
  }

  #notRemoved(): number {
    let count = 0
    for (const { leftovers } of this.#graphs.values()) count += leftovers
    return count
  }

  async #removeAgain(): Promise<void> {
    for (const graph of this.#graphs.values()) await graph.removeLeftovers().catch(() => undefined)
    if (this.#notRemoved() > 0) return
    clearInterval(this.#removing)
    this.#removing = undefined
  }
}
