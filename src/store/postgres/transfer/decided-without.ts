import { isMemoryId } from '../../../domain/ids.js'
import { judgedByText } from '../../../domain/judgement/judged-by-text.js'
import type { ContextId, GraphId, MemoryId, Source } from '../../../domain/model.js'
import { type Claim, NOTHING_DECIDED, type Recorded } from '../../../domain/trust/claims/types.js'
import { reckonWithout } from '../../../domain/trust/erase/erasure.js'
import type { Past } from '../../../domain/trust/erase/past.js'
import type { Session } from '../connection/session.js'
import { CLAIM_COLUMNS, type ClaimColumns, claimOf, decisionsFrom } from '../schema/claims.js'
import { linksOf, payloadOf } from '../schema/rows.js'
import { loadBases } from '../trust/staleness.js'

const OF_MEMORY = `CROSS JOIN LATERAL (
    SELECT context_id FROM contexts WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`

const CONTEXTS = {
  name: 'erase-contexts',
  text: `SELECT DISTINCT c.context_id FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT context_no FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m ${OF_MEMORY}`,
}
/** One level: what the events of these memories join to them, and the memories whose events join these. */
const JOINED = {
  name: 'erase-joined',
  text: `SELECT j.node FROM unnest($2::text[]) AS wanted(node) CROSS JOIN LATERAL (
      SELECT memory_id AS node FROM joined WHERE graph_id = $1 AND node = wanted.node
      UNION SELECT node FROM joined WHERE graph_id = $1 AND memory_id = wanted.node) j`,
}
const CLAIMS = {
  name: 'erase-claims',
  text: `SELECT ${CLAIM_COLUMNS}, m.seq, m.payload, m.stated, m.decisions
    FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT * FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m ${OF_MEMORY}
    ORDER BY m.seq`,
}
const SIGHTINGS = {
  name: 'erase-sightings',
  text: `SELECT s.* FROM unnest($2::bigint[]) AS wanted(seq) CROSS JOIN LATERAL (
      SELECT memory_seq, place, source, stated, recorded_at, decisions FROM sightings
      WHERE graph_id = $1 AND memory_seq = wanted.seq OFFSET 0) s`,
}
/** For each context and place, one memory that it held before and that stays. */
const HELD = {
  name: 'erase-held',
  text: `SELECT h.memory_id FROM unnest($2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY
      AS wanted(context_id, place, except_id, number)
    LEFT JOIN LATERAL (SELECT context_no FROM contexts
      WHERE graph_id = $1 AND context_id = wanted.context_id OFFSET 0) c ON true
    LEFT JOIN LATERAL (SELECT memory_id FROM memories WHERE graph_id = $1 AND context_no = c.context_no
      AND place < wanted.place AND memory_id <> wanted.except_id AND memory_id <> ALL($5)
      ORDER BY seq LIMIT 1) h ON true
    ORDER BY wanted.number`,
}

interface EventColumns {
  readonly place: number
  readonly source: Source
  readonly stated: string | null
  readonly recorded_at: string
  readonly decisions: string | null
}

interface FirstColumns extends ClaimColumns, EventColumns {
  readonly seq: number
  readonly payload: string
}

/**
 * The events of the claims that are connected with the erased, by place, as they are to be kept once these are gone; the
 * erased and their texts are still there.
 */
export async function decidedWithout(
  session: Session,
  graphId: GraphId,
  erased: ReadonlySet<MemoryId>,
): Promise<ReadonlyMap<number, Recorded>> {
  const connected = await connectedWith(session, graphId, erased)
  const rows = await session.rows<FirstColumns>(CLAIMS, [graphId, connected])
  const events = await eventsOf(session, graphId, rows)
  const payloads = new Map(rows.map(({ memory_id, payload }) => [memory_id, payload]))
  const judgement = judgedByText((id) => {
    const text = payloads.get(id)
    return text === undefined ? undefined : payloadOf(text)
  })
  const past = await loadPast(session, graphId, rows.map(claimOf), erased)
  const remains = reckonWithout(erased, events, past, judgement)
  return new Map(remains.events.map((event) => [event.place, event]))
}

/** The memories that some chain of events joins to the erased or to their contexts. */
async function connectedWith(
  session: Session,
  graphId: GraphId,
  erased: ReadonlySet<MemoryId>,
): Promise<MemoryId[]> {
  const contexts = await session.rows<{ context_id: ContextId }>(CONTEXTS, [graphId, [...erased]])
  const nodes = new Set([...erased, ...contexts.map(({ context_id }) => context_id)])
  for (let level = [...nodes]; level.length > 0; ) {
    const next = await session.rows<{ node: string }>(JOINED, [graphId, level])
    level = next.map(({ node }) => node).filter((node) => !nodes.has(node))
    for (const node of level) nodes.add(node)
  }
  return [...nodes].filter((node) => isMemoryId(node))
}

/** All events of these memories, in order. */
async function eventsOf(
  session: Session,
  graphId: GraphId,
  rows: readonly FirstColumns[],
): Promise<Recorded[]> {
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  const again = await session.rows<EventColumns & { memory_seq: number }>(SIGHTINGS, [
    graphId,
    [...bySeq.keys()],
  ])
  const events = [
    ...rows.map((row) => toRecorded(row, row, true)),
    ...again.flatMap((row) => {
      const memory = bySeq.get(row.memory_seq)
      return memory === undefined ? [] : toRecorded(memory, row, false)
    }),
  ]
  return events.sort((a, b) => a.place - b.place)
}

function toRecorded(memory: FirstColumns, event: EventColumns, first: boolean): Recorded {
  return {
    place: event.place,
    claim: memory.memory_id,
    contextId: memory.context_id,
    first,
    source: event.source,
    links: linksOf(event.stated),
    recordedAt: event.recorded_at,
    decisions: decisionsFrom(event.decisions) ?? NOTHING_DECIDED,
  }
}

/** What the claims build on is among them, since each event joins that to its claim. */
async function loadPast(
  session: Session,
  graphId: GraphId,
  claims: readonly Claim[],
  erased: ReadonlySet<MemoryId>,
): Promise<Past> {
  const wholes = claims.flatMap(({ id, wholes }) => wholes.map((whole) => ({ ...whole, id })))
  const rows =
    wholes.length === 0
      ? []
      : await session.rows<{ memory_id: MemoryId | null }>(HELD, [
          graphId,
          wholes.map(({ contextId }) => contextId),
          wholes.map(({ place }) => place),
          wholes.map(({ id }) => id),
          [...erased],
        ])
  const held = new Map<string, MemoryId>()
  for (const [i, { memory_id }] of rows.entries()) {
    const whole = wholes[i]
    if (whole !== undefined && memory_id !== null)
      held.set(`${whole.id} ${whole.place} ${whole.contextId}`, memory_id)
  }
  return {
    ...(await loadBases(session, graphId, claims)),
    held(contextId, before, except) {
      const kept = held.get(`${except} ${before} ${contextId}`)
      return kept === undefined ? [] : [kept]
    },
  }
}
