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
import type { GraphRow } from '../schema/rows.js'
import { contextRow } from './browse.js'
import { endsOf } from './ends.js'
import { type Place, Reached } from './reached.js'

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
  const root: Place = await contextRow(session, graphId, contextId)
  const given = new Map([[root.context_no, { row: root, distance: 0 }]])
  // One more than are looked at says that there are more.
  let ends = await endsOf(session, graphId, [root.context_no], MOST + 1)
  const [outgoing, incoming] = [ends[0].many, ends[1].many]
  const explored: Explored[] = [{ no: root.context_no, outgoing, incoming }]
  budget.take(outgoing, incoming)
  let leftOut = 0
  for (let distance = 1; ; distance++) {
    const reached = new Reached(await graph)
    const note = (other: number, weight: number) => {
      if (!given.has(other)) reached.note(other, weight)
    }
    for (const some of ends) some.each(note, distance === 1 ? MOST : some.many)
    const best = await reached.best(limit - given.size, session, graphId)
    for (const row of best) given.set(row.context_no, { row, distance })
    leftOut = reached.many - best.length
    const open = await openedOf(session, graphId, best, budget)
    explored.push(...open)
    if (distance === depth || leftOut > 0 || best.length === 0) break
    ends = await endsOf(session, graphId, numbersOf(open))
  }
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

function numbersOf(contexts: readonly Explored[]): number[] {
  return contexts.map(({ no }) => no)
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
  const others = explored.filter((one) => !isHub(one))
  const hubs = numbersOf(explored.filter(isHub))
  // These show what they have to do with hubs.
  const known = new Set(numbersOf(others.filter(isWhole)))
  const silent = given.filter((no) => !known.has(no))
  const [among, between] = await Promise.all([
    session.rows<LinkColumns>(AMONG, [graphId, numbersOf(others), given]),
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
