import { basename } from 'node:path'
import type { PastEvent } from '../../../domain/events/recording.js'
import { graphExists, noGraphYet } from '../../../domain/failure.js'
import type { GraphId } from '../../../domain/model.js'
import type { EventRecord } from '../../../graph/records.js'
import { NOW } from '../../../graph/rows.js'
import { createYielding } from '../../../loop/yielding.js'
import type { EventPath, ExportPart, GraphExport } from '../../../store/store.js'
import type { Feeds } from '../../feeds.js'
import { rebuildFrom } from '../changes/import.js'
import { isFatal, toFailure } from '../disk/errors.js'
import type { StoreHealth } from '../disk/health.js'
import { abandonFolder } from '../graph-files/abandon.js'
import { closeGraph } from '../open-graph/open-graph.js'
import { rebuild } from '../open-graph/rebuild.js'
import { exportPages } from './export-pages.js'
import type { Graphs } from './graphs.js'
import { Histories } from './histories.js'

/** How many statements are given at once from memory. */
const AT_ONCE = 64

/** The cause is what the events of an import ended in. */
class SourceFailed extends Error {}

/** Exports and imports under way. */
export class Transfers {
  readonly #graphs: Graphs
  readonly #health: StoreHealth
  readonly #feeds: Feeds
  readonly #leaving = new Histories()
  readonly #arriving = new Set<Promise<unknown>>()
  readonly #stops = new Set<() => void>()

  constructor(graphs: Graphs, health: StoreHealth, feeds: Feeds) {
    this.#graphs = graphs
    this.#health = health
    this.#feeds = feeds
  }

  /** Of followers that keep up, no file is read. */
  async *statements(graphId: GraphId, after: number): AsyncGenerator<readonly PastEvent[]> {
    const { graph, recent } = await this.#graphs.ask(graphId, async (owner) => ({
      graph: owner.graph,
      // Only a graph that is followed keeps its latest records.
      recent: owner.exists && this.#feeds.isFollowed(graphId) ? owner.recentAfter(after) : undefined,
    }))
    if (recent === undefined) yield* (await this.export(graphId, { after })).events
    else
      for (let i = 0; i < recent.length; i += AT_ONCE)
        yield recent.slice(i, i + AT_ONCE).map((record) => graph.pastEvent(record))
  }

  async export(graphId: GraphId, { after = 0, asOf }: ExportPart): Promise<GraphExport> {
    const { graph, parts, close } = await this.#graphs.ask(graphId, (owner) => this.#leaving.take(owner))
    const last = Math.min(graph.lastPlace, asOf === undefined ? NOW : graph.placeOf(asOf))
    if (asOf !== undefined && graph.at(asOf) === undefined) {
      await close()
      throw noGraphYet(graphId)
    }
    // A place is at least its number, but for one that a rewritten graph ends with, and the distance only grows.
    const unneeded = after - (graph.lastPlace - graph.lastSeq + 1)
    const health = this.#health
    const sizeOf = ({ id }: EventRecord) => graph.rows.get(id).payload.length
    const events = (async function* () {
      const yielding = createYielding()
      try {
        for await (const page of exportPages(parts, unneeded, sizeOf)) {
          const part = page.filter(({ place }) => place > after && place <= last)
          health.refuseIfClosed()
          if (part.length > 0) yield part.map((record) => graph.pastEvent(record))
          if ((page.at(-1)?.place ?? 0) > last) return
          const turn = yielding()
          if (turn !== undefined) await turn
        }
      } finally {
        await close()
      }
    })()
    return { latestAt: graph.latestAt(last), events, close }
  }

  import(
    graphId: GraphId,
    events: AsyncIterable<readonly PastEvent[]>,
    at: EventPath,
  ): Promise<{ readonly events: number; readonly memories: number }> {
    const done = this.#import(graphId, this.#untilStopped(events), at).catch((error: unknown) => {
      if (error instanceof SourceFailed) throw error.cause
      throw toFailure(error)
    })
    this.#arriving.add(done)
    return done.finally(() => this.#arriving.delete(done))
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
    await Promise.allSettled(this.#arriving)
    await this.#leaving.close()
  }

  /**
   * The graph is written in a folder of its own while other writes go on: only at the end is it made the graph of that
   * name, if there is none by then.
   */
  async #import(graphId: GraphId, events: AsyncGenerator<readonly PastEvent[]>, at: EventPath) {
    this.#health.refuseUnlessWritable()
    if (this.#graphs.has(graphId)) throw graphExists(graphId)
    try {
      return await this.#make(graphId, await begun(events), at)
    } finally {
      await events.return(undefined)
    }
  }

  async #make(graphId: GraphId, events: AsyncIterable<readonly PastEvent[]>, at: EventPath) {
    const ports = this.#graphs.portsOf(graphId)
    const home = this.#graphs.newHome(graphId)
    await ports.announce.creating(basename(home.folder))
    let counts = { events: 0, memories: 0 }
    const openGraph = await rebuild(home, ports, async (into) => {
      counts = await rebuildFrom(into, events, at)
    })
    try {
      await this.#graphs.use(graphId, (owner) => owner.adopt(openGraph))
      return counts
    } catch (error) {
      await closeGraph(openGraph, ports)
      if (!isFatal(error)) await abandonFolder(home, ports)
      throw error
    }
  }

  /** The same events until the store is closed. An error they end in is told from those of the disk. */
  async *#untilStopped<T>(events: AsyncIterable<T>): AsyncGenerator<T> {
    const source = events[Symbol.asyncIterator]()
    let stop: () => void = () => undefined
    const stopped = () => stop()
    this.#stops.add(stopped)
    try {
      for (;;) {
        // It may have been closed while the last ones were taken in, when there was nothing to stop.
        this.#health.refuseIfClosed()
        // Not a race with a promise that outlives it, which would keep what each race was won with.
        const next = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
          stop = () => resolve(undefined)
          source
            .next()
            .then(resolve, (cause: unknown) =>
              reject(new SourceFailed('The events ended in an error.', { cause })),
            )
        })
        this.#health.refuseIfClosed()
        if (next === undefined || next.done) return
        yield next.value
      }
    } finally {
      this.#stops.delete(stopped)
      // Not waited for: a source that is still asked for more answers that first.
      source.return?.().catch(() => undefined)
    }
  }
}

/** The same once the first has come, so that nothing is made for a caller who sends none. */
async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  const first = await items.next()
  return (async function* () {
    for (let next = first; !next.done; next = await items.next()) yield next.value
  })()
}
