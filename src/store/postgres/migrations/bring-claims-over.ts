import { decidedAs, type EventRecord } from '../../../domain/events/recording.js'
import type { EventKind, GraphId, Source } from '../../../domain/model.js'
import { NOTHING_DECIDED, type Recorded } from '../../../domain/trust/claims/types.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { decisionsText } from '../schema/claims.js'
import { linksOf, payloadOf } from '../schema/rows.js'
import { ClaimsSoFar } from '../trust/claims-so-far.js'
import { flushClaims } from '../write/flush-claims.js'

const COLUMNS = 'm.memory_id, c.context_id, m.kind, m.payload'
const EVENTS = {
  name: 'bring-over-events',
  text: `SELECT m.seq, m.source, m.occurred_at, m.recorded_at, 1 AS times_seen, m.stated, ${COLUMNS}
      FROM memories m JOIN contexts c ON c.graph_id = $1 AND c.context_no = m.context_no
      WHERE m.graph_id = $1 AND m.seq > $2 AND m.seq <= $3
    UNION ALL
    SELECT s.seq, s.source, s.occurred_at, s.recorded_at, s.times_seen, s.stated, ${COLUMNS}
      FROM sightings s JOIN memories m ON m.graph_id = $1 AND m.seq = s.memory_seq
      JOIN contexts c ON c.graph_id = $1 AND c.context_no = m.context_no
      WHERE s.graph_id = $1 AND s.seq > $2 AND s.seq <= $3
    ORDER BY seq`,
}
/** How many events are read at once. */
const AT_ONCE = 100

interface EventColumns {
  readonly seq: number
  readonly source: Source
  readonly occurred_at: string
  readonly recorded_at: string
  readonly times_seen: number
  readonly stated: string | null
  readonly memory_id: string
  readonly context_id: string
  readonly kind: EventKind
  readonly payload: string
}

const GRAPHS = { name: 'bring-over-graphs', text: 'SELECT graph_id, last_seq FROM graphs ORDER BY graph_id' }

/**
 * Decides the events of every graph as if they were recorded now, one after the other. It writes as recording does: a
 * later migration that changes these tables has to leave this one a copy of what it uses.
 */
export async function bringClaimsOver(session: Session): Promise<void> {
  const graphs = await session.rows<{ graph_id: GraphId; last_seq: number }>(GRAPHS)
  for (const { graph_id, last_seq } of graphs) await bringOver(session, graph_id, last_seq)
}

async function bringOver(session: Session, graphId: GraphId, last: number): Promise<void> {
  let lastSeq = 0
  for (let from = 0; from < last; from += AT_ONCE) {
    const records = (await session.rows<EventColumns>(EVENTS, [graphId, from, from + AT_ONCE])).map(toRecord)
    const claims = await ClaimsSoFar.load(session, graphId, lastSeq, records)
    const recorded: Recorded[] = []
    for (const record of records) recorded.push(await claims.record(record))
    const tables = new BulkWrite(session, graphId)
    await flushClaims(tables, claims, recorded, { areThere: true, hasPlaces: false })
    const decided = records.flatMap((record, i) => {
      const { op, seq, decisions } = decidedAs(record, recorded[i]?.decisions ?? NOTHING_DECIDED)
      return decisions === undefined ? [] : [{ op, seq, decisions }]
    })
    for (const [op, table] of [
      ['recorded', 'memories'],
      ['sighted', 'sightings'],
    ] as const) {
      const rows = decided.filter((one) => one.op === op)
      tables.update(`bring-over-${table}`, table, [
        ['seq', 'bigint', rows.map(({ seq }) => seq)],
        ['decisions', 'text', rows.map(({ decisions }) => decisionsText(decisions))],
      ])
    }
    await tables.done()
    lastSeq = records.at(-1)?.seq ?? lastSeq
  }
}

/** Places begin as the numbers of the events. */
function toRecord(row: EventColumns): EventRecord {
  const stated = {
    seq: row.seq,
    place: row.seq,
    id: row.memory_id,
    source: row.source,
    links: linksOf(row.stated),
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
  }
  if (row.times_seen > 1) return { op: 'sighted', ...stated }
  return {
    op: 'recorded',
    context: row.context_id,
    kind: row.kind,
    payload: payloadOf(row.payload),
    ...stated,
  }
}
