import type { PastEvent } from '../../../domain/events/recording.js'
import { Failure, noGraphYet } from '../../../domain/failure.js'
import type { GraphId } from '../../../domain/model.js'
import { createYielding } from '../../../loop/yielding.js'
import type { ExportPart, GraphExport } from '../../store.js'
import type { Database } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import { momentOf } from '../read/then.js'
import { graphRow } from '../schema/graph-row.js'
import { ALL_EVENTS, EVENTS, type EventColumns, LETTERS, lettersIn, NEXT, toPastEvent } from './event-rows.js'

/** How many events are asked for at once, at first and at most. */
const AT_FIRST = 16
const AT_MOST = 500
/** How many rows of a cursor are asked for at most: their letters are not known before they come. */
const AT_MOST_UNSEEN = 32
const EDITION = { name: 'export-edition', text: 'SELECT edition FROM graphs WHERE graph_id = $1' }
const LATEST = {
  name: 'export-latest',
  text: 'SELECT recorded_at FROM memories WHERE graph_id = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1',
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
    // More may follow a page that was cut for its letters.
    after = rows.length < many && lettersIn(rows) < LETTERS ? undefined : rows.at(-1)?.seq
    return rows
  }, made)
}

/** The same as it is now, though the transaction of the session changes the graph before the last event is taken. */
export async function pagesAsOfNow(
  session: Session,
  graphId: GraphId,
  lastSeq: number,
): Promise<AsyncGenerator<readonly PastEvent[]>> {
  const fetch = await session.cursor<EventColumns>(ALL_EVENTS, [graphId, 0, lastSeq, null])
  return inPages(async (many) => {
    const rows = await fetch(Math.min(many, AT_MOST_UNSEEN))
    return rows.length === 0 ? undefined : rows
  }, toPastEvent)
}

/** `next` gives the next rows, about as many as it is asked for, and undefined after the last. */
async function* inPages<T>(
  next: (many: number) => Promise<readonly EventColumns[] | undefined>,
  made: (row: EventColumns) => T,
): AsyncGenerator<readonly T[]> {
  const yielding = createYielding()
  let many = AT_FIRST
  for (let rows = await next(many); rows !== undefined; rows = await next(many)) {
    const fitting = Math.floor((rows.length * LETTERS) / Math.max(1, lettersIn(rows)))
    many = Math.max(1, Math.min(AT_MOST, 2 * many, fitting))
    const page: T[] = []
    for (const row of rows) {
      page.push(made(row))
      await yielding()
    }
    if (page.length > 0) yield page
  }
}
