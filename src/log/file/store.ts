import { join } from 'node:path'
import { Failure } from '../../domain/failure.js'
import type { GraphId } from '../../domain/model.js'
import { TextCache } from '../../domain/text-cache.js'
import type { Health } from '../../store/health.js'
import type { Logger } from '../../store/logger.js'
import type { Store } from '../../store/store.js'
import { Feeds } from '../feeds.js'
import { backUp, backupOf } from './data-folder/backup.js'
import { Manifest } from './data-folder/manifest.js'
import { markClosed, takeNumber } from './data-folder/owner-number.js'
import { lookAtFolder, makeFolders, prepareFolder } from './data-folder/recover.js'
import { isFull, isReadOnly } from './disk/errors.js'
import { fenced } from './disk/fenced.js'
import { countingFlushes, type Files, nodeFiles } from './disk/files.js'
import { StoreHealth } from './disk/health.js'
import { fenceOf, type Lock, lockFolder } from './disk/lock.js'
import { openKeys } from './keys/key-file.js'
import { Graphs } from './owner/graphs.js'
import type { JsonStoreOptions } from './owner/options.js'
import { Transfers } from './owner/transfers.js'

export type { JsonStoreOptions } from './owner/options.js'

/** What the store has done and holds, for its metrics. */
interface Stats {
  readonly graphs: number
  readonly openGraphs: number
  readonly flushes: number
  readonly compactions: number
}

export interface JsonStore extends Store {
  health(): Health
  stats(): Stats
}

/**
 * A question that is under way may remember a text again after an erasure cleared the cache: what was not asked for
 * during the whole of such an interval is forgotten, so that no erased text is remembered for longer than two of them.
 */
const FORGET_MS = 60_000

/**
 * Opens the store that keeps each graph in memory and in two files: a journal that every event is flushed to before
 * it is acknowledged, and a snapshot that the journal is compacted into. With a `meaning`, a third file keeps what was
 * read of the memories. Rejects with an `OpenError` when the folder is in use or damaged.
 *
 * ```ts
 * const store = await openJsonStore({ folder: './data', now: () => new Date(), randomBytes, log })
 * ```
 */
export async function openJsonStore(options: JsonStoreOptions): Promise<JsonStore> {
  const { folder, log, texts = new TextCache() } = options
  const flushes = { count: 0 }
  const unfenced = countingFlushes(options.files ?? nodeFiles, flushes)
  let lock: Lock | undefined
  let reason = ''
  try {
    await makeFolders(unfenced, join(folder, 'graphs'))
    lock = await (options.lock ?? lockFolder)(folder, options.pid)
  } catch (error) {
    if (!isReadOnly(error) && !isFull(error)) throw error
    reason = whyRefused(error)
    log.warn({ folder, err: error }, `Starting without writing: ${reason}.`)
  }
  let manifest: Manifest | undefined
  let graphs: Graphs | undefined
  try {
    const fence = fenceOf(folder, lock)
    const files = fenced(unfenced, fence)
    let owner = 0
    const found = await lookAtFolder(files, folder, log)
    const { outdated, scan } = found
    const health = new StoreHealth(
      lock === undefined ? { writable: false, reason } : { writable: true },
      log,
      options.onFatal,
    )
    const keys = await openKeys(files, folder, () => owner, health)
    if (outdated.length > 0)
      await unlessRefused(
        health,
        log,
        () => NOT_BROUGHT_OVER,
        () => backUpBefore(files, folder, log),
      )
    await unlessRefused(health, log, whyRefused, async () => {
      owner = await takeNumber(files, folder)
    })
    if (health.current.writable) {
      manifest = new Manifest(files, fence, folder, owner, scan)
      await prepareFolder(files, folder, found, owner, manifest, log)
    }
    const known = scan?.graphs ?? new Map()
    const opened = new Graphs({ options, health, files, fence, texts, manifest, owner, known })
    graphs = opened
    const warnOfBackup = () => {
      const backup = backupOf(folder)
      if (files.identify(backup) !== undefined)
        log.warn(
          { backup },
          `What was erased may still be in ${backup}. Remove it with "loregraph backup drop".`,
        )
    }
    await unlessRefused(
      health,
      log,
      () => NOT_BROUGHT_OVER,
      () => bringOver(opened, outdated, log),
    )
    return createStore({ graphs: opened, health, keys, texts, flushes, warnOfBackup }, async () => {
      await manifest?.close()
      if (lock?.held() && health.current.writable) await markClosed(files, folder, owner)
      await lock?.release()
    })
  } catch (error) {
    await graphs?.close().catch(() => undefined)
    await manifest?.close()
    await lock?.release()
    throw error
  }
}

async function backUpBefore(files: Files, folder: string, log: Logger): Promise<void> {
  const backup = await backUp(files, folder)
  log.warn(
    { backup },
    `The data is brought over to the format of this version. It is kept as it was in ${backup}; when all is well, remove it with "loregraph backup drop".`,
  )
}

/** One graph after the other: whenever this is cut short, the next start goes on with those that are left. */
async function bringOver(graphs: Graphs, outdated: readonly GraphId[], log: Logger): Promise<void> {
  for (const graph of outdated) {
    await graphs.ask(graph, (owner) => owner.bringOver())
    log.info({ graph }, 'Brought a graph over to the format of this version.')
  }
}

const NOT_BROUGHT_OVER = 'the data of the version before could not be brought over'

function whyRefused(error: unknown): string {
  return isFull(error) ? 'the disk was full at the start' : 'the data folder is read-only'
}

/** Does what a start does when it may write. When the disk is full or read-only, what is there is still served, and nothing is written. */
async function unlessRefused(
  health: StoreHealth,
  log: Logger,
  why: (error: unknown) => string,
  work: () => Promise<void>,
): Promise<void> {
  if (!health.current.writable) return
  try {
    await work()
  } catch (error) {
    const cause = error instanceof Failure ? error.cause : error
    if (!isReadOnly(cause) && !isFull(cause)) throw error
    const reason = why(cause)
    health.current = { writable: false, reason }
    log.warn({ err: cause }, `Starting without writing: ${reason}.`)
  }
}

interface Parts {
  readonly graphs: Graphs
  readonly health: StoreHealth
  readonly keys: Store['keys']
  readonly texts: TextCache
  readonly flushes: { readonly count: number }
  /** Says after an erasure that a backup holds what was erased, if there is one. */
  readonly warnOfBackup: () => void
}

function createStore(
  { graphs, health, keys, texts, flushes, warnOfBackup }: Parts,
  release: () => Promise<void>,
): JsonStore {
  const feeds = new Feeds()
  const transfers = new Transfers(graphs, health, feeds)
  const forgetting = setInterval(() => texts.age(), FORGET_MS).unref()
  return {
    read: (graphId, ask) => graphs.read(graphId, ask),
    readAt: (graphId, asOf, ask) =>
      asOf === undefined ? graphs.read(graphId, ask) : graphs.readAt(graphId, asOf, ask),
    async append(graphId, events, at, once) {
      health.refuseUnlessWritable()
      return graphs
        .use(graphId, (owner) => owner.append(events, at, once))
        .finally(() => feeds.recorded(graphId))
    },
    dryRun: (graphId, event, at) => graphs.use(graphId, (owner) => owner.dryRun(event, at)),
    async graphs(reach, paging) {
      health.refuseIfClosed()
      return graphs.list(reach, paging)
    },
    async caughtUp(graphId, waiter) {
      health.refuseIfClosed()
      await graphs.caughtUp(graphId, waiter)
    },
    async unread(graphIds) {
      health.refuseIfClosed()
      return graphs.unread(graphIds)
    },
    async erase(graphId, what, { dryRun }) {
      let isGone = false
      try {
        const erased = await graphs.ask(graphId, (owner) =>
          owner.erase(what, dryRun, (gone) => {
            isGone = true
            if ('everything' in what) feeds.over(graphId)
            else feeds.erased(graphId, gone)
          }),
        )
        isGone = !dryRun
        return erased
      } finally {
        // Also when a file that holds it could not be removed.
        if (isGone) {
          texts.clear()
          warnOfBackup()
        }
      }
    },
    exportGraph: (graphId, part = {}) => transfers.export(graphId, part),
    statements: (graphId, after) => transfers.statements(graphId, after),
    follow: (graphId) => feeds.follow(graphId, () => graphs.ask(graphId, async (owner) => owner.lastPlace())),
    importGraph: (graphId, events, at) => transfers.import(graphId, events, at),
    keys,
    health: () => health.current,
    stats: () => ({ ...graphs.stats(), flushes: flushes.count }),
    async close() {
      if (health.closed) return
      health.closed = true
      clearInterval(forgetting)
      feeds.close()
      await transfers.close()
      await graphs.close()
      await release()
    },
  }
}

export type { Health } from '../../store/health.js'
export type { Logger } from '../../store/logger.js'
