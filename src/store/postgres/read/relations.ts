import { byRelationship } from '../../../domain/links.js'
import type { ContextId, GraphId, LinkKind, Relationship } from '../../../domain/model.js'
import type { RelationshipFilter } from '../../store.js'
import type { Session } from '../connection/session.js'
import { contextRow } from './browse.js'

const COLUMNS = 'r.kind, c.context_id, r.weight, r.first_seen, r.last_seen'
const OUTGOING = {
  name: 'outgoing',
  text: `SELECT ${COLUMNS} FROM relations r JOIN contexts c ON c.graph_id = $1 AND c.context_no = r.to_no
    WHERE r.graph_id = $1 AND r.from_no = (SELECT context_no FROM contexts WHERE graph_id = $1 AND context_id = $2)`,
}
const INCOMING = {
  name: 'incoming',
  text: `SELECT ${COLUMNS} FROM relations r JOIN contexts c ON c.graph_id = $1 AND c.context_no = r.from_no
    WHERE r.graph_id = $1 AND r.to_no = (SELECT context_no FROM contexts WHERE graph_id = $1 AND context_id = $2)`,
}

interface RelationColumns {
  readonly kind: LinkKind
  readonly context_id: string
  readonly weight: number
  readonly first_seen: string
  readonly last_seen: string
}

export async function relationshipsOf(
  session: Session,
  graphId: GraphId,
  contextId: ContextId,
  filter: RelationshipFilter,
): Promise<readonly Relationship[]> {
  const listed = async (direction: Relationship['direction']) => {
    if (filter.direction !== undefined && filter.direction !== direction) return []
    const statement = direction === 'outgoing' ? OUTGOING : INCOMING
    const rows = await session.rows<RelationColumns>(statement, [graphId, contextId])
    return rows
      .filter(({ kind }) => filter.kind === undefined || filter.kind === kind)
      .map((row) => toRelationship(row, direction))
  }
  const [, outgoing, incoming] = await Promise.all([
    contextRow(session, graphId, contextId),
    listed('outgoing'),
    listed('incoming'),
  ])
  return [...outgoing, ...incoming].sort(byRelationship)
}

function toRelationship(row: RelationColumns, direction: Relationship['direction']): Relationship {
  return {
    kind: row.kind,
    direction,
    contextId: row.context_id,
    weight: row.weight,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
