import { basename } from 'node:path'
import type { PastEvent } from '../../../domain/events/recording.js'
import { graphExists, graphNotFound } from '../../../domain/failure.js'
import type { GraphId } from '../../../domain/model.js'
import type { AsOf } from '../../../domain/time.js'
import type { EventPath, GraphExport } from '../../store.js'
import { rebuildFrom } from '../changes/import.js'
import { isFatal, toFailure } from '../disk/errors.js'
import type { StoreHealth } from '../disk/health.js'
import { abandonFolder } from '../graph-files/abandon.js'
import type { GraphHistory } from '../graph-files/history.js'
import { isEvent } from '../log/records.js'
import { closeGraph } from '../open-graph/open-graph.js'
import { rebuild } from '../open-graph/rebuild.js'
import { NOW } from '../rows/moment.js'
import type { Graphs } from './graphs.js'

/** The cause is what the events of an import ended in. */
class SourceFailed extends Error {}

/** Exports and imports under way. */
export class Transfers {
  readonly #graphs: Graphs
  readonly #health: StoreHealth
  readonly #leaving = new Set<GraphHistory>()
  readonly #arriving = new Set<Promise<unknown>>()
  #stop: () => void = () => undefined
  readonly #stopped = new Promise<void>((resolve) => {
    this.#stop = resolve
  })

  constructor(graphs: Graphs, health: StoreHealth) {
    this.#graphs = graphs
    this.#health = health
  }

  async export(graphId: GraphId, asOf?: AsOf): Promise<GraphExport> {
    const { graph, records } = await this.#graphs.ask(graphId, (owner) => owner.past())
    const place = Math.min(graph.lastPlace, asOf === undefined ? NOW : graph.placeOf(asOf))
    if (asOf !== undefined && graph.at(asOf) === undefined) {
      await records.close()
      throw graphNotFound(graphId)
    }
    this.#leaving.add(records)
    const health = this.#health
    const ended = () => {
      this.#leaving.delete(records)
      return records.close()
    }
    const events = (async function* () {
      try {
        for await (const frames of records.frames()) {
          health.refuseIfClosed()
          const past = frames.flatMap((frame) => frame.records.filter(isEvent))
          const then = past.filter((record) => record.place <= place)
          if (then.length > 0) yield then.map((record) => graph.pastEvent(record))
          if (then.length < past.length) return
        }
      } finally {
        await ended()
      }
    })()
    return { latestAt: graph.latestAt(place), events }
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
    this.#stop()
    await Promise.allSettled(this.#arriving)
    for (const records of this.#leaving) await records.close()
  }

  /**
   * The graph is written in a folder of its own while other writes go on: only at the end is it made the graph of that
   * name, if there is none by then.
   */
  async #import(graphId: GraphId, events: AsyncIterable<readonly PastEvent[]>, at: EventPath) {
    this.#health.refuseUnlessWritable()
    if (this.#graphs.has(graphId)) throw graphExists(graphId)
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
    const failed = (error: unknown) => {
      throw new SourceFailed('The events ended in an error.', { cause: error })
    }
    try {
      for (;;) {
        const next = await Promise.race([source.next().catch(failed), this.#stopped])
        this.#health.refuseIfClosed()
        if (next === undefined || next.done) return
        yield next.value
      }
    } finally {
      // Not waited for: a source that is still asked for more answers that first.
      source.return?.().catch(() => undefined)
    }
  }
}
