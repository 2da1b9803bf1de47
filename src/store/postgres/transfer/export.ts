import type { PastEvent } from '../../../domain/events/recording.js'
import type { EventKind, GraphId, Source } from '../../../domain/model.js'
import { NOTHING_DECIDED } from '../../../domain/trust/claims/types.js'
import type { GraphExport } from '../../store.js'
import type { Database } from '../connection/database.js'
import { toFailure } from '../connection/errors.js'
import type { Session } from '../connection/session.js'
import { decisionsFrom } from '../schema/claims.js'
import { graphRow } from '../schema/graph-row.js'
import { linksOf, payloadOf } from '../schema/rows.js'

const COLUMNS = 'm.memory_id, c.context_id, m.kind, m.payload'
const EVENTS = {
  name: 'export-events',
  text: `SELECT m.seq, m.place, m.source, m.occurred_at, m.recorded_at, 1 AS times_seen, m.stated, m.decisions, ${COLUMNS}
      FROM memories m JOIN contexts c ON c.graph_id = $1 AND c.context_no = m.context_no
      WHERE m.graph_id = $1 AND m.seq >= $2 AND m.seq < $3
    UNION ALL
    SELECT s.seq, s.place, s.source, s.occurred_at, s.recorded_at, s.times_seen, s.stated, s.decisions, ${COLUMNS}
      FROM sightings s JOIN memories m ON m.graph_id = $1 AND m.seq = s.memory_seq
      JOIN contexts c ON c.graph_id = $1 AND c.context_no = m.context_no
      WHERE s.graph_id = $1 AND s.seq >= $2 AND s.seq < $3
    ORDER BY seq`,
}
const LATEST = {
  name: 'export-latest',
  text: 'SELECT recorded_at FROM memories WHERE graph_id = $1 ORDER BY seq DESC LIMIT 1',
}
/** Places in the order of recording, not all of which hold an event: how many are asked for at once, at first and at most. */
const AT_FIRST = 16
const AT_MOST = 500
/** About so many letters come at once, however long the memories are: a large export must not take much memory. */
const LETTERS = 500_000

interface EventColumns {
  readonly seq: number
  readonly place: number
  readonly decisions: string | null
  readonly recorded_at: string
  readonly times_seen: number
  readonly stated: string | null
  readonly memory_id: string
  readonly context_id: string
  readonly kind: EventKind
  readonly source: Source
  readonly payload: string
  readonly occurred_at: string
}

/** The graph as it is now, some events at a time: the snapshot is held until the last one was taken. */
export async function exportGraph(database: Database, graphId: GraphId): Promise<GraphExport> {
  const { session, end } = await database.hold()
  try {
    const { last_seq } = await graphRow(session, graphId)
    const [latest] = await session.rows<{ recorded_at: string }>(LATEST, [graphId])
    return { latestAt: latest?.recorded_at, events: ending(pages(session, graphId, last_seq), end) }
  } catch (error) {
    await end(error)
    throw toFailure(error)
  }
}

async function* ending<T>(
  items: AsyncIterable<T>,
  end: (error?: unknown) => Promise<void>,
): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    throw toFailure(error)
  } finally {
    await end()
  }
}

/** Every event of the graph in order, some at a time, from a session that sees one snapshot. */
export function pages(
  session: Session,
  graphId: GraphId,
  lastSeq: number,
): AsyncGenerator<readonly PastEvent[]> {
  let from = 0
  return inPages(async (many) => {
    if (from > lastSeq) return undefined
    const rows = await session.rows<EventColumns>(EVENTS, [graphId, from, from + many])
    from += many
    return rows
  })
}

/** The same as it is now, though the transaction of the session changes the graph before the last event is taken. */
export async function pagesAsOfNow(
  session: Session,
  graphId: GraphId,
  lastSeq: number,
): Promise<AsyncGenerator<readonly PastEvent[]>> {
  const fetch = await session.cursor<EventColumns>(EVENTS, [graphId, 0, lastSeq + 1])
  return inPages(async (many) => {
    const rows = await fetch(many)
    return rows.length === 0 ? undefined : rows
  })
}

/** `next` gives the next rows, about as many as it is asked for, and undefined after the last. */
async function* inPages(
  next: (many: number) => Promise<readonly EventColumns[] | undefined>,
): AsyncGenerator<readonly PastEvent[]> {
  let many = AT_FIRST
  for (let rows = await next(many); rows !== undefined; rows = await next(many)) {
    const letters = rows.reduce((sum, { payload }) => sum + payload.length, 0)
    many = Math.max(1, Math.min(AT_MOST, 2 * many, Math.floor((many * LETTERS) / Math.max(1, letters))))
    if (rows.length > 0) yield rows.map(toPastEvent)
  }
}

function toPastEvent(row: EventColumns): PastEvent {
  return {
    memoryId: row.memory_id,
    contextId: row.context_id,
    eventKind: row.kind,
    source: row.source,
    payload: payloadOf(row.payload),
    links: linksOf(row.stated),
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    timesSeen: row.times_seen,
    place: row.place,
    decisions: decisionsFrom(row.decisions) ?? NOTHING_DECIDED,
  }
}
