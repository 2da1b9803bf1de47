import { dirname, join, resolve } from 'node:path'
import { Failure } from '../../domain/failure.js'
import type { GraphId } from '../../domain/model.js'
import type { Store } from '../store.js'
import { countingFlushes } from './counting-files.js'
import { type Files, nodeFiles } from './files.js'
import type { Graph } from './graph.js'
import { cutJournal, type GraphHome, journalPath, readGraph } from './journal.js'
import { Keeper, type Surroundings } from './keeper.js'
import { type Lock, lockFolder } from './lock.js'
import { folderOf, Manifest, type ManifestScan, scanManifest } from './manifest.js'
import { Shelf } from './shelf.js'
import { flushedFolder } from './snapshot.js'
import { Fatal, isFull, isReadOnly } from './trouble.js'

export interface Logger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface JsonStoreOptions {
  /** The data folder; made if it is not there. */
  readonly folder: string
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly log: Logger
  /** Called once, when the disk can no longer be trusted: the process should end, and not with 0. */
  readonly onFatal?: (error: Error) => void
  /** About how many bytes of memory open graphs may take before those not used for longest are closed. */
  readonly memoryBudget?: number
  /** The least length of a journal at which it is folded into the snapshot. */
  readonly foldBytes?: number
  readonly files?: Files
  readonly lock?: (folder: string, pid?: number) => Promise<Lock>
  /** Our process, to be named to whoever finds the folder in use. */
  readonly pid?: number
}

/** Can events be recorded, and if not, why not. */
export type Health = { readonly writable: true } | { readonly writable: false; readonly reason: string }

/** What the store has done and holds, for whoever watches it. */
export interface Stats {
  readonly graphs: number
  readonly openGraphs: number
  readonly flushes: number
  readonly folds: number
}

export interface JsonStore extends Store {
  health(): Health
  stats(): Stats
}

const CLEAN = 'clean'
const MEMORY_BUDGET = 1024 ** 3
const FOLD_BYTES = 4 * 1024 ** 2

/**
 * Opens the store that keeps each graph in memory and in two files: a journal that every event is flushed to before
 * it is acknowledged, and a snapshot that the journal is folded into. Rejects with a `Refusal` when the folder is in
 * use or damaged.
 *
 * ```ts
 * const store = await openJsonStore({ folder: './data', now: () => new Date(), randomBytes, log })
 * ```
 */
export async function openJsonStore(options: JsonStoreOptions): Promise<JsonStore> {
  const { folder, log } = options
  const flushes = { count: 0 }
  const files = countingFlushes(options.files ?? nodeFiles, flushes)
  let lock: Lock | undefined
  let reason = ''
  try {
    await makeFolders(files, join(folder, 'graphs'))
    lock = await (options.lock ?? lockFolder)(folder, options.pid)
  } catch (error) {
    if (!isReadOnly(error) && !isFull(error)) throw error
    reason = isFull(error) ? 'the disk was full at the start' : 'the data folder is read-only'
    log.warn({ folder, err: error }, `Starting without writing: ${reason}.`)
  }
  try {
    if (lock !== undefined && (await scanManifest(files, folder)) === undefined)
      await Manifest.create(files, folder)
    const scan = await scanManifest(files, folder)
    const fence = () => lock?.held() ?? false
    if (scan !== undefined) await checkGraphs(files, folder, scan, log, lock !== undefined)
    const manifest = lock && scan ? await Manifest.open(files, fence, scan) : undefined
    if (manifest !== undefined && scan !== undefined) await tidy(files, folder, scan, log)
    const clean = files.identify(join(folder, CLEAN)) !== undefined
    if (lock !== undefined && clean) {
      await files.remove(join(folder, CLEAN))
      await flushedFolder(files, folder)
    }
    return createStore({
      options,
      files,
      flushes,
      fence,
      lock,
      manifest,
      reason,
      tookOver: !clean,
      graphs: scan?.graphs,
    })
  } catch (error) {
    await lock?.release()
    throw error
  }
}

/** Makes a folder and those above it so that a power cut does not take them away again, with all that is in them. */
async function makeFolders(files: Files, path: string): Promise<void> {
  const made: string[] = []
  for (let at = resolve(path); files.identify(at) === undefined && at !== dirname(at); at = dirname(at))
    made.push(at)
  await files.makeFolder(path)
  for (const folder of made) await flushedFolder(files, dirname(folder))
}

/**
 * Looks at every graph before the first one is served, so that damage stops the start and not a request, and cuts off
 * what was never acknowledged if the folder is ours to write to.
 */
async function checkGraphs(files: Files, folder: string, scan: ManifestScan, log: Logger, ours: boolean) {
  if (scan.ending.kind === 'torn')
    log.warn({ file: scan.path, offset: scan.size }, 'Cutting off an incomplete last record.')
  for (const [graph, name] of scan.graphs) {
    const home = { files, fence: () => false, graph, folder: join(folder, 'graphs', name) }
    const { journal } = await readGraph(home, () => undefined)
    if (journal.ending.kind !== 'torn') continue
    log.warn(
      { file: journalPath(home), offset: journal.size, bytes: journal.ending.bytes },
      'Cutting off an incomplete last record, which was never acknowledged.',
    )
    if (ours) await cutJournal(home, journal.size)
  }
}

/** Removes what a crash left behind: graphs that never came to be, and files that never got their name. */
async function tidy(files: Files, folder: string, scan: ManifestScan, log: Logger): Promise<void> {
  for (const name of scan.unfinished) {
    log.warn({ folder: name }, 'Removing a graph whose first event was never acknowledged.')
    await files.remove(join(folder, 'graphs', name))
  }
  for (const name of scan.graphs.values())
    for (const file of await files.list(join(folder, 'graphs', name)))
      if (file.endsWith('.tmp')) await files.remove(join(folder, 'graphs', name, file))
}

interface Parts {
  readonly options: JsonStoreOptions
  readonly files: Files
  readonly flushes: { readonly count: number }
  readonly fence: () => boolean
  readonly lock: Lock | undefined
  readonly manifest: Manifest | undefined
  readonly reason: string
  readonly tookOver: boolean
  readonly graphs: ReadonlyMap<GraphId, string> | undefined
}

function createStore({
  options,
  files,
  flushes,
  fence,
  lock,
  manifest,
  reason,
  tookOver,
  graphs,
}: Parts): JsonStore {
  const known = new Set(graphs?.keys())
  const shelf = new Shelf(options.memoryBudget ?? MEMORY_BUDGET)
  let health: Health = manifest === undefined ? { writable: false, reason } : { writable: true }
  let closed = false
  let folds = 0

  function failed(error: unknown): void {
    options.log.error({ err: error }, 'A write failed.')
    if (!(error instanceof Fatal) || !health.writable) return
    health = { writable: false, reason: error.message }
    options.onFatal?.(error)
  }

  function refuseUnlessWritable(): void {
    if (!health.writable)
      throw new Failure('storage_unavailable', `Nothing can be recorded: ${health.reason}`)
  }

  function around(graph: GraphId): Surroundings {
    return {
      chance: options,
      refuseUnlessWritable,
      failed,
      folded(details) {
        folds++
        options.log.info(details, 'Folded the journal into the snapshot.')
      },
      announce: {
        creating: async () => manifest?.creating(graph),
        async created() {
          await manifest?.created(graph)
          known.add(graph)
        },
      },
      tookOver,
      foldBytes: options.foldBytes ?? FOLD_BYTES,
    }
  }

  function keeperOf(graph: GraphId): Promise<Keeper> {
    if (closed) return Promise.reject(new Failure('storage_unavailable', 'The store is closed.'))
    return shelf.take(graph, async () => {
      const folder = join(options.folder, 'graphs', folderOf(graph))
      const home: GraphHome = { files, fence, graph, folder }
      if (!known.has(graph)) return Keeper.create(home, around(graph))
      try {
        return await Keeper.open(home, around(graph))
      } catch (error) {
        options.log.error({ graph, err: error }, 'A graph cannot be read.')
        throw new Failure('storage_unavailable', `The graph ${graph} cannot be read at the moment.`, {
          cause: error,
        })
      }
    })
  }

  async function read<T>(graphId: GraphId, answer: (graph: Graph) => T): Promise<T> {
    if (!closed && !known.has(graphId)) throw notFound(graphId)
    const keeper = await keeperOf(graphId)
    if (!keeper.exists) throw notFound(graphId)
    return answer(keeper.graph)
  }

  return {
    async append(graphId, events, at) {
      refuseUnlessWritable()
      for (;;) {
        const keeper = await keeperOf(graphId)
        // It may have been closed to make room between being found and being used.
        if (!shelf.isCurrent(graphId, keeper)) continue
        return keeper.append(events, at).finally(() => keeper.exists || shelf.trim())
      }
    },
    graphs: () => soon(),
    erase: () => soon(),
    exportGraph: () => soon(),
    importGraph: () => soon(),
    keys: {
      add: () => soon(),
      list: () => soon(),
      get: () => soon(),
      remove: () => soon(),
      find: () => soon(),
    },
    contextTypes: (graphId, paging) => read(graphId, (graph) => graph.contextTypes(paging)),
    contexts: (graphId, type, paging) => read(graphId, (graph) => graph.contexts(type, paging)),
    searchContexts: (graphId, query, paging) => read(graphId, (graph) => graph.searchContexts(query, paging)),
    context: (graphId, id) => read(graphId, (graph) => graph.context(id)),
    contextMemories: (graphId, id, paging) => read(graphId, (graph) => graph.contextMemories(id, paging)),
    relationships: (graphId, id, filter) => read(graphId, (graph) => graph.relationships(id, filter)),
    memory: (graphId, id) => read(graphId, (graph) => graph.memory(id)),
    retrieve: (graphId, retrieval) => read(graphId, (graph) => graph.retrieve(retrieval)),
    latest: (graphId, scope, limit) => read(graphId, (graph) => graph.latest(scope, limit)),
    weigh: (graphId, terms) => read(graphId, (graph) => graph.weigh(terms)),
    neighbours: (graphId, ids) => read(graphId, (graph) => graph.neighbours(ids)),
    health: () => health,
    stats: () => ({ graphs: known.size, openGraphs: shelf.size, flushes: flushes.count, folds }),
    async close() {
      if (closed) return
      closed = true
      await shelf.closeAll()
      await manifest?.close()
      if (lock?.held() && health.writable) await markClean(files, options.folder)
      await lock?.release()
    },
  }
}

/** Without the mark the next start takes more care, and no harm is done. */
async function markClean(files: Files, folder: string): Promise<void> {
  try {
    await (await files.openToAppend(join(folder, CLEAN), true)).close()
  } catch {
    return
  }
}

function notFound(graphId: GraphId): Failure {
  return new Failure('graph_not_found', `There is no graph ${graphId}. Record an event in it first.`)
}

function soon(): Promise<never> {
  return Promise.reject(new Failure('not_implemented', 'Not implemented yet.'))
}
