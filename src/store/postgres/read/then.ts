import type { GraphId } from '../../../domain/model.js'
import type { AsOf } from '../../../domain/time.js'
import type { Session, SqlStatement } from '../connection/session.js'

/** The last statement at or before a number. */
const BEFORE = (number: string) => `SELECT seq, place, recorded_at FROM (
    (SELECT seq, place, recorded_at FROM memories WHERE graph_id = $1 AND seq <= ${number} ORDER BY seq DESC LIMIT 1)
    UNION ALL
    (SELECT seq, place, recorded_at FROM sightings WHERE graph_id = $1 AND seq <= ${number} ORDER BY seq DESC LIMIT 1)
  ) s ORDER BY seq DESC LIMIT 1`

/** Times rise with the numbers, so that half of what is left is ruled out at each step. */
const BY_TIME = {
  name: 'moment-by-time',
  text: `WITH RECURSIVE search(low, high) AS (
      SELECT 0::bigint, $3::bigint
      UNION ALL
      SELECT CASE WHEN s.is_by THEN middle ELSE low END, CASE WHEN s.is_by THEN high ELSE middle - 1 END
      FROM (SELECT low, high, (low + high + 1) / 2 AS middle FROM search WHERE low < high) step
      CROSS JOIN LATERAL (SELECT coalesce((SELECT recorded_at <= $2 FROM (${BEFORE('middle')}) l), true) AS is_by) s
    )
    SELECT s.seq, s.place FROM search CROSS JOIN LATERAL (${BEFORE('low')}) s WHERE low = high`,
}
const BY_PLACE = {
  name: 'moment-by-place',
  text: `SELECT seq, place FROM (
      (SELECT seq, place FROM memories WHERE graph_id = $1 AND place <= $2 ORDER BY place DESC LIMIT 1)
      UNION ALL
      (SELECT seq, place FROM sightings WHERE graph_id = $1 AND place <= $2 ORDER BY place DESC LIMIT 1)
    ) s ORDER BY seq DESC LIMIT 1`,
}

/** How far a graph had been recorded: the number and the place of the last statement. */
export interface Moment {
  readonly seq: number
  readonly place: number
}

/** The last statement of a graph at a moment; undefined before the first. */
export function momentOf(
  session: Session,
  graphId: GraphId,
  asOf: AsOf,
  lastSeq: number,
): Promise<Moment | undefined> {
  return 'place' in asOf
    ? session.row<Moment>(BY_PLACE, [graphId, asOf.place])
    : session.row<Moment>(BY_TIME, [graphId, asOf.time, lastSeq])
}

const LOOK_BACK = {
  name: 'look-back',
  text: `SELECT set_config('loregraph.seq', $1, true), set_config('loregraph.place', $2, true)`,
}

/** The tables of which there is a view of the past (migrations/009-history.ts). */
const PAST =
  /\b(FROM|JOIN) (graphs|contexts|context_types|memories|relations|speakers|supersessions|disputes|records_against|joined|postings|terms|readings)\b/g

/** The same transaction, in which every statement sees the graph as it was at a moment. */
export async function sessionAt(session: Session, { seq, place }: Moment): Promise<Session> {
  await session.rows(LOOK_BACK, [String(seq), String(place)])
  return session.changing(inThePast)
}

const changed = new Map<string, SqlStatement>()

function inThePast(statement: SqlStatement): SqlStatement {
  const known = changed.get(statement.name)
  if (known !== undefined) return known
  const then = { name: `${statement.name}-then`, text: statement.text.replace(PAST, '$1 $2_then') }
  changed.set(statement.name, then)
  return then
}
