import type { ContextId, GraphId, MemoryId, Source } from '../../../domain/model.js'
import { type Bases, type Causes, staleness } from '../../../domain/trust/claims/staleness.js'
import type { Claim, Supersession } from '../../../domain/trust/claims/types.js'
import type { Session } from '../connection/session.js'
import { CLAIM_COLUMNS, type ClaimColumns, claimOf } from '../schema/claims.js'

/** All that the memories at these places build on, directly or through others. */
const BASES = {
  name: 'bases',
  text: `WITH RECURSIVE reached(id) AS (
      SELECT unnest(m.bases) FROM unnest($2::bigint[]) AS wanted(seq) CROSS JOIN LATERAL (
        SELECT bases FROM memories WHERE graph_id = $1 AND seq = wanted.seq OFFSET 0) m
      UNION SELECT unnest(m.bases) FROM reached CROSS JOIN LATERAL (
        SELECT bases FROM memories WHERE graph_id = $1 AND memory_id = reached.id OFFSET 0) m
    )
    SELECT ${CLAIM_COLUMNS} FROM reached CROSS JOIN LATERAL (
      SELECT * FROM memories WHERE graph_id = $1 AND memory_id = reached.id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`,
}
/** Of two that stand, at least one is not the memory that asks. */
const LOSSES = {
  name: 'losses',
  text: `SELECT l.superseded_at AS place, l.superseded_source AS source
    FROM unnest($2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY AS wanted(context_id, place, except_id, number)
    LEFT JOIN LATERAL (SELECT context_no FROM contexts
      WHERE graph_id = $1 AND context_id = wanted.context_id OFFSET 0) c ON true
    LEFT JOIN LATERAL (SELECT superseded_at, superseded_source FROM memories WHERE graph_id = $1
        AND context_no = c.context_no AND superseded_at IS NOT NULL AND place < wanted.place
        AND memory_id <> wanted.except_id
      ORDER BY superseded_at DESC LIMIT 1) l ON NOT EXISTS (SELECT FROM (
        SELECT memory_id, place FROM memories WHERE graph_id = $1 AND context_no = c.context_no
          AND superseded_at IS NULL ORDER BY seq LIMIT 2) s
        WHERE s.memory_id <> wanted.except_id AND s.place < wanted.place)
    ORDER BY wanted.number`,
}
const SUPERSEDED = {
  name: 'superseded-by-memories',
  text: `SELECT s.by_id, s.memory_id FROM unnest($2::bigint[]) AS wanted(seq)
    CROSS JOIN LATERAL (SELECT memory_id FROM memories WHERE graph_id = $1 AND seq = wanted.seq OFFSET 0) m
    CROSS JOIN LATERAL (SELECT by_id, memory_id FROM supersessions
      WHERE graph_id = $1 AND by_id = m.memory_id OFFSET 0) s
    ORDER BY s.by_id, s.memory_id`,
}

/** The claims that these memories superseded. */
export async function supersededBy(
  session: Session,
  graphId: GraphId,
  seqs: readonly number[],
): Promise<Map<MemoryId, MemoryId[]>> {
  const rows = await session.rows<{ by_id: MemoryId; memory_id: MemoryId }>(SUPERSEDED, [graphId, seqs])
  const found = new Map<MemoryId, MemoryId[]>()
  for (const { by_id, memory_id } of rows) {
    const known = found.get(by_id)
    if (known === undefined) found.set(by_id, [memory_id])
    else known.push(memory_id)
  }
  return found
}

export async function basesOfMemories(
  session: Session,
  graphId: GraphId,
  seqs: readonly number[],
): Promise<Claim[]> {
  return (await session.rows<ClaimColumns>(BASES, [graphId, seqs])).map(claimOf)
}

/** The causes of staleness of each of the claims; those that they build on are `bases`. */
export async function causesOf(
  session: Session,
  graphId: GraphId,
  claims: readonly Claim[],
  bases: readonly Claim[],
): Promise<Map<MemoryId, Causes>> {
  const ids = claims.map(({ id }) => id)
  return staleness(ids, await loadBases(session, graphId, [...claims, ...bases]))
}

/** What staleness asks, of claims that are loaded with all that they build on. */
export async function loadBases(
  session: Session,
  graphId: GraphId,
  loaded: readonly Claim[],
): Promise<Bases> {
  const claims = new Map(loaded.map((claim) => [claim.id, claim]))
  const wholes = [...claims.values()].flatMap(({ id, superseded, wholes }) =>
    superseded === undefined ? wholes.map((whole) => ({ ...whole, id })) : [],
  )
  const losses = new Map<string, Supersession>()
  if (wholes.length > 0) {
    const rows = await session.rows<{ place: number | null; source: Source | null }>(LOSSES, [
      graphId,
      wholes.map(({ contextId }) => contextId),
      wholes.map(({ place }) => place),
      wholes.map(({ id }) => id),
    ])
    for (const [i, { place, source }] of rows.entries()) {
      const whole = wholes[i]
      if (whole !== undefined && place !== null && source !== null)
        losses.set(keyOf(whole.contextId, whole.place, whole.id), { place, source })
    }
  }
  return {
    get: (id) => claims.get(id),
    lossOf: (contextId, before, except) => losses.get(keyOf(contextId, before, except)),
  }
}

function keyOf(contextId: ContextId, before: number, except: MemoryId): string {
  return `${except} ${before} ${contextId}`
}
