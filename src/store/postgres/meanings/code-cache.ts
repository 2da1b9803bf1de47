import type { GraphId } from '../../../domain/model.js'
import type { Database } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import { GraphCodes } from './codes.js'
import type { Reading } from './reading.js'

const GENERATIONS = {
  name: 'generations',
  text: `SELECT r.graph_id, r.generation FROM unnest($1::text[]) AS wanted(id)
    CROSS JOIN LATERAL (SELECT graph_id, generation FROM readings WHERE graph_id = wanted.id OFFSET 0) r`,
}
const MOST_CODES = 2_000_000

/** The codes of the graphs that were asked last, at most `most` together unless one graph alone has more. */
export class CodeCache {
  readonly #graphs = new Map<GraphId, GraphCodes>()
  readonly #most: number

  constructor(most = MOST_CODES) {
    this.#most = most
  }

  /** How many codes are in memory. */
  get size(): number {
    let total = 0
    for (const { size } of this.#graphs.values()) total += size
    return total
  }

  /** All codes that the session sees of a graph, and maybe later ones. */
  async of(session: Session, graphId: GraphId, { generation, memories }: Reading): Promise<GraphCodes> {
    const known = this.#graphs.get(graphId)
    const codes = known?.generation === generation ? known : new GraphCodes(graphId, generation)
    // A session of before an erasure, or of a standby that lags, has codes of its own: those that are kept are newer.
    if (known === undefined || known.generation <= generation) {
      this.#graphs.delete(graphId)
      this.#graphs.set(graphId, codes)
    }
    await codes.upTo(session, memories)
    this.#makeRoom(graphId)
    return codes
  }

  forget(graphId: GraphId): void {
    this.#graphs.delete(graphId)
  }

  /** Forgets the graphs that another process has erased from, so that nothing of what is gone stays in memory. */
  async forgetOutdated(database: Database): Promise<void> {
    if (this.#graphs.size === 0) return
    const kept = [...this.#graphs]
    const rows = await database.ask((session) =>
      session.rows<{ graph_id: GraphId; generation: number }>(GENERATIONS, [
        kept.map(([graphId]) => graphId),
      ]),
    )
    const generations = new Map(rows.map(({ graph_id, generation }) => [graph_id, generation]))
    for (const [graphId, codes] of kept)
      if (this.#graphs.get(graphId) === codes && generations.get(graphId) !== codes.generation)
        this.#graphs.delete(graphId)
  }

  /** The least recently used go first; never the one that is in use. */
  #makeRoom(inUse: GraphId): void {
    let spare = this.#most - this.size
    for (const [graphId, { size }] of this.#graphs) {
      if (spare >= 0) return
      if (graphId === inUse) continue
      this.#graphs.delete(graphId)
      spare += size
    }
  }
}
