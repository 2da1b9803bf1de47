import type { PastEvent } from '../../../domain/events/recording.js'
import { Failure, noGraphYet } from '../../../domain/failure.js'
import type { EventKind, GraphId, RecorderId, Source } from '../../../domain/model.js'
import { NOTHING_DECIDED } from '../../../domain/trust/claims/types.js'
import type { ExportPart, GraphExport } from '../../store.js'
import type { Database } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import { momentOf } from '../read/then.js'
import { decisionsFrom } from '../schema/claims.js'
import { graphRow } from '../schema/graph-row.js'
import { linksOf, payloadOf } from '../schema/rows.js'

const COLUMNS = 'm.memory_id, c.context_id, m.kind, m.payload'
/** Of a statement, be it the first of its memory or not. */
const STATED = [
  'seq',
  'place',
  'source',
  'occurred_at',
  'recorded_at',
  'valid_until',
  'recorded_by',
  'stated',
  'decisions',
]
const OF_MEMORY = [...STATED.map((column) => `m.${column}`), '1 AS times_seen'].join()
const OF_SIGHTING = [...STATED, 'times_seen'].map((column) => `s.${column}`).join()
/** The events after one and up to another, so many of them at most, or all. */
const EVENTS = {
  name: 'export-events',
  text: `SELECT e.*, m.memory_id, c.context_id, m.kind, m.payload FROM (
      (SELECT ${STATED.join()}, seq AS memory_seq, 1 AS times_seen FROM memories
        WHERE graph_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4)
      UNION ALL
      (SELECT ${STATED.join()}, memory_seq, times_seen FROM sightings
        WHERE graph_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4)
      ORDER BY seq LIMIT $4) e
    CROSS JOIN LATERAL (SELECT memory_id, context_no, kind, payload FROM memories
      WHERE graph_id = $1 AND seq = e.memory_seq OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c
    ORDER BY e.seq`,
}
/** The next statements after a place, each found by the index of its own table. */
const NEXT = {
  name: 'next-statements',
  text: `(SELECT ${OF_MEMORY}, ${COLUMNS}
      FROM (SELECT * FROM memories WHERE graph_id = $1 AND place > $2 ORDER BY place LIMIT $3) m
      JOIN contexts c ON c.graph_id = $1 AND c.context_no = m.context_no)
    UNION ALL
    (SELECT ${OF_SIGHTING}, ${COLUMNS}
      FROM (SELECT * FROM sightings WHERE graph_id = $1 AND place > $2 ORDER BY place LIMIT $3) s
      JOIN memories m ON m.graph_id = $1 AND m.seq = s.memory_seq
      JOIN contexts c ON c.graph_id = $1 AND c.context_no = m.context_no)
    ORDER BY place LIMIT $3`,
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
  readonly valid_until: string | null
  readonly recorded_by: RecorderId | null
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
export async function exportGraph(
  database: Database,
  graphId: GraphId,
  { after = 0, asOf }: ExportPart,
): Promise<GraphExport> {
  const { edition, from, lastSeq, latest } = await database.read(async (session) => {
    const { edition, last_seq } = await graphRow(session, graphId)
    const moment = asOf && (await momentOf(session, graphId, asOf, last_seq))
    if (asOf !== undefined && moment === undefined) throw noGraphYet(graphId)
    const lastSeq = moment?.seq ?? last_seq
    const [latest, before] = await Promise.all([
      session.row<{ recorded_at: string }>(LATEST, [graphId, lastSeq]),
      after === 0 ? undefined : momentOf(session, graphId, { place: after }, last_seq),
    ])
    return { edition, from: before?.seq ?? 0, lastSeq, latest }
  })
  return {
    latestAt: latest?.recorded_at,
    events: pagesOf(database, graphId, { edition, from, lastSeq }),
    close: async () => undefined,
  }
}

/**
 * The statements after a place, in order, up to the last one there is when the next are asked for. They are found by
 * place, so that an erasure between two reads leaves out what it erased and nothing else.
 */
export async function* statementsAfter(
  database: Database,
  graphId: GraphId,
  after: number,
): AsyncGenerator<readonly PastEvent[]> {
  let place = after
  const next = (many: number) =>
    database.read(async (session) => {
      const [, rows] = await Promise.all([
        graphRow(session, graphId),
        session.rows<EventColumns>(NEXT, [graphId, place, many]),
      ])
      return rows.length === 0 ? undefined : rows
    })
  for await (const events of inPages(next, toPastEvent)) {
    yield events
    place = events.at(-1)?.place ?? place
  }
}

function pagesOf(
  database: Database,
  graphId: GraphId,
  { edition, from, lastSeq }: { readonly edition: number; readonly from: number; readonly lastSeq: number },
): AsyncGenerator<readonly PastEvent[]> {
  return bySeq(
    from,
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

/** Every event of the graph in order, each with its number, some at a time, from a session that sees one snapshot. */
export function numberedPages(
  session: Session,
  graphId: GraphId,
  lastSeq: number,
): AsyncGenerator<readonly { readonly seq: number; readonly event: PastEvent }[]> {
  return bySeq(
    0,
    (after, many) => session.rows<EventColumns>(EVENTS, [graphId, after, lastSeq, many]),
    (row) => ({ seq: row.seq, event: toPastEvent(row) }),
  )
}

function bySeq<T>(
  from: number,
  rowsAfter: (seq: number, many: number) => Promise<EventColumns[]>,
  made: (row: EventColumns) => T,
): AsyncGenerator<readonly T[]> {
  let after: number | undefined = from
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
    ...(row.valid_until !== null && { validUntil: row.valid_until }),
    ...(row.recorded_by !== null && { recordedBy: row.recorded_by }),
    place: row.place,
    decisions: decisionsFrom(row.decisions) ?? NOTHING_DECIDED,
  }
}
