import type { ContextId, GraphId, Memory, MemoryId } from '../../../domain/model.js'
import { recordsAgainst } from '../../../domain/trust/claims/against.js'
import type { Session } from '../connection/session.js'
import { CLAIM_COLUMNS, type ClaimColumns, claimOf } from '../schema/claims.js'
import { memoriesById } from './memories.js'

const OF_MEMORY = `CROSS JOIN LATERAL (
    SELECT context_id FROM contexts WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`
const MEMORIES = {
  name: 'told-claims',
  text: `SELECT ${CLAIM_COLUMNS} FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT * FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m ${OF_MEMORY}`,
}
const RECORDS = {
  name: 'records-against',
  text: `SELECT r.context_id AS against_id, r.place AS at_place, ${CLAIM_COLUMNS}
    FROM unnest($2::text[]) AS wanted(id)
    CROSS JOIN LATERAL (SELECT context_id, place, memory_id FROM records_against
      WHERE graph_id = $1 AND context_id = wanted.id OFFSET 0) r
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE graph_id = $1 AND memory_id = r.memory_id
      AND superseded_at IS NULL OFFSET 0) m ${OF_MEMORY}
    ORDER BY r.place`,
}

interface RecordColumns extends ClaimColumns {
  readonly against_id: ContextId
  readonly at_place: number
}

/** For each of these memories, the records against its context (`Knowledge.recordsAgainst` says which). */
export async function recordsAgainstMemories(
  session: Session,
  graphId: GraphId,
  ids: readonly MemoryId[],
): Promise<Map<MemoryId, readonly Memory[]>> {
  if (ids.length === 0) return new Map()
  const told = (await session.rows<ClaimColumns>(MEMORIES, [graphId, ids])).map(claimOf)
  const contexts = [...new Set(told.map(({ contextId }) => contextId))]
  const rows = await session.rows<RecordColumns>(RECORDS, [graphId, contexts])
  const claims = new Map(rows.map((row) => [row.memory_id, claimOf(row)]))
  const found = new Map<MemoryId, readonly MemoryId[]>()
  for (const memory of told) {
    const records = rows
      .filter(({ against_id }) => against_id === memory.contextId)
      .map((row) => ({ claim: row.memory_id, place: row.at_place }))
    const against = recordsAgainst(memory, records, (id) => claims.get(id))
    if (against.length > 0) found.set(memory.id, against)
  }
  const memories = await memoriesById(session, graphId, [...new Set([...found.values()].flat())])
  const byId = new Map(memories.map((memory) => [memory.memoryId, memory]))
  return new Map(
    Array.from(found, ([id, against]) => [
      id,
      against.flatMap((other) => byId.get(other) ?? []).sort((a, b) => a.seq - b.seq),
    ]),
  )
}
