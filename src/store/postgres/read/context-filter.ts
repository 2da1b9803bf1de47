import type { GraphId } from '../../../domain/model.js'
import type { ContextFilter } from '../../store.js'
import type { Session } from '../connection/session.js'
import type { GraphRow } from '../schema/rows.js'

const SIZE = {
  name: 'scope-size',
  text: `SELECT
      (SELECT coalesce(sum(memories), 0)::bigint FROM context_types WHERE graph_id = $1 AND context_type = ANY($2))
      + (SELECT coalesce(sum(memories), 0)::bigint FROM contexts WHERE graph_id = $1 AND context_id = ANY($3))
      AS memories,
      (SELECT coalesce(sum(contexts), 0)::bigint FROM context_types WHERE graph_id = $1 AND context_type = ANY($2))
      + cardinality($3::text[]) AS contexts`,
}
const ALL = {
  name: 'scope-all',
  text: `SELECT m.seq FROM (
      SELECT context_no FROM contexts WHERE graph_id = $1 AND context_type = ANY($2) AND memories > 0
      UNION SELECT context_no FROM contexts WHERE graph_id = $1 AND context_id = ANY($3)
    ) c CROSS JOIN LATERAL (
      SELECT seq FROM memories WHERE graph_id = $1 AND context_no = c.context_no OFFSET 0) m`,
}
const AMONG = {
  name: 'scope-among',
  text: `SELECT m.seq FROM unnest($4::bigint[]) AS w(seq)
    CROSS JOIN LATERAL (SELECT seq, context_no FROM memories WHERE graph_id = $1 AND seq = w.seq OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_type, context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c
    WHERE c.context_type = ANY($2) OR c.context_id = ANY($3)`,
}
const LATEST_OF_EACH = {
  name: 'latest-of-each',
  text: `SELECT m.seq FROM (
      SELECT context_no FROM contexts WHERE graph_id = $1 AND context_type = ANY($2) AND memories > 0
      UNION SELECT context_no FROM contexts WHERE graph_id = $1 AND context_id = ANY($3)
    ) c CROSS JOIN LATERAL (SELECT seq FROM memories WHERE graph_id = $1 AND context_no = c.context_no
      ORDER BY seq DESC LIMIT $4) m
    ORDER BY m.seq DESC LIMIT $4`,
}
const LATEST_OF_ALL = {
  name: 'latest-of-all',
  text: `SELECT m.seq FROM memories m CROSS JOIN LATERAL (
      SELECT context_type, context_id FROM contexts WHERE graph_id = $1 AND context_no = m.context_no) c
    WHERE m.graph_id = $1 AND (c.context_type = ANY($2) OR c.context_id = ANY($3))
    ORDER BY m.seq DESC LIMIT $4`,
}

interface Place {
  readonly seq: number
}

/** The memories of some contexts, as far as they have to be known one by one. */
export class ContextFilterQuery {
  readonly #session: Session
  readonly #values: readonly [GraphId, readonly string[], readonly string[]]

  constructor(session: Session, graphId: GraphId, { types, contextIds }: ContextFilter) {
    this.#session = session
    this.#values = [graphId, types, contextIds]
  }

  async size(): Promise<{ memories: number; contexts: number }> {
    const row = await this.#session.row<{ memories: number; contexts: number }>(SIZE, this.#values)
    return row ?? { memories: 0, contexts: 0 }
  }

  /** Every memory within. */
  async all(): Promise<Set<number>> {
    return toSet(await this.#session.rows<Place>(ALL, this.#values))
  }

  /** Those of the given ones that are within. */
  async among(seqs: readonly number[]): Promise<Set<number>> {
    return toSet(await this.#session.rows<Place>(AMONG, [...this.#values, seqs]))
  }

  /**
   * The latest first. Few contexts are asked one by one; with many, it is quicker to go back through all memories of
   * the graph until enough are found.
   */
  async latest(limit: number, graph: Promise<GraphRow>): Promise<number[]> {
    const { memories, contexts } = await this.size()
    const inGraph = (await graph).memories
    if (memories === 0) return []
    const statement =
      Math.min(contexts, memories) < (limit * inGraph) / memories ? LATEST_OF_EACH : LATEST_OF_ALL
    const rows = await this.#session.rows<Place>(statement, [...this.#values, limit])
    return rows.map(({ seq }) => seq)
  }
}

function toSet(rows: readonly Place[]): Set<number> {
  return new Set(rows.map(({ seq }) => seq))
}
