import type { GraphId } from '../../../domain/model.js'
import { graphNotFound } from '../../../domain/refusals.js'
import type { Session } from '../connection/session.js'
import type { GraphRow } from './rows.js'

const GRAPH = {
  name: 'graph',
  text: `SELECT last_seq, last_id, last_recorded_at, newest_at, memories, total_length, last_context_no
    FROM graphs WHERE graph_id = $1`,
}

/** The graph, or `graph_not_found`. */
export async function graphRow(session: Session, graphId: GraphId): Promise<GraphRow> {
  const row = await session.row<GraphRow>(GRAPH, [graphId])
  if (row === undefined) throw graphNotFound(graphId)
  return row
}
