import type { Graph } from '../../../graph/graph.js'
import type { GraphHistory } from '../graph-files/history.js'
import { HistoryParts } from './export-pages.js'
import type { GraphOwner } from './graph-owner.js'

interface Shared {
  readonly history: GraphHistory
  readonly parts: HistoryParts
  users: number
}

/** A graph and all its records as they were at one moment; to be closed by whoever took it. */
export interface Past {
  readonly graph: Graph
  readonly parts: HistoryParts
  close(): Promise<void>
}

/** The histories that exports read: those that begin at the same moment of a graph share one, and what was decoded of it. */
export class Histories {
  readonly #open = new Set<Shared>()
  readonly #latest = new WeakMap<Graph, Shared>()

  async take(owner: GraphOwner): Promise<Past> {
    const known = this.#latest.get(owner.graph)
    if (known !== undefined && known.users > 0 && owner.isAt(known.history.lastSeq)) {
      known.users++
      return this.#use(owner.graph, known)
    }
    const { graph, history } = await owner.past()
    const shared = { history, parts: new HistoryParts(history), users: 1 }
    this.#open.add(shared)
    this.#latest.set(graph, shared)
    return this.#use(graph, shared)
  }

  /** Closes all, whoever reads them. */
  async close(): Promise<void> {
    for (const shared of this.#open) await this.#close(shared)
  }

  #use(graph: Graph, shared: Shared): Past {
    let isUsed = true
    const close = async () => {
      if (!isUsed) return
      isUsed = false
      if (--shared.users === 0) await this.#close(shared)
    }
    return { graph, parts: shared.parts, close }
  }

  async #close(shared: Shared): Promise<void> {
    if (this.#open.delete(shared)) await shared.history.close()
  }
}
