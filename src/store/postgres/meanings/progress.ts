import type { GraphId } from '../../../domain/model.js'
import type { Database } from '../connection/database.js'

/** What is left to read of a graph that is not read to its end. */
export interface Progress {
  readonly graph_id: GraphId
  readonly unread: number
  /** The number of the process whose model the vectors are of; 0 when they are of the model asked for, or when there are none. */
  readonly others: number
}

const COLUMNS = `g.graph_id, g.memories - CASE WHEN r.model = $1 THEN r.memories ELSE 0 END AS unread,
  CASE WHEN r.model = $1 THEN 0 ELSE r.opened END AS others`
const BEHIND = 'g.memories > CASE WHEN r.model = $1 THEN r.memories ELSE 0 END'
const ALL = {
  name: 'behind-of-all',
  text: `SELECT ${COLUMNS} FROM graphs g JOIN readings r ON r.graph_id = g.graph_id WHERE ${BEHIND}`,
}
const SOME = {
  name: 'behind-of-some',
  text: `SELECT ${COLUMNS} FROM unnest($2::text[]) AS wanted(id)
    CROSS JOIN LATERAL (SELECT graph_id, memories FROM graphs WHERE graph_id = wanted.id OFFSET 0) g
    CROSS JOIN LATERAL (SELECT model, opened, memories FROM readings WHERE graph_id = wanted.id OFFSET 0) r
    WHERE ${BEHIND}`,
}

/** The graphs that have memories which a model has not read; all of them, or some. */
export function graphsBehind(
  database: Database,
  model: string,
  graphIds?: readonly GraphId[],
): Promise<Progress[]> {
  return database.ask((session) =>
    graphIds === undefined
      ? session.rows<Progress>(ALL, [model])
      : session.rows<Progress>(SOME, [model, [...new Set(graphIds)]]),
  )
}
