import type { ClockAndRandom } from '../domain/clock-and-random.js'
import type { PastEvent } from '../domain/events/recording.js'
import { Failure, graphExists, graphNotFound, noGraphYet, storeClosed } from '../domain/failure.js'
import type { GraphId } from '../domain/model.js'
import { NO_PAUSE, type Pause } from '../domain/search/knowledge.js'
import { TextCache } from '../domain/text-cache.js'
import { presentOf, readerAt } from '../graph/answers.js'
import type { Graph } from '../graph/graph.js'
import { IndexBehind } from '../graph/indexes.js'
import { nextTurn } from '../loop/next-turn.js'
import { createYielding, type Turn } from '../loop/yielding.js'
import { Feeds } from '../store/feeds.js'
import type { Health } from '../store/health.js'
import type { KeyStore } from '../store/key-store.js'
import type { Logger } from '../store/logger.js'
import type { Meaning } from '../store/meaning.js'
import type { EventPath, Store } from '../store/store.js'
import { ClockWatch } from './clock-watch.js'
import { EmbeddingQueue } from './embedding.js'
import { type GraphLog, type Head, isSame, isUnerased } from './graph-log.js'
import type { OpenGraph, OpenGraphPorts } from './open-graph.js'
import { OpenGraphs, type OpenGraphsStats } from './open-graphs.js'
import { ChangedMeanwhile, exportOf, importOf, streamedExportOf } from './transfer.js'

export interface LogStoreOptions extends ClockAndRandom {
  readonly log: GraphLog
  readonly keys: KeyStore
  readonly health: () => Health
  readonly logger: Logger
  /** A cache that erasures clear. Pass the cache that the insight engine uses. */
  readonly texts?: TextCache | undefined
  /** Embeds memories in the background; without it, none are embedded. */
  readonly meaning?: Meaning | undefined
  /** The longest that a question waits for memories to be embedded, in milliseconds. */
  readonly patienceMs?: number | undefined
  /** When a question may go on after some milliseconds of work. Defaults to the next turn of the event loop. */
  readonly turn?: Turn | undefined
  /** The maximum memory of open graphs, in bytes. */
  readonly memoryBudget?: number | undefined
}

export interface LogStore extends Store {
  health(): Health
  stats(): OpenGraphsStats
}

const DEFAULT_MEMORY_BYTES = 1024 ** 3
/**
 * A running question may cache a text again after an erasure cleared the cache. Texts that are not used during a whole interval
 * are dropped, so an erased text stays in the cache for at most two intervals.
 */
const FORGET_MS = 60_000
/** How often the heads of followed graphs are read. */
const FEED_MS = 250
/** How many statements from memory are yielded at once. */
const RECENT_AT_ONCE = 64

/** Thrown to a question if the graph changed during one of its pauses. */
class GraphChanged extends Error {}

/**
 * The store over a log: every answer comes from a graph in memory that follows the log.
 *
 * ```ts
 * const { log, keys, health } = await openFileLog({ folder: './data', … })
 * const store = openLogStore({ log, keys, health, now: () => new Date(), randomBytes, logger })
 * ```
 */
export function openLogStore(options: LogStoreOptions): LogStore {
  const {
    log,
    keys,
    health,
    logger,
    texts = new TextCache(),
    meaning,
    memoryBudget = DEFAULT_MEMORY_BYTES,
  } = options
  const feeds = new Feeds()
  const embedding = meaning && new EmbeddingQueue(meaning, logger, options.patienceMs)
  const closing = new AbortController()
  const refuseIfClosed = () => closing.signal.throwIfAborted()
  const refuseUnlessWritable = () => {
    refuseIfClosed()
    const state = health()
    if (!state.writable) throw new Failure('storage_unavailable', `Nothing can be recorded: ${state.reason}`)
  }
  const clock = new ClockWatch(options.now, logger)
  const ports: OpenGraphPorts = {
    ...{ log, texts, logger, feeds, embedding, clock, refuseUnlessWritable },
    clockAndRandom: { now: clock.now, randomBytes: options.randomBytes },
  }
  const graphs = new OpenGraphs(ports, memoryBudget)
  const imports = new Set<Promise<unknown>>()
  const forgetting = setInterval(() => texts.age(), FORGET_MS).unref()
  const following = setInterval(() => void followFeeds(), FEED_MS).unref()
  let isFollowing = false
  let followedHeads: ReadonlyMap<GraphId, Head> = new Map()

  /** Opens an existing graph that includes everything recorded when this was called. */
  async function openExisting(graphId: GraphId, mustOpen = false): Promise<OpenGraph> {
    for (;;) {
      refuseIfClosed()
      if (graphs.find(graphId) === undefined && (await log.head(graphId)) === undefined)
        throw graphNotFound(graphId)
      const open = await graphs.take(graphId, mustOpen)
      await open.follow()
      if (open.changing !== undefined) await open.changing
      // The graph may have been closed meanwhile to free memory.
      if (open.changing !== undefined || !graphs.isCurrent(open)) continue
      if (open.exists) return open
      graphs.trim()
      throw graphNotFound(graphId)
    }
  }

  /**
   * Asks a question. Entries are applied in other tasks of the event loop, so a question that does not pause sees an unchanged
   * graph. If the graph changed during a pause, the question is asked again and may not pause. If it needs the word index and
   * that is behind, it is asked again once the index has caught up.
   */
  async function ask<T>(graphId: GraphId, question: (graph: Graph, pause: Pause) => Promise<T>): Promise<T> {
    let mayPause = true
    for (;;) {
      const open = await openExisting(graphId)
      const { graph } = open
      open.indexIfDue()
      try {
        return await question(graph, mayPause ? pauseFor(open) : NO_PAUSE)
      } catch (error) {
        if (error instanceof IndexBehind) await graph.indexes.caughtUp()
        else if (error instanceof GraphChanged) mayPause = false
        else throw error
      }
    }
  }

  function pauseFor(open: OpenGraph): Pause {
    const { version } = open
    const yielding = createYielding(options.turn)
    return () =>
      yielding()?.then(() => {
        if (!graphs.isCurrent(open) || !open.isStill(version)) throw new GraphChanged()
      })
  }

  /** Runs `work` with a graph to write to, which need not exist yet. */
  async function openToWrite<T>(graphId: GraphId, work: (open: OpenGraph) => Promise<T>): Promise<T> {
    for (;;) {
      refuseIfClosed()
      const open = await graphs.take(graphId)
      if (!graphs.isCurrent(open)) continue
      // The graph is idle only in the next turn.
      return work(open).finally(() => void nextTurn().then(() => graphs.trim()))
    }
  }

  /** The log creates nothing before the first events have arrived. */
  async function importGraph(
    graphId: GraphId,
    events: AsyncGenerator<readonly PastEvent[]>,
    at: EventPath,
  ): Promise<{ readonly events: number; readonly memories: number }> {
    try {
      const first = await events.next()
      const all = (async function* () {
        if (!first.done) yield first.value
        yield* events
      })()
      const { copy, events: count } = await importOf(graphId, all, at, ports)
      await graphs.adopt(graphId, copy)
      return { events: count, memories: copy.graph.memoryCount }
    } finally {
      await events.return(undefined)
    }
  }

  /** Detects writes of other processes to followed graphs. Reads all heads at once, and opens no graph. */
  async function followFeeds(): Promise<void> {
    if (isFollowing || feeds.graphs.length === 0) return
    isFollowing = true
    try {
      const followed = feeds.graphs
      const heads = await log.heads(followed)
      for (const graphId of followed) {
        const before = followedHeads.get(graphId)
        const head = heads.get(graphId)
        if (before !== undefined && isSame(before, head)) continue
        const open = graphs.find(graphId)
        if (open !== undefined) await open.follow()
        else if (before === undefined ? head === undefined : !isUnerased(before, head)) feeds.over(graphId)
        else feeds.recorded(graphId)
      }
      followedHeads = heads
    } catch (error) {
      // The next round tries again.
      logger.warn({ err: error }, 'The heads of followed graphs cannot be read.')
    } finally {
      isFollowing = false
    }
  }

  return {
    read: (graphId, question, validAt) =>
      ask(graphId, (graph, pause) => question(presentOf(graph, clock.now().toISOString(), validAt), pause)),
    readAt: (graphId, when, question) =>
      ask(graphId, (graph, pause) => {
        const then = readerAt(graph, when, clock.now().toISOString())
        if (then === undefined) throw noGraphYet(graphId)
        return question(then, pause)
      }),
    async append(graphId, events, at, once) {
      refuseUnlessWritable()
      return openToWrite(graphId, (open) => {
        graphs.refuseIfFull(open)
        return open.append(events, at, once)
      }).finally(() => feeds.recorded(graphId))
    },
    dryRun: (graphId, event, at) => openToWrite(graphId, (open) => open.dryRun(event, at)),
    async graphs(reach, paging) {
      refuseIfClosed()
      return log.graphs(reach, paging)
    },
    async caughtUp(graphId, waiter) {
      refuseIfClosed()
      if (embedding === undefined) return
      // If the graph cannot be opened, the question itself reports it.
      const open = await openExisting(graphId).catch(() => undefined)
      if (open !== undefined) await embedding.caughtUp(open.graph, waiter)
    },
    async unread(graphIds = [...graphs.graphIds()]) {
      refuseIfClosed()
      const counts = graphIds.map((graphId) => [graphId, graphs.find(graphId)?.graph.unread() ?? 0] as const)
      return new Map(counts.filter(([, count]) => count > 0))
    },
    async erase(graphId, what, { dryRun }) {
      await openExisting(graphId, true)
      return openToWrite(graphId, (open) => open.erase(what, dryRun))
    },
    async exportGraph(graphId, part = {}) {
      const open = await openExisting(graphId).catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'graph_too_large') return undefined
        throw error
      })
      return open === undefined ? streamedExportOf(graphId, log, part) : exportOf(open, log, part)
    },
    async *statements(graphId, after) {
      const open = await openExisting(graphId)
      // Only followed graphs keep their latest records in memory.
      const recent = feeds.isFollowed(graphId) ? open.recentAfter(after) : undefined
      if (recent === undefined) {
        yield* untilChanged(exportOf(open, log, { after }).events)
        return
      }
      const { graph } = open
      for (let i = 0; i < recent.length && graph === open.graph; i += RECENT_AT_ONCE)
        yield recent.slice(i, i + RECENT_AT_ONCE).map((record) => graph.pastEvent(record))
    },
    follow: (graphId) => feeds.follow(graphId, async () => (await openExisting(graphId)).graph.lastPlace),
    async importGraph(graphId, events, at) {
      refuseUnlessWritable()
      if ((await log.head(graphId)) !== undefined) throw graphExists(graphId)
      const importing = importGraph(graphId, untilAborted(events, closing.signal), at)
      imports.add(importing)
      return importing.finally(() => imports.delete(importing))
    },
    keys,
    health,
    stats: () => graphs.stats(),
    async close() {
      if (closing.signal.aborted) return
      closing.abort(storeClosed())
      clearInterval(forgetting)
      clearInterval(following)
      feeds.close()
      await Promise.allSettled(imports)
      embedding?.stop()
      await graphs.close().finally(() => log.close())
    },
  }
}

/** The same items, but ends without an error if something was erased meanwhile: a feed continues from there. */
async function* untilChanged<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
  }
}

/** The same items. Rejects when the signal is aborted, even while it waits for the next item. */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const source = items[Symbol.asyncIterator]()
  let abort: () => void = () => undefined
  const onAbort = () => abort()
  signal.addEventListener('abort', onAbort)
  try {
    for (;;) {
      signal.throwIfAborted()
      // Not `Promise.race` with one long-lived promise, which would keep every page in memory.
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        abort = () => reject(signal.reason)
        source.next().then(resolve, reject)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited: `return` would wait for a pending `next` of the source.
    source.return?.().catch(() => undefined)
  }
}
