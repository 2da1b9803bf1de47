import { isMemoryId } from '../../../domain/ids.js'
import type { ContextId, GraphId, MemoryId } from '../../../domain/model.js'
import { MOST_CONSIDERED } from '../../../domain/trust/claims/claims.js'
import type { Session } from '../connection/session.js'
import { CLAIM_COLUMNS, type ClaimColumns } from '../schema/claims.js'

const OF_MEMORY = `CROSS JOIN LATERAL (
    SELECT context_id FROM contexts WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`

/** With the claims that stand in the place of these, and all between. */
const CLAIMS = {
  name: 'load-claims',
  text: `WITH RECURSIVE chain(id) AS (
      SELECT unnest($2::text[]) COLLATE "C"
      UNION SELECT s.by_id FROM chain CROSS JOIN LATERAL (
        SELECT by_id FROM supersessions WHERE graph_id = $1 AND memory_id = chain.id OFFSET 0) s
    )
    SELECT ${CLAIM_COLUMNS}, octet_length(m.payload) AS letters FROM chain CROSS JOIN LATERAL (
      SELECT * FROM memories WHERE graph_id = $1 AND memory_id = chain.id AND seq <= $3 OFFSET 0) m ${OF_MEMORY}`,
}
const OPPONENTS = {
  name: 'load-opponents',
  text: `SELECT d.memory_id, d.other_id FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT memory_id, other_id FROM disputes WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) d
    ORDER BY d.memory_id, d.other_id`,
}
const STANDING = {
  name: 'load-standing',
  text: `SELECT ${CLAIM_COLUMNS}, octet_length(m.payload) AS letters
    FROM unnest($2::text[]) WITH ORDINALITY AS wanted(id, number)
    CROSS JOIN LATERAL (SELECT context_no, context_id FROM contexts
      WHERE graph_id = $1 AND context_id = wanted.id OFFSET 0) c
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE graph_id = $1 AND context_no = c.context_no
      AND superseded_at IS NULL AND seq <= $3 ORDER BY seq DESC LIMIT $4) m
    ORDER BY wanted.number, m.seq`,
}

export interface ClaimAndLength extends ClaimColumns {
  /** Of its payload. */
  readonly letters: number
}

/** Of the memories up to `lastSeq`. */
export async function loadClaims(
  session: Session,
  graphId: GraphId,
  ids: readonly MemoryId[],
  lastSeq: number,
): Promise<ClaimAndLength[]> {
  return ids.length === 0 ? [] : session.rows<ClaimAndLength>(CLAIMS, [graphId, ids, lastSeq])
}

/** The claims in open contradiction with each of these. */
export async function loadOpponents(
  session: Session,
  graphId: GraphId,
  ids: readonly MemoryId[],
): Promise<Map<MemoryId, MemoryId[]>> {
  const opponents = new Map<MemoryId, MemoryId[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return opponents
  const rows = await session.rows<{ memory_id: MemoryId; other_id: MemoryId }>(OPPONENTS, [graphId, ids])
  for (const { memory_id, other_id } of rows) opponents.get(memory_id)?.push(other_id)
  return opponents
}

/** The latest memories of these contexts up to `lastSeq` that stand, context by context, the latest last. */
export async function loadStanding(
  session: Session,
  graphId: GraphId,
  ids: readonly ContextId[],
  lastSeq: number,
): Promise<ClaimAndLength[]> {
  if (ids.length === 0) return []
  return session.rows<ClaimAndLength>(STANDING, [graphId, ids, lastSeq, MOST_CONSIDERED])
}

/** The distinct ids of memories among some names. */
export function memoryIdsIn(names: Iterable<string>): MemoryId[] {
  return [...new Set(names)].filter((name) => isMemoryId(name))
}
