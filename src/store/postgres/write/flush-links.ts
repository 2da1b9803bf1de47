import type { BulkWrite } from '../connection/bulk-write.js'
import type { Change, RelationChange } from './change.js'

interface Spoken {
  readonly from_no: number
  readonly kind: string
  readonly to_no: number
  readonly by_seq: number
  readonly seq: number
}

/** What memories say about others and about contexts. */
export async function flushLinks(tables: BulkWrite, change: Change): Promise<void> {
  const relating = flushRelations(tables, change)
  const links = [...change.memoryLinks.values()]
  tables.insert(
    'memory_links',
    [
      ['target_seq', 'bigint', links.map(({ target }) => target)],
      ['by_seq', 'bigint', links.map(({ by }) => by)],
    ],
    'ON CONFLICT DO NOTHING',
  )
  await relating
}

/** The weight of a link is the number of memories that state it, each counted once. */
async function flushRelations(tables: BulkWrite, { relations }: Change): Promise<void> {
  const spoken = [...relations.values()].flatMap(({ from, kind, to, speakers }) =>
    Array.from(speakers, ([by_seq, { first: seq, last }]) => ({
      from_no: from.no,
      kind,
      to_no: to.no,
      by_seq,
      seq,
      last: last === seq ? null : last,
    })),
  )
  const kept = await tables.insert<Spoken>(
    'speakers',
    [
      ['from_no', 'integer', spoken.map(({ from_no }) => from_no)],
      ['kind', 'text', spoken.map(({ kind }) => kind)],
      ['to_no', 'integer', spoken.map(({ to_no }) => to_no)],
      ['by_seq', 'bigint', spoken.map(({ by_seq }) => by_seq)],
      ['seq', 'bigint', spoken.map(({ seq }) => seq)],
      ['last_seq', 'bigint', spoken.map(({ last }) => last)],
    ],
    `ON CONFLICT (graph_id, from_no, kind, to_no, by_seq) DO UPDATE
      SET last_seq = coalesce(excluded.last_seq, excluded.seq) RETURNING from_no, kind, to_no, by_seq, seq`,
  )
  const firsts = new Map<string, number>()
  for (const { from_no, kind, to_no, by_seq, seq } of kept)
    firsts.set(`${from_no} ${kind} ${to_no} ${by_seq}`, seq)
  // One that has stated it before keeps its first event.
  const weightOf = (key: string, speakers: RelationChange['speakers']) =>
    Array.from(speakers).filter(([by, { first }]) => firsts.get(`${key} ${by}`) === first).length
  const rows = Array.from(relations, ([key, row]) => ({ ...row, weight: weightOf(key, row.speakers) }))
  tables.insert(
    'relations',
    [
      ['from_no', 'integer', rows.map(({ from }) => from.no)],
      ['kind', 'text', rows.map(({ kind }) => kind)],
      ['to_no', 'integer', rows.map(({ to }) => to.no)],
      ['made', 'bigint', rows.map(({ made }) => made)],
      ['weight', 'integer', rows.map(({ weight }) => weight)],
      ['first_seen', 'text', rows.map(({ firstSeen }) => firstSeen)],
      ['last_seen', 'text', rows.map(({ lastSeen }) => lastSeen)],
    ],
    `ON CONFLICT (graph_id, from_no, kind, to_no) DO UPDATE
      SET weight = relations.weight + excluded.weight, last_seen = excluded.last_seen`,
  )
}
