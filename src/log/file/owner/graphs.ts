import { join } from 'node:path'
import { Failure, graphNotFound, noGraphYet } from '../../../domain/failure.js'
import type { GraphId } from '../../../domain/model.js'
import { byCodeUnit } from '../../../domain/names.js'
import { type Page, type Paging, pageOf } from '../../../domain/page.js'
import { NO_PAUSE, type Pause } from '../../../domain/search/knowledge.js'
import type { TextCache } from '../../../domain/text-cache.js'
import type { AsOf } from '../../../domain/time.js'
import { IndexBehind } from '../../../graph/indexes.js'
import { createYielding } from '../../../loop/yielding.js'
import type { Waiter } from '../../../store/meaning.js'
import type { Ask, GraphReader, PresentReader } from '../../../store/store.js'
import { MeaningReader } from '../../embedding.js'
import { folderOf, nextFolder } from '../data-folder/folder-names.js'
import type { Manifest } from '../data-folder/manifest.js'
import type { Files } from '../disk/files.js'
import type { StoreHealth } from '../disk/health.js'
import type { Fence } from '../disk/lock.js'
import type { GraphHome } from '../graph-files/journal.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { GraphOwner } from './graph-owner.js'
import { OpenGraphsLru } from './open-graphs-lru.js'
import type { JsonStoreOptions } from './options.js'

/** What the graphs of a data folder share. */
interface GraphsParts {
  readonly options: JsonStoreOptions
  readonly health: StoreHealth
  readonly files: Files
  readonly fence: Fence
  readonly texts: TextCache
  readonly manifest: Manifest | undefined
  /** Its number. */
  readonly owner: number
  /** The folder of each graph. */
  readonly known: ReadonlyMap<GraphId, string>
}

const MEMORY_BUDGET = 1024 ** 3
const COMPACT_BYTES = 4 * 1024 ** 2

const MUST_EXIST = true

/** Thrown to a question that paused. */
class MomentPassed extends Error {}

/** The graphs of a data folder: which exist, and the owner of each open one. */
export class Graphs {
  readonly #parts: GraphsParts
  /** The folder of each graph that exists. */
  readonly #known: Map<GraphId, string>
  readonly #open: OpenGraphsLru
  readonly #reader: MeaningReader | undefined
  #compactions = 0

  constructor(parts: GraphsParts) {
    this.#parts = parts
    this.#known = new Map(parts.known)
    const { meaning, log, memoryBudget = MEMORY_BUDGET } = parts.options
    this.#open = new OpenGraphsLru(memoryBudget)
    this.#reader = meaning && new MeaningReader(meaning, log)
  }

  stats(): { readonly graphs: number; readonly openGraphs: number; readonly compactions: number } {
    return { graphs: this.#known.size, openGraphs: this.#open.size, compactions: this.#compactions }
  }

  has(graph: GraphId): boolean {
    return this.#known.has(graph)
  }

  list(reach: readonly GraphId[] | undefined, paging: Paging): Page<GraphId> {
    const wanted =
      reach === undefined ? [...this.#known.keys()] : [...new Set(reach)].filter((graph) => this.has(graph))
    return pageOf(wanted.sort(byCodeUnit), paging)
  }

  /**
   * Asks a graph that exists. Its records are applied in tasks of the event loop that `ask`, which awaits nothing but
   * the graph, does not give way to unless it pauses. A question during whose pause the graph changed is asked again,
   * without pausing; one that needs an index of words which is behind, once that has caught up, in slices.
   */
  read<T>(graph: GraphId, ask: Ask<PresentReader, T>): Promise<T> {
    return this.#read(graph, (current, pause) => ask(current.now, pause))
  }

  /** The same of a graph as it was. */
  readAt<T>(graph: GraphId, asOf: AsOf, ask: Ask<GraphReader, T>): Promise<T> {
    return this.#read(graph, (current, pause) => {
      const then = current.at(asOf)
      if (then === undefined) throw noGraphYet(graph)
      return ask(then, pause)
    })
  }

  async #read<T>(graph: GraphId, ask: Ask<GraphOwner['graph'], T>): Promise<T> {
    let mayPause = true
    for (;;) {
      const owner = await this.#ownerOf(graph, MUST_EXIST)
      if (owner.changing !== undefined) {
        await owner.changing
        continue
      }
      if (!owner.exists) throw graphNotFound(graph)
      const current = owner.graph
      owner.indexIfDue()
      try {
        return await ask(current, mayPause ? this.#pausing(graph, owner) : NO_PAUSE)
      } catch (error) {
        if (error instanceof IndexBehind) await current.indexes.caughtUp()
        else if (error instanceof MomentPassed) mayPause = false
        else throw error
      }
    }
  }

  /** Rejects when the graph is not as it was any more. */
  #pausing(graph: GraphId, owner: GraphOwner): Pause {
    const { version } = owner
    const yielding = createYielding(this.#parts.options.turn)
    return () =>
      yielding()?.then(() => {
        if (!this.#open.isCurrent(graph, owner) || !owner.isStill(version)) throw new MomentPassed()
      })
  }

  /** Calls `use` with the owner of a graph that exists. */
  ask<T>(graph: GraphId, use: (owner: GraphOwner) => Promise<T>): Promise<T> {
    return this.#use(graph, use, MUST_EXIST)
  }

  /** Calls `use` with the owner of a graph, though the graph may not exist. */
  use<T>(graph: GraphId, use: (owner: GraphOwner) => Promise<T>): Promise<T> {
    return this.#use(graph, use, !MUST_EXIST)
  }

  /** As `Store.caughtUp`. That the graph is not there or cannot be opened is for the question itself to find. */
  async caughtUp(graph: GraphId, waiter?: Waiter): Promise<void> {
    const reader = this.#reader
    if (reader === undefined) return
    await this.ask(graph, (owner) => reader.caughtUp(owner.graph, waiter)).catch(() => undefined)
  }

  /** As `Store.unread`: of the open graphs. */
  unread(graphs: Iterable<GraphId> = this.#open.graphs()): ReadonlyMap<GraphId, number> {
    const counts = Array.from(
      graphs,
      (graph) => [graph, this.#open.find(graph)?.graph.unread() ?? 0] as const,
    )
    return new Map(counts.filter(([, count]) => count > 0))
  }

  close(): Promise<void> {
    this.#reader?.stop()
    return this.#open.closeAll()
  }

  /** A folder for a graph that is rewritten. */
  newHome(graph: GraphId): GraphHome {
    const { options, owner } = this.#parts
    return this.#homeIn(graph, nextFolder(graph, this.#known.get(graph), owner, options.randomBytes(4)))
  }

  portsOf(graph: GraphId): GraphPorts {
    const { options, health, texts, manifest, owner } = this.#parts
    return {
      clockAndRandom: options,
      texts,
      reader: this.#reader,
      refuseUnlessWritable: () => health.refuseUnlessWritable(),
      isWritable: () => health.current.writable,
      failed: (error) => health.failed(error),
      compacted: (details) => {
        this.#compactions++
        options.log.info(details, 'Compacted the journal into the snapshot.')
      },
      announce: {
        creating: async (folder) => manifest?.add('creating', graph, folder),
        created: async (folder) => {
          await manifest?.add('created', graph, folder)
          this.#known.set(graph, folder)
        },
        deleted: async (folder) => {
          await manifest?.add('deleted', graph, folder)
          this.#known.delete(graph)
        },
        removed: async (folder) => manifest?.forget(graph, folder),
      },
      owner,
      compactBytes: options.compactBytes ?? COMPACT_BYTES,
    }
  }

  async #use<T>(graph: GraphId, use: (owner: GraphOwner) => Promise<T>, mustExist: boolean): Promise<T> {
    for (;;) {
      const owner = await this.#ownerOf(graph, mustExist)
      // The owner may have been closed to make room between being found and being used.
      if (!this.#open.isCurrent(graph, owner)) continue
      if (mustExist && owner.changing !== undefined) {
        await owner.changing
        continue
      }
      return use(owner).finally(() => owner.exists || this.#open.trim())
    }
  }

  async #ownerOf(graph: GraphId, mustExist: boolean): Promise<GraphOwner> {
    const { health, options, owner } = this.#parts
    health.refuseIfClosed()
    if (mustExist && !this.has(graph)) throw graphNotFound(graph)
    return this.#open.take(graph, async () => {
      const folder = this.#known.get(graph)
      if (folder === undefined)
        return GraphOwner.create(this.#homeIn(graph, folderOf(graph, owner)), this.portsOf(graph))
      try {
        return await GraphOwner.open(this.#homeIn(graph, folder), this.portsOf(graph))
      } catch (error) {
        options.log.error({ graph, err: error }, 'A graph cannot be read.')
        throw new Failure('storage_unavailable', `The graph ${graph} cannot be read at the moment.`, {
          cause: error,
        })
      }
    })
  }

  #homeIn(graph: GraphId, name: string): GraphHome {
    const { files, fence, options } = this.#parts
    return { files, fence, graph, folder: join(options.folder, 'graphs', name) }
  }
}
