import type { GraphId } from '../../../domain/model.js'
import type { GraphOwner } from './graph-owner.js'

/** Each has two files open at most, its journal and its vectors: well below what a process is usually allowed. */
const MOST_GRAPHS = 200

/** The open graphs. The least recently used ones are closed when memory is short. */
export class OpenGraphsLru {
  readonly #budget: number
  readonly #owners = new Map<GraphId, Promise<GraphOwner>>()
  readonly #open = new Map<GraphId, GraphOwner>()
  /** Those that are being closed to make room: a graph is opened again only when it is closed. */
  readonly #closing = new Map<GraphId, Promise<void>>()

  constructor(budget: number) {
    this.#budget = budget
  }

  get size(): number {
    return this.#open.size
  }

  /** The owner of a graph; `open` is called if there is none yet, and not twice at once. */
  take(graph: GraphId, open: () => Promise<GraphOwner>): Promise<GraphOwner> {
    let owner = this.#owners.get(graph)
    if (owner === undefined) {
      const closed = this.#closing.get(graph)
      owner = (closed === undefined ? open() : closed.then(open)).then((opened) => {
        this.#open.set(graph, opened)
        this.trim(graph)
        return opened
      })
      owner.catch(() => this.#owners.delete(graph))
    }
    this.#owners.delete(graph)
    this.#owners.set(graph, owner)
    return owner
  }

  /** The owner of a graph that is open. */
  find(graph: GraphId): GraphOwner | undefined {
    return this.#open.get(graph)
  }

  graphs(): Iterable<GraphId> {
    return this.#open.keys()
  }

  /** Is this the owner that the graph has now? */
  isCurrent(graph: GraphId, owner: GraphOwner): boolean {
    return this.#open.get(graph) === owner
  }

  /** Closes least recently used idle graphs until the rest fit the budget; `except` stays open. */
  trim(except?: GraphId): void {
    let used = 0
    for (const owner of this.#open.values()) used += owner.footprint
    for (const graph of this.#owners.keys()) {
      const owner = this.#open.get(graph)
      if (owner === undefined || graph === except || !owner.idle) continue
      if (owner.exists && used <= this.#budget && this.#open.size <= MOST_GRAPHS) continue
      used -= owner.footprint
      this.#owners.delete(graph)
      this.#open.delete(graph)
      // Nothing is in flight, so that closing can fail only to close.
      const closed = owner.close().catch(() => undefined)
      this.#closing.set(
        graph,
        closed.then(() => void this.#closing.delete(graph)),
      )
    }
  }

  async closeAll(): Promise<void> {
    const opened = await Promise.allSettled(this.#owners.values())
    for (const owner of opened) if (owner.status === 'fulfilled') await owner.value.close()
    await Promise.all(this.#closing.values())
    this.#owners.clear()
    this.#open.clear()
  }
}
