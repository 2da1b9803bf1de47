import type { GraphId } from '../../../domain/model.js'
import { byCodeUnit } from '../../../domain/names.js'
import type { Session } from '../connection/session.js'
import type { ContextColumns, GraphRow } from '../schema/rows.js'

export type Place = Omit<ContextColumns, 'created_at' | 'updated_at'>

const COLUMNS = 'context_no, context_id, context_type, context_name, memories'
const BEST = {
  name: 'best-contexts',
  text: `SELECT ${COLUMNS} FROM contexts WHERE graph_id = $1 AND context_no = ANY($2::integer[])
    ORDER BY memories DESC, sort_key LIMIT $3`,
}
/** When many contexts of the graph are wanted, it is quicker to read all: there is a bit for each up to the last, $4. */
const BEST_OF_ALL = {
  name: 'best-of-all-contexts',
  text: `SELECT ${COLUMNS} FROM contexts
    WHERE graph_id = $1 AND get_bit($2::bytea, least(context_no, $4::integer)) = 1
    ORDER BY memories DESC, sort_key LIMIT $3`,
}
/** From this share of the contexts on. */
const SHARE = 1 / 3

/** Contexts that links lead to, and how many memories state these links. */
export class Reached {
  /** By the number of a context. */
  readonly #near: Uint32Array
  readonly #found: number[] = []

  constructor({ last_context_no }: GraphRow) {
    this.#near = new Uint32Array(last_context_no + 1)
  }

  get many(): number {
    return this.#found.length
  }

  note(context: number, weight: number): void {
    const before = this.#near[context] ?? 0
    if (before === 0) this.#found.push(context)
    this.#near[context] = before + weight
  }

  /** So many of the best, in order. */
  async best(limit: number, session: Session, graphId: GraphId): Promise<Place[]> {
    const least = this.#leastOf(limit)
    // Those above the least are all among the best; of those beside it, as many as there is room for.
    const above = this.#found.filter((context) => this.#nearness(context) > least)
    const beside = this.#found.filter((context) => this.#nearness(context) === least)
    const rows = await Promise.all([
      this.#read(above, limit, session, graphId),
      this.#read(beside, limit - above.length, session, graphId),
    ])
    const order = (a: Place, b: Place) =>
      this.#nearness(b.context_no) - this.#nearness(a.context_no) ||
      b.memories - a.memories ||
      byCodeUnit(a.context_id, b.context_id)
    return rows.flat().sort(order)
  }

  #nearness(context: number): number {
    return this.#near[context] ?? 0
  }

  /** The lowest of so many of the highest weights. */
  #leastOf(many: number): number {
    const counts = new Map<number, number>()
    for (const context of this.#found) {
      const weight = this.#nearness(context)
      counts.set(weight, (counts.get(weight) ?? 0) + 1)
    }
    let least = 0
    let left = many
    for (const [weight, count] of [...counts].sort(([a], [b]) => b - a)) {
      if (left <= 0) break
      least = weight
      left -= count
    }
    return least
  }

  async #read(contexts: readonly number[], limit: number, session: Session, graphId: GraphId) {
    if (contexts.length === 0 || limit === 0) return []
    const last = this.#near.length - 1
    if (contexts.length < SHARE * last) return session.rows<Place>(BEST, [graphId, contexts, limit])
    return session.rows<Place>(BEST_OF_ALL, [graphId, bitsOf(contexts, last), limit, last])
  }
}

/** Where `get_bit` looks for them. */
function bitsOf(numbers: readonly number[], last: number): Buffer {
  const bits = Buffer.alloc((last >> 3) + 1)
  for (const no of numbers) bits[no >> 3] = (bits[no >> 3] ?? 0) | (1 << (no & 7))
  return bits
}
