import {
  type ContextId,
  type GraphId,
  LINK_KINDS,
  type LinkKind,
  type Relationship,
} from '../../domain/model.js'
import { byCodeUnit } from '../../domain/names.js'
import type { RelationshipFilter } from '../store.js'
import { contextRow } from './browse.js'
import type { Session } from './session.js'

const COLUMNS = 'r.kind, c.context_id, r.weight, r.first_seen, r.last_seen'
const OUTGOING = {
  name: 'outgoing',
  text: `SELECT ${COLUMNS} FROM relations r JOIN contexts c ON c.graph_id = $1 AND c.context_no = r.to_no
    WHERE r.graph_id = $1 AND r.from_no = $2`,
}
const INCOMING = {
  name: 'incoming',
  text: `SELECT ${COLUMNS} FROM relations r JOIN contexts c ON c.graph_id = $1 AND c.context_no = r.from_no
    WHERE r.graph_id = $1 AND r.to_no = $2`,
}

interface RelationColumns {
  readonly kind: LinkKind
  readonly context_id: string
  readonly weight: number
  readonly first_seen: string
  readonly last_seen: string
}

/** Outgoing before incoming, then by kind, then by the id of the other end. */
export async function relationshipsOf(
  session: Session,
  graphId: GraphId,
  contextId: ContextId,
  filter: RelationshipFilter,
): Promise<readonly Relationship[]> {
  const { context_no } = await contextRow(session, graphId, contextId)
  const listed = async (direction: Relationship['direction']) => {
    if (filter.direction !== undefined && filter.direction !== direction) return []
    const statement = direction === 'outgoing' ? OUTGOING : INCOMING
    const rows = await session.rows<RelationColumns>(statement, [graphId, context_no])
    return rows
      .filter(({ kind }) => filter.kind === undefined || filter.kind === kind)
      .sort((a, b) => kindOrder(a.kind) - kindOrder(b.kind) || byCodeUnit(a.context_id, b.context_id))
      .map((row) => toRelationship(row, direction))
  }
  return [...(await listed('outgoing')), ...(await listed('incoming'))]
}

function kindOrder(kind: LinkKind): number {
  return LINK_KINDS.indexOf(kind)
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
