import type { GraphId, LinkKind } from '../../../domain/model.js'
import type { Column } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { LINKS } from '../schema/rows.js'

/** A link between two contexts, which some memories of the first state. */
export interface Relation {
  readonly from_no: number
  readonly kind: LinkKind
  readonly to_no: number
}

const LOSING =
  'unnest($2::integer[], $3::text[], $4::integer[], $5::integer[]) AS losing(from_no, kind, to_no, lost)'
const SAME = (table: string) =>
  `${table}.graph_id = $1 AND ${table}.from_no = losing.from_no AND ${table}.kind = losing.kind
    AND ${table}.to_no = losing.to_no`
const EVENT = (seq: string) => `(
    SELECT recorded_at, stated FROM memories WHERE graph_id = $1 AND seq = ${seq}
    UNION ALL SELECT recorded_at, stated FROM sightings WHERE graph_id = $1 AND seq = ${seq})`

const FORGET = {
  name: 'erase-forget-relations',
  text: `DELETE FROM relations r USING ${LOSING} WHERE ${SAME('r')} AND r.weight = losing.lost`,
}
/** By the first and the last event that still state them, and the first link of the first event that does. */
const RECKON = {
  name: 'erase-reckon-relations',
  text: `UPDATE relations r SET weight = r.weight - losing.lost, first_seen = first.recorded_at,
      last_seen = last.recorded_at, made = begin.seq * ${LINKS} + least(${LINKS - 1}, stating.link)
    FROM ${LOSING}
    CROSS JOIN LATERAL (SELECT s.seq FROM speakers s WHERE ${SAME('s')} ORDER BY s.seq LIMIT 1) begin
    CROSS JOIN LATERAL (SELECT greatest(
      (SELECT s.seq FROM speakers s WHERE ${SAME('s')} ORDER BY s.seq DESC LIMIT 1),
      (SELECT s.seq FROM relation_sightings s WHERE ${SAME('s')} ORDER BY s.seq DESC LIMIT 1)) AS seq) latest
    CROSS JOIN LATERAL ${EVENT('begin.seq')} first
    CROSS JOIN LATERAL ${EVENT('latest.seq')} last
    CROSS JOIN LATERAL (SELECT min(l.number) - 1 AS link
      FROM json_array_elements(first.stated::json) WITH ORDINALITY AS l(link, number)
      WHERE l.link->>0 = losing.kind AND losing.to_no = coalesce(
        (SELECT context_no FROM contexts WHERE graph_id = $1 AND context_id = l.link->>1),
        (SELECT context_no FROM memories WHERE graph_id = $1 AND memory_id = l.link->>1))) stating
    WHERE ${SAME('r')}`,
}

/** Removes relations that nobody states any more, and reckons the others anew; `lost` is how many no longer state one. */
export async function reckonRelations(
  session: Session,
  graphId: GraphId,
  relations: readonly (Relation & { readonly lost: number })[],
): Promise<void> {
  if (relations.length === 0) return
  const values = [
    graphId,
    ...relationColumns(relations).map(([, , values]) => values),
    relations.map(({ lost }) => lost),
  ]
  await session.rows(FORGET, values)
  await session.rows(RECKON, values)
}

export function relationColumns(relations: readonly Relation[]): Column[] {
  return [
    ['from_no', 'integer', relations.map(({ from_no }) => from_no)],
    ['kind', 'text', relations.map(({ kind }) => kind)],
    ['to_no', 'integer', relations.map(({ to_no }) => to_no)],
  ]
}

/** Each once. */
export function unique(relations: readonly Relation[]): Relation[] {
  return [
    ...new Map(
      relations.map(({ from_no, kind, to_no }) => [
        keyOf({ from_no, kind, to_no }),
        { from_no, kind, to_no },
      ]),
    ).values(),
  ]
}

export function keyOf({ from_no, kind, to_no }: Relation): string {
  return `${from_no} ${kind} ${to_no}`
}
