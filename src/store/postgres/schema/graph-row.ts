import { graphNotFound } from '../../../domain/failure.js'
import type { GraphId } from '../../../domain/model.js'
import type { Session } from '../connection/session.js'
import type { GraphRow } from './rows.js'

const GRAPH = {
  name: 'graph',
  text: `SELECT last_seq, last_place, last_id, last_recorded_at, stated_at, newest_at, memories, total_length,
      last_context_no, edition FROM graphs WHERE graph_id = $1`,
}

/** The graph, or `graph_not_found`. */
export async function graphRow(session: Session, graphId: GraphId): Promise<GraphRow> {
  const row = await session.row<GraphRow>(GRAPH, [graphId])
  if (row === undefined) throw graphNotFound(graphId)
  return row
}

/** The graph, or what one that is not there yet begins with. */
export async function graphOrNew(session: Session, graphId: GraphId): Promise<GraphRow> {
  return (await session.row<GraphRow>(GRAPH, [graphId])) ?? NEW
}

const NEW: GraphRow = {
  last_seq: 0,
  last_place: 0,
  last_id: '',
  last_recorded_at: '',
  stated_at: '',
  newest_at: '',
  memories: 0,
  total_length: 0,
  last_context_no: 0,
  edition: 0,
}

/** With the row that says how far the graph has been read for meaning. */
const MAKE = {
  name: 'make-graph',
  text: `WITH made AS (
      INSERT INTO graphs (graph_id, last_seq, last_place, last_id, last_recorded_at, stated_at, newest_at, memories,
        total_length, last_context_no)
      VALUES ($1, 0, 0, '', '', '', '', 0, 0, 0) ON CONFLICT DO NOTHING RETURNING graph_id)
    INSERT INTO readings (graph_id, generation, model, opened, last_seq, memories, reader, held_until)
    SELECT graph_id, nextval('reading_numbers'), '', 0, 0, 0, 0, '-infinity' FROM made RETURNING graph_id`,
}
const THERE = { name: 'graphs-there', text: 'SELECT graph_id FROM graphs WHERE graph_id = ANY($1)' }
const LOCK = {
  name: 'lock-graph',
  text: `SELECT last_seq, last_place, last_id, last_recorded_at, stated_at, newest_at, memories, total_length,
      last_context_no, edition FROM graphs WHERE graph_id = $1 FOR UPDATE`,
}

/** One writer at a time for each graph, in all processes together; the graph is made if it is not there. */
export async function lockGraph(session: Session, graphId: GraphId): Promise<GraphRow> {
  for (;;) {
    const row = await lockIfThere(session, graphId)
    if (row !== undefined) return row
    await session.rows(MAKE, [graphId])
  }
}

export function lockIfThere(session: Session, graphId: GraphId): Promise<GraphRow | undefined> {
  return session.row<GraphRow>(LOCK, [graphId])
}

/** Those of the graphs that are there. */
export async function graphsThere(session: Session, graphIds: readonly GraphId[]): Promise<GraphId[]> {
  const rows = await session.rows<{ readonly graph_id: GraphId }>(THERE, [graphIds])
  return rows.map(({ graph_id }) => graph_id)
}

/** Makes the graph; false if there is one. */
export async function makeGraph(session: Session, graphId: GraphId): Promise<boolean> {
  return (await session.rows(MAKE, [graphId])).length > 0
}
