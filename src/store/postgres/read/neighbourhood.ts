import { type ContextId, type GraphId, LINK_KINDS, type LinkKind } from '../../../domain/model.js'
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
import type { ContextColumns, GraphRow } from '../schema/rows.js'
import { contextRow } from './browse.js'

const MOST = MOST_LINKS_OF_CONTEXT
/** Counted no further than it matters. */
const DEGREES = {
  name: 'degrees',
  text: `SELECT w.no, o.links AS outgoing, i.links AS incoming FROM unnest($2::integer[]) WITH ORDINALITY AS w(no, number)
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

/**
 * Only contexts as near as the last that is given are ranked; `near` is null for others. A full join is never done by
 * comparing each row with each, which is what a join of so few rows as the planner expects would be.
 */
const reached = (among: string) => `
    WITH reached AS MATERIALIZED (SELECT l.other, sum(l.weight) AS near FROM (${links('r.weight')}) l
      WHERE l.other NOT IN (SELECT unnest($3::integer[])) GROUP BY l.other),
    last AS MATERIALIZED (SELECT coalesce((SELECT near FROM reached ORDER BY near DESC LIMIT 1 OFFSET $4 - 1), 0) AS near),
    best AS MATERIALIZED (SELECT c.context_no, n.near FROM (
        SELECT other, near FROM reached WHERE near >= (SELECT near FROM last)) n
      FULL JOIN (SELECT context_no, memories, sort_key FROM contexts WHERE graph_id = $1 ${among} OFFSET 0) c
        ON c.context_no = n.other
      ORDER BY coalesce(n.near, 0) DESC, c.memories DESC, c.sort_key LIMIT $4)
    SELECT c.*, best.near, (SELECT count(*) FROM reached) AS found FROM best CROSS JOIN LATERAL (
      SELECT context_no, context_id, context_type, context_name, memories, sort_key FROM contexts
      WHERE graph_id = $1 AND context_no = best.context_no OFFSET 0) c
    ORDER BY coalesce(best.near, 0) DESC, c.memories DESC, c.sort_key`
const REACHED = {
  name: 'reached',
  text: reached(`AND context_no = ANY((SELECT array_agg(other) FROM reached
        WHERE near >= (SELECT near FROM last))::integer[])`),
}
/** When most contexts of the graph are reached, it is quicker to read all of them. */
const REACHED_OF_ALL = { name: 'reached-of-all', text: reached('') }
/** From this share of the contexts on. */
const SHARE = 1 / 3

const COLUMNS = 'r.kind, r.weight, r.first_seen, r.last_seen'
const AMONG = {
  name: 'links-among',
  text: `SELECT DISTINCT from_no, to_no, kind, weight, first_seen, last_seen
    FROM (${links(COLUMNS)}) l WHERE l.other IN (SELECT unnest($3::integer[]))`,
}
/** The links between each of some contexts and each of others, looked up pair by pair. */
const BETWEEN = {
  name: 'links-between',
  text: `SELECT DISTINCT r.from_no, r.to_no, ${COLUMNS} FROM unnest($2::integer[]) AS w(no)
    CROSS JOIN unnest($3::integer[]) AS g(no) CROSS JOIN LATERAL (
      (SELECT * FROM relations WHERE graph_id = $1 AND from_no = w.no AND kind = ANY($4) AND to_no = g.no)
      UNION ALL
      (SELECT * FROM relations WHERE graph_id = $1 AND from_no = g.no AND kind = ANY($4) AND to_no = w.no)) r`,
}
/** Looking up the links of a pair takes as long as reading so many links of a context one after the other. */
const PAIR = 20

type Place = Omit<ContextColumns, 'created_at' | 'updated_at'>

interface ReachedColumns extends Place {
  readonly near: number | null
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
  graph: Promise<GraphRow>,
  { depth, limit }: Reach,
): Promise<Neighbourhood> {
  const budget = new LinkBudget()
  let edge: Place[] = [await contextRow(session, graphId, contextId)]
  const given = new Map(edge.map((row) => [row.context_no, { row, distance: 0 }]))
  const explored: Explored[] = []
  let leftOut = 0
  const explore = async () => {
    const open = await openedOf(session, graphId, edge, budget)
    explored.push(...open)
    return open
  }
  for (let distance = 1; distance <= depth && edge.length > 0; distance++) {
    const room = limit - given.size
    // Without room for any, one row still says how many there are.
    const open = await explore()
    const ends = open.reduce((sum, { outgoing, incoming }) => sum + outgoing + incoming, 0)
    const statement = ends < SHARE * (await graph).last_context_no ? REACHED : REACHED_OF_ALL
    const values = [graphId, open.map(({ no }) => no), [...given.keys()], Math.max(1, room)]
    const rows = await session.rows<ReachedColumns>(statement, values)
    const reached = rows.filter(({ near }) => near !== null)
    edge = reached.slice(0, room)
    for (const row of edge) given.set(row.context_no, { row, distance })
    leftOut += (reached[0]?.found ?? 0) - edge.length
    if (leftOut > 0) break
  }
  await explore()
  const found = await linksAmong(session, graphId, explored, [...given.keys()])
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

/** A context whose links are looked at, and how many it has in each direction, counted no further than it matters. */
interface Explored {
  readonly no: number
  readonly outgoing: number
  readonly incoming: number
}

async function openedOf(
  session: Session,
  graphId: GraphId,
  contexts: readonly Place[],
  budget: LinkBudget,
): Promise<Explored[]> {
  const numbers = contexts.map(({ context_no }) => context_no)
  if (numbers.length === 0) return []
  const degrees = await session.rows<Explored>(DEGREES, [graphId, numbers])
  return degrees.filter(({ outgoing, incoming }) => budget.take(outgoing, incoming))
}

/** The links between given contexts that at least one of the explored ones shows, in order. */
async function linksAmong(
  session: Session,
  graphId: GraphId,
  explored: readonly Explored[],
  given: readonly number[],
): Promise<LinkColumns[]> {
  // Of the links of a context that has more than are looked at, a pair does not tell which are among the latest.
  const isWhole = ({ outgoing, incoming }: Explored) => Math.max(outgoing, incoming) <= MOST
  const isHub = (one: Explored) => isWhole(one) && one.outgoing + one.incoming > PAIR * given.length
  const numbers = (some: readonly Explored[]) => some.map(({ no }) => no)
  const others = explored.filter((one) => !isHub(one))
  const hubs = numbers(explored.filter(isHub))
  // These show what they have to do with hubs.
  const known = new Set(numbers(others.filter(isWhole)))
  const silent = given.filter((no) => !known.has(no))
  const [among, between] = await Promise.all([
    session.rows<LinkColumns>(AMONG, [graphId, numbers(others), given]),
    hubs.length === 0 ? [] : session.rows<LinkColumns>(BETWEEN, [graphId, hubs, silent, LINK_KINDS]),
  ])
  const places = new Map(given.map((no, i) => [no, i]))
  const placed = [...among, ...between].map((row): [number, LinkColumns] => [
    linkOrder(places.get(row.from_no) ?? 0, places.get(row.to_no) ?? 0, row.kind),
    row,
  ])
  return [...new Map(placed)].sort(([a], [b]) => a - b).map(([, row]) => row)
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
