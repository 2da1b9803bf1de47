import type { PastEvent } from '../../../domain/events/recording.js'
import { Failure, graphNotFound } from '../../../domain/failure.js'
import type { EventKind, GraphId, Source } from '../../../domain/model.js'
import type { AsOf } from '../../../domain/time.js'
import { NOTHING_DECIDED } from '../../../domain/trust/claims/types.js'
import type { GraphExport } from '../../store.js'
import type { Database } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import { momentOf } from '../read/then.js'
import { decisionsFrom } from '../schema/claims.js'
import { graphRow } from '../schema/graph-row.js'
import { linksOf, payloadOf } from '../schema/rows.js'

const COLUMNS = 'place, source, occurred_at, recorded_at, stated, decisions'
/** The events after one and up to another, so many of them at most, or all. */
const EVENTS = {
  name: 'export-events',
  text: `SELECT e.*, m.memory_id, c.context_id, m.kind, m.payload FROM (
      (SELECT seq, seq AS memory_seq, 1 AS times_seen, ${COLUMNS} FROM memories
        WHERE graph_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4)
      UNION ALL
      (SELECT seq, memory_seq, times_seen, ${COLUMNS} FROM sightings
        WHERE graph_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4)
      ORDER BY seq LIMIT $4) e
    CROSS JOIN LATERAL (SELECT memory_id, context_no, kind, payload FROM memories
      WHERE graph_id = $1 AND seq = e.memory_seq OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c
    ORDER BY e.seq`,
}
const EDITION = { name: 'export-edition', text: 'SELECT edition FROM graphs WHERE graph_id = $1' }
const LATEST = {
  name: 'export-latest',
  text: 'SELECT recorded_at FROM memories WHERE graph_id = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1',
}
/** How many events are asked for at once, at first and at most. */
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

/**
 * The graph as it is now, some events at a time, each time by a short read of its own: a client that is slow holds no
 * connection. Events are only added, so that those up to the last of now stay what they are, unless some are erased: then
 * the export ends with an error.
 */
export async function exportGraph(database: Database, graphId: GraphId, asOf?: AsOf): Promise<GraphExport> {
  const { edition, lastSeq, latest } = await database.read(async (session) => {
    const { edition, last_seq } = await graphRow(session, graphId)
    const moment = asOf && (await momentOf(session, graphId, asOf, last_seq))
    if (asOf !== undefined && moment === undefined) throw graphNotFound(graphId)
    const lastSeq = moment?.seq ?? last_seq
    return {
      edition,
      lastSeq,
      latest: await session.row<{ recorded_at: string }>(LATEST, [graphId, lastSeq]),
    }
  })
  return { latestAt: latest?.recorded_at, events: pagesOf(database, graphId, lastSeq, edition) }
}

function pagesOf(
  database: Database,
  graphId: GraphId,
  lastSeq: number,
  edition: number,
): AsyncGenerator<readonly PastEvent[]> {
  return bySeq(
    (after, many) =>
      database.read(async (session) => {
        const [now, rows] = await Promise.all([
          session.row<{ edition: number }>(EDITION, [graphId]),
          session.rows<EventColumns>(EVENTS, [graphId, after, lastSeq, many]),
        ])
        if (now?.edition === edition) return rows
        throw new Failure(
          'storage_unavailable',
          'Something of the graph was erased while it was exported. Export it again.',
        )
      }),
    toPastEvent,
  )
}

/** Every event of the graph in order, some at a time, from a session that sees one snapshot. */
export function pages(
  session: Session,
  graphId: GraphId,
  lastSeq: number,
): AsyncGenerator<readonly PastEvent[]> {
  return bySeq(
    (after, many) => session.rows<EventColumns>(EVENTS, [graphId, after, lastSeq, many]),
    toPastEvent,
  )
}

/** The same, each with its number. */
export function numberedPages(
  session: Session,
  graphId: GraphId,
  lastSeq: number,
): AsyncGenerator<readonly { readonly seq: number; readonly event: PastEvent }[]> {
  return bySeq(
    (after, many) => session.rows<EventColumns>(EVENTS, [graphId, after, lastSeq, many]),
    (row) => ({ seq: row.seq, event: toPastEvent(row) }),
  )
}

function bySeq<T>(
  rowsAfter: (seq: number, many: number) => Promise<EventColumns[]>,
  made: (row: EventColumns) => T,
): AsyncGenerator<readonly T[]> {
  let after: number | undefined = 0
  return inPages(async (many) => {
    if (after === undefined) return undefined
    const rows = await rowsAfter(after, many)
    after = rows.length < many ? undefined : rows.at(-1)?.seq
    return rows
  }, made)
}

/** The same as it is now, though the transaction of the session changes the graph before the last event is taken. */
export async function pagesAsOfNow(
  session: Session,
  graphId: GraphId,
  lastSeq: number,
): Promise<AsyncGenerator<readonly PastEvent[]>> {
  const fetch = await session.cursor<EventColumns>(EVENTS, [graphId, 0, lastSeq, null])
  return inPages(async (many) => {
    const rows = await fetch(many)
    return rows.length === 0 ? undefined : rows
  }, toPastEvent)
}

/** `next` gives the next rows, about as many as it is asked for, and undefined after the last. */
async function* inPages<T>(
  next: (many: number) => Promise<readonly EventColumns[] | undefined>,
  made: (row: EventColumns) => T,
): AsyncGenerator<readonly T[]> {
  let many = AT_FIRST
  for (let rows = await next(many); rows !== undefined; rows = await next(many)) {
    const letters = rows.reduce((sum, { payload }) => sum + payload.length, 0)
    many = Math.max(1, Math.min(AT_MOST, 2 * many, Math.floor((many * LETTERS) / Math.max(1, letters))))
    if (rows.length > 0) yield rows.map(made)
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
