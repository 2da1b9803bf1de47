import type { ContextId, GraphId, LinkKind } from '../../../domain/model.js'
import {
  type ContextLink,
  LinkBudget,
  linkOrder,
  MOST_LINKS_GIVEN,
  MOST_LINKS_OF_CONTEXT,
  type NearContext,
  type Neighbourhood,
  type Reach,
} from '../../../domain/survey/neighbourhood.js'
import type { Session } from '../connection/session.js'
import type { ContextColumns } from '../schema/rows.js'
import { contextRow } from './browse.js'

const MOST = MOST_LINKS_OF_CONTEXT
/** Counted no further than it matters. */
const DEGREES = {
  name: 'degrees',
  text: `SELECT o.links AS outgoing, i.links AS incoming FROM unnest($2::integer[]) WITH ORDINALITY AS w(no, number)
    CROSS JOIN LATERAL (SELECT count(*) AS links FROM (
      SELECT FROM relations WHERE graph_id = $1 AND from_no = w.no LIMIT ${MOST + 1}) l) o
    CROSS JOIN LATERAL (SELECT count(*) AS links FROM (
      SELECT FROM relations WHERE graph_id = $1 AND to_no = w.no LIMIT ${MOST + 1}) l) i
    ORDER BY w.number`,
}
/** Each end of each link of these contexts, the latest of them. */
const links = (columns: string) => `
    SELECT r.from_no, r.to_no, r.to_no AS other, ${columns} FROM unnest($2::integer[]) AS w(no) CROSS JOIN LATERAL (
      SELECT * FROM relations WHERE graph_id = $1 AND from_no = w.no ORDER BY made DESC LIMIT ${MOST}) r
    UNION ALL
    SELECT r.from_no, r.to_no, r.from_no, ${columns} FROM unnest($2::integer[]) AS w(no) CROSS JOIN LATERAL (
      SELECT * FROM relations WHERE graph_id = $1 AND to_no = w.no ORDER BY made DESC LIMIT ${MOST}) r`
/** A context id in the order by code unit is its type, a colon and its name. */
const REACHED = {
  name: 'reached',
  text: `SELECT c.context_no, c.context_id, c.context_type, c.context_name, c.memories, count(*) OVER () AS found
    FROM (SELECT l.other, sum(l.weight) AS near FROM (${links('r.weight')}) l
      WHERE l.other NOT IN (SELECT unnest($3::integer[])) GROUP BY l.other) reached
    CROSS JOIN LATERAL (SELECT context_no, context_id, context_type, context_name, memories, sort_key FROM contexts
      WHERE graph_id = $1 AND context_no = reached.other OFFSET 0) c
    JOIN context_types t ON t.graph_id = $1 AND t.context_type = c.context_type
    ORDER BY reached.near DESC, c.memories DESC, t.sort_key || '\\x003a'::bytea || c.sort_key LIMIT $4`,
}
const AMONG = {
  name: 'links-among',
  text: `SELECT DISTINCT from_no, to_no, kind, weight, first_seen, last_seen
    FROM (${links('r.kind, r.weight, r.first_seen, r.last_seen')}) l WHERE l.other IN (SELECT unnest($3::integer[]))`,
}

type Place = Omit<ContextColumns, 'created_at' | 'updated_at'>

interface ReachedColumns extends Place {
  /** How many were reached in all. */
  readonly found: number
}

interface LinkColumns {
  readonly from_no: number
  readonly to_no: number
  readonly kind: LinkKind
  readonly weight: number
  readonly first_seen: string
  readonly last_seen: string
}

/** What lies around a context (`GraphReader.neighbourhood` says what). */
export async function neighbourhoodOf(
  session: Session,
  graphId: GraphId,
  contextId: ContextId,
  { depth, limit }: Reach,
): Promise<Neighbourhood> {
  const budget = new LinkBudget()
  let edge: Place[] = [await contextRow(session, graphId, contextId)]
  const given = new Map(edge.map((row) => [row.context_no, { row, distance: 0 }]))
  const explored: number[] = []
  let leftOut = 0
  const explore = async () => {
    const open = await openedOf(session, graphId, edge, budget)
    explored.push(...open)
    return open
  }
  for (let distance = 1; distance <= depth && edge.length > 0; distance++) {
    const room = limit - given.size
    // Without room for any, one row still says how many there are.
    const values = [graphId, await explore(), [...given.keys()], Math.max(1, room)]
    const reached = await session.rows<ReachedColumns>(REACHED, values)
    edge = reached.slice(0, room)
    for (const row of edge) given.set(row.context_no, { row, distance })
    leftOut += (reached[0]?.found ?? 0) - edge.length
    if (leftOut > 0) break
  }
  await explore()
  const rows = await session.rows<LinkColumns>(AMONG, [graphId, explored, [...given.keys()]])
  const found = inOrder(rows, [...given.keys()])
  return {
    contexts: Array.from(given.values(), toNearContext),
    links: found
      .slice(0, MOST_LINKS_GIVEN)
      .map((row) => toLink(row, (no) => given.get(no)?.row.context_id ?? '')),
    leftOut: {
      contexts: leftOut,
      links: Math.max(0, found.length - MOST_LINKS_GIVEN),
      unexplored: budget.unexplored,
    },
  }
}

/** Those whose links are looked at. */
async function openedOf(
  session: Session,
  graphId: GraphId,
  contexts: readonly Place[],
  budget: LinkBudget,
): Promise<number[]> {
  const numbers = contexts.map(({ context_no }) => context_no)
  if (numbers.length === 0) return []
  const degrees = await session.rows<{ outgoing: number; incoming: number }>(DEGREES, [graphId, numbers])
  return numbers.filter((_, i) => budget.take(degrees[i]?.outgoing ?? 0, degrees[i]?.incoming ?? 0))
}

function inOrder(rows: readonly LinkColumns[], numbers: readonly number[]): LinkColumns[] {
  const places = new Map(numbers.map((no, i) => [no, i]))
  const orderOf = (row: LinkColumns) =>
    linkOrder(places.get(row.from_no) ?? 0, places.get(row.to_no) ?? 0, row.kind)
  return rows
    .map((row) => ({ row, order: orderOf(row) }))
    .sort((a, b) => a.order - b.order)
    .map(({ row }) => row)
}

function toNearContext({ row, distance }: { readonly row: Place; readonly distance: number }): NearContext {
  return {
    contextId: row.context_id,
    contextType: row.context_type,
    contextName: row.context_name,
    memoryCount: row.memories,
    distance,
  }
}

function toLink(row: LinkColumns, idOf: (no: number) => ContextId): ContextLink {
  return {
    from: idOf(row.from_no),
    to: idOf(row.to_no),
    kind: row.kind,
    weight: row.weight,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
