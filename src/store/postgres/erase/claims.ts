import { isNothing } from '../../../domain/events/recording.js'
import type { GraphId, MemoryId } from '../../../domain/model.js'
import type { Claim } from '../../../domain/trust/claims/types.js'
import { BulkWrite, type Column } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { basesText, claimOf, claimText } from '../schema/claims.js'
import { loadOpponents } from '../trust/load-claims.js'
import { type Joined, joinsOf } from '../write/flush-claims.js'
import type { Reckoned } from './reckon.js'

const JOINED = {
  name: 'erase-joined-of',
  text: `SELECT j.* FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT node, kind, memory_id, place FROM joined WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) j`,
}

/** A row as the values of its columns. */
type Row = readonly (string | number)[]
type Rows = ReadonlyMap<string, Row>

/** Writes down what was reckoned anew of claims that are connected with erased ones: only what is other than before. */
export async function reckonClaims(
  session: Session,
  graphId: GraphId,
  { memories, remains }: Reckoned,
): Promise<void> {
  const before = memories.map(claimOf)
  const after = [...remains.claims.values()]
  const disputed = before.filter(({ disputes }) => disputes > 0).map(({ id }) => id)
  const opponents = await loadOpponents(session, graphId, disputed)
  const ids = memories.map(({ memory_id }) => memory_id)
  const joined = await session.rows<{ node: string; kind: string; memory_id: MemoryId; place: number }>(
    JOINED,
    [graphId, ids],
  )
  const tables = new BulkWrite(session, graphId)
  const texts = new Map(memories.map(({ memory_id, claim }) => [memory_id, claim]))
  const changed = after.filter((claim) => texts.get(claim.id) !== claimText(claim))
  tables.update('erase-update-claims', 'memories', [
    ['memory_id', 'text', changed.map(({ id }) => id)],
    ['claim', 'text', changed.map(claimText)],
    ['bases', 'text[]', changed.map(basesText)],
    ['superseded_at', 'bigint', changed.map(({ superseded }) => superseded?.place ?? null)],
    ['superseded_source', 'text', changed.map(({ superseded }) => superseded?.source ?? null)],
  ])
  replace(tables, 'supersessions', SUPERSESSIONS, supersessions(before), supersessions(after))
  replace(
    tables,
    'disputes',
    DISPUTES,
    rowsOf(Array.from(opponents, ([id, others]) => others.map((other) => [id, other])).flat()),
    rowsOf(
      remains.disputes.flatMap(({ a, b }) => [
        [a, b],
        [b, a],
      ]),
    ),
  )
  replace(tables, 'records_against', AGAINST, against(before), against(after))
  const joins = remains.events.filter(({ decisions }) => !isNothing(decisions)).flatMap(joinsOf)
  replace(
    tables,
    'joined',
    JOINS,
    rowsOf(joined.map(({ node, kind, memory_id, place }) => [node, kind, memory_id, place])),
    rowsOf(firstOf(joins).map(({ node, kind, claim, place }) => [node, kind, claim, place])),
  )
  await tables.done()
}

const SUPERSESSIONS = [
  ['memory_id', 'text'],
  ['by_id', 'text'],
] as const
const DISPUTES = [
  ['memory_id', 'text'],
  ['other_id', 'text'],
] as const
const AGAINST = [
  ['context_id', 'text'],
  ['place', 'bigint'],
  ['memory_id', 'text'],
] as const
const JOINS = [
  ['node', 'text'],
  ['kind', 'text'],
  ['memory_id', 'text'],
  ['place', 'bigint'],
] as const

function supersessions(claims: readonly Claim[]): Rows {
  return rowsOf(claims.flatMap(({ id, supersededBy }) => supersededBy.map((by) => [id, by])))
}

function against(claims: readonly Claim[]): Rows {
  return rowsOf(
    claims.flatMap(({ id, against }) => against.map(({ contextId, place }) => [contextId, place, id])),
  )
}

/** Of several events that join the same, the first. */
function firstOf(joins: readonly Joined[]): Joined[] {
  const latestFirst = [...joins].reverse()
  return [...new Map(latestFirst.map((one) => [`${one.node} ${one.kind} ${one.claim}`, one])).values()]
}

function rowsOf(rows: readonly Row[]): Rows {
  return new Map(rows.map((row) => [row.join(' '), row]))
}

/** Removes the rows that are no longer so, and adds those that were not. */
function replace(
  tables: BulkWrite,
  table: string,
  names: readonly (readonly [string, 'text' | 'bigint'])[],
  before: Rows,
  after: Rows,
): void {
  const only = (rows: Rows, others: Rows): Column[] => {
    const found = Array.from(rows).flatMap(([key, row]) => (others.has(key) ? [] : [row]))
    return names.map(([name, type], i) => [name, type, found.map((row) => row[i])])
  }
  tables.remove(table, only(before, after))
  tables.insert(table, only(after, before), '', `erase-insert-${table}`)
}
