import type { BulkWrite } from '../connection/bulk-write.js'
import type { Change, RelationChange } from './change.js'

/** A link between two contexts, by their numbers. */
interface Numbered {
  readonly from_no: number
  readonly kind: string
  readonly to_no: number
}

/** What memories say about others and about contexts. */
export async function flushLinks(tables: BulkWrite, change: Change): Promise<void> {
  const links = [...change.memoryLinks.values()]
  tables.insert(
    'memory_links',
    [
      ['target_seq', 'bigint', links.map(({ target }) => target)],
      ['by_seq', 'bigint', links.map(({ by }) => by)],
    ],
    'ON CONFLICT DO NOTHING',
  )
  const { linksSeen } = change
  tables.insert(
    'relation_sightings',
    [
      ['from_no', 'integer', linksSeen.map(({ from }) => from.no)],
      ['kind', 'text', linksSeen.map(({ kind }) => kind)],
      ['to_no', 'integer', linksSeen.map(({ to }) => to.no)],
      ['seq', 'bigint', linksSeen.map(({ seq }) => seq)],
    ],
    'ON CONFLICT DO NOTHING',
  )
  for (const some of someAtATime(change.relations.values())) await flushRelations(tables, some)
}

/** About so many speakers are written at a time, so that nothing else waits long for its turn. */
const AT_ONCE = 2_000

function* someAtATime(relations: Iterable<RelationChange>): Iterable<readonly RelationChange[]> {
  let some: RelationChange[] = []
  let speakers = 0
  for (const relation of relations) {
    some.push(relation)
    speakers += relation.speakers.size
    if (speakers < AT_ONCE) continue
    yield some
    some = []
    speakers = 0
  }
  yield some
}

/** The weight of a link is the number of memories that state it, each counted once. */
async function flushRelations(tables: BulkWrite, relations: readonly RelationChange[]): Promise<void> {
  const spoken = relations.flatMap(({ from, kind, to, speakers }) =>
    Array.from(speakers, ([by, seq]) => ({ from_no: from.no, kind, to_no: to.no, by, seq })),
  )
  const fresh = await tables.insertNew<Numbered>(
    'speakers',
    [
      ['from_no', 'integer', spoken.map(({ from_no }) => from_no)],
      ['kind', 'text', spoken.map(({ kind }) => kind)],
      ['to_no', 'integer', spoken.map(({ to_no }) => to_no)],
      ['by_seq', 'bigint', spoken.map(({ by }) => by)],
      ['seq', 'bigint', spoken.map(({ seq }) => seq)],
    ],
    ['from_no', 'kind', 'to_no'],
  )
  const weights = new Map<string, number>()
  for (const { from_no, kind, to_no, count } of fresh) {
    const key = `${from_no} ${kind} ${to_no}`
    weights.set(key, (weights.get(key) ?? 0) + count)
  }
  tables.insert(
    'relations',
    [
      ['from_no', 'integer', relations.map(({ from }) => from.no)],
      ['kind', 'text', relations.map(({ kind }) => kind)],
      ['to_no', 'integer', relations.map(({ to }) => to.no)],
      ['made', 'bigint', relations.map(({ made }) => made)],
      [
        'weight',
        'integer',
        relations.map(({ from, kind, to }) => weights.get(`${from.no} ${kind} ${to.no}`) ?? 0),
      ],
      ['first_seen', 'text', relations.map(({ firstSeen }) => firstSeen)],
      ['last_seen', 'text', relations.map(({ lastSeen }) => lastSeen)],
    ],
    `ON CONFLICT (graph_id, from_no, kind, to_no) DO UPDATE
      SET weight = relations.weight + excluded.weight, last_seen = excluded.last_seen`,
  )
}
