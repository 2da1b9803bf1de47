import type { EventKind, GraphId, Memory, MemoryId, RecorderId } from '../../../domain/model.js'
import { textOf } from '../../../domain/text.js'
import { isExpired } from '../../../domain/time.js'
import { assess } from '../../../domain/trust/claims/assess.js'
import type { Claim } from '../../../domain/trust/claims/types.js'
import type { Session } from '../connection/session.js'
import { CLAIM_COLUMNS, type ClaimColumns, claimOf } from '../schema/claims.js'
import { linksOf, payloadOf } from '../schema/rows.js'
import { loadOpponents } from '../trust/load-claims.js'
import { basesOfMemories, causesOf, supersededBy } from '../trust/staleness.js'

const MEMORIES = {
  name: 'memories',
  text: `SELECT m.kind, m.payload, m.links, coalesce(m.last_occurred_at, m.occurred_at) AS occurred_at,
      m.recorded_by, m.last_valid_until AS valid_until,
      CASE WHEN m.last_valid_until IS NULL THEN '' ELSE (SELECT stated_at FROM graphs WHERE graph_id = $1) END AS stated_at,
      ${CLAIM_COLUMNS}
    FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted(seq, number)
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE graph_id = $1 AND seq = wanted.seq OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c
    ORDER BY number`,
}
const BY_ID = {
  name: 'memories-by-id',
  text: `SELECT m.seq FROM unnest($2::text[]) WITH ORDINALITY AS wanted(id, number) CROSS JOIN LATERAL (
      SELECT seq FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m
    ORDER BY number`,
}

interface MemoryColumns extends ClaimColumns {
  readonly kind: EventKind
  readonly payload: string
  readonly links: string | null
  readonly occurred_at: string
  readonly recorded_by: RecorderId | null
  readonly valid_until: string | null
  readonly stated_at: string
}

/** The memories with these ids, in the order given; those that are not there are left out. */
export async function memoriesById(
  session: Session,
  graphId: GraphId,
  ids: readonly MemoryId[],
): Promise<Memory[]> {
  if (ids.length === 0) return []
  const rows = await session.rows<{ seq: number }>(BY_ID, [graphId, ids])
  return memoriesAt(
    session,
    graphId,
    rows.map(({ seq }) => seq),
  )
}

/** The memories with these numbers in the order of recording, in the order given. */
export async function memoriesAt(
  session: Session,
  graphId: GraphId,
  seqs: readonly number[],
): Promise<Memory[]> {
  if (seqs.length === 0) return []
  const [rows, bases, superseded] = await Promise.all([
    session.rows<MemoryColumns>(MEMORIES, [graphId, seqs]),
    basesOfMemories(session, graphId, seqs),
    supersededBy(session, graphId, seqs),
  ])
  const claims = rows.map(claimOf)
  const disputed = claims.filter(({ disputes }) => disputes > 0).map(({ id }) => id)
  const [causes, opponents] = await Promise.all([
    causesOf(session, graphId, claims, bases),
    loadOpponents(session, graphId, disputed),
  ])
  return rows.flatMap((row, i) => {
    const claim = claims[i]
    if (claim === undefined) return []
    const isStale = Object.keys(causes.get(claim.id) ?? {}).length > 0
    return toMemory(row, claim, isStale, superseded.get(claim.id) ?? [], opponents.get(claim.id) ?? [])
  })
}

function toMemory(
  row: MemoryColumns,
  claim: Claim,
  isStale: boolean,
  supersedes: readonly MemoryId[],
  disputedBy: readonly MemoryId[],
): Memory {
  const payload = payloadOf(row.payload)
  const { source, timesSeen, ...trust } = assess(
    claim,
    isStale,
    isExpired(row.valid_until ?? undefined, row.stated_at),
  )
  return {
    memoryId: claim.id,
    seq: claim.place,
    contextId: claim.contextId,
    eventKind: row.kind,
    source,
    payload,
    text: textOf(payload),
    links: linksOf(row.links),
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    ...(row.valid_until !== null && { validUntil: row.valid_until }),
    ...(row.recorded_by !== null && { recordedBy: row.recorded_by }),
    timesSeen,
    trust: { ...trust, supersededBy: [...trust.supersededBy].sort(), supersedes, disputedBy },
  }
}
