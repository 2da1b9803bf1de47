import type { GraphId } from '../../../domain/model.js'
import type { GraphOwner } from './graph-owner.js'

/** Files that may be open at once for graphs: well below what a process is usually allowed. */
const MOST_GRAPHS = 200

/** The graphs that are open. Those that were not used for longest make room when memory is short. */
export class OpenGraphsLru {
  readonly #budget: number
  readonly #keepers = new Map<GraphId, Promise<GraphOwner>>()
  readonly #open = new Map<GraphId, GraphOwner>()

  constructor(budget: number) {
    this.#budget = budget
  }

  get size(): number {
    return this.#open.size
  }

  /** The keeper of a graph; `open` is called if there is none yet, and not twice at once. */
  take(graph: GraphId, open: () => Promise<GraphOwner>): Promise<GraphOwner> {
    let keeper = this.#keepers.get(graph)
    if (keeper === undefined) {
      keeper = open().then((opened) => {
        this.#open.set(graph, opened)
        this.trim(graph)
        return opened
      })
      keeper.catch(() => this.#keepers.delete(graph))
    }
    this.#keepers.delete(graph)
    this.#keepers.set(graph, keeper)
    return keeper
  }

  /** Is this the keeper that the graph has now? */
  isCurrent(graph: GraphId, keeper: GraphOwner): boolean {
    return this.#open.get(graph) === keeper
  }

  /** Closes what is in nobody's way least, until the rest fits; `except` stays. */
  trim(except?: GraphId): void {
    let used = 0
    for (const keeper of this.#open.values()) used += keeper.footprint
    for (const graph of this.#keepers.keys()) {
      const keeper = this.#open.get(graph)
      if (keeper === undefined || graph === except || !keeper.idle) continue
      if (keeper.exists && used <= this.#budget && this.#open.size <= MOST_GRAPHS) continue
      used -= keeper.footprint
      this.#keepers.delete(graph)
      this.#open.delete(graph)
      // Nothing is in flight, so that closing can fail only to close.
      keeper.close().catch(() => undefined)
    }
  }

  async closeAll(): Promise<void> {
    const opened = await Promise.allSettled(this.#keepers.values())
    for (const keeper of opened) if (keeper.status === 'fulfilled') await keeper.value.close()
    this.#keepers.clear()
    this.#open.clear()
  }
}
