import type { EventKind, GraphId } from '../../../domain/model.js'
import {
  type Highlights,
  MOST_BASES,
  MOST_DECISIONS,
  MOST_EVENTS,
  mostConfirmed,
} from '../../../domain/survey/highlights.js'
import { BY_RANK } from '../../../domain/trust/claims/rank.js'
import type { Session } from '../connection/session.js'
import { CLAIM_COLUMNS, type ClaimColumns, claimOf } from '../schema/claims.js'
import { memoriesAt, memoriesById } from './memories.js'

const DECISION: EventKind = 'decision'
const BY_SOURCE = `array_position('{${BY_RANK.join()}}'::text[], source)`
const DECISIONS = {
  name: 'latest-decisions',
  text: `SELECT seq FROM (SELECT seq, source, superseded_at FROM memories WHERE graph_id = $1 AND kind = $2
      ORDER BY seq DESC LIMIT ${MOST_DECISIONS}) m
    WHERE superseded_at IS NULL ORDER BY ${BY_SOURCE}, seq DESC LIMIT $3`,
}
const LATEST = {
  name: 'latest-standing',
  text: `SELECT seq FROM (SELECT seq, source, superseded_at FROM memories WHERE graph_id = $1
      ORDER BY seq DESC LIMIT ${MOST_EVENTS}) m
    WHERE superseded_at IS NULL ORDER BY ${BY_SOURCE}, seq DESC LIMIT $2`,
}
/** Claims that were stated once and never spoken of are not confirmed. */
const STATED = {
  name: 'stated-of-late',
  text: `WITH latest AS (SELECT memory_id, bases FROM memories WHERE graph_id = $1
      ORDER BY seq DESC LIMIT ${MOST_EVENTS}),
    repeated AS (SELECT memory_seq FROM sightings WHERE graph_id = $1 ORDER BY seq DESC LIMIT ${MOST_EVENTS}),
    told(id) AS (SELECT memory_id FROM latest
      UNION SELECT unnest(bases[1:${MOST_BASES}]) FROM latest
      UNION SELECT m.memory_id FROM repeated CROSS JOIN LATERAL (SELECT memory_id FROM memories
        WHERE graph_id = $1 AND seq = repeated.memory_seq OFFSET 0) m)
    SELECT ${CLAIM_COLUMNS} FROM told CROSS JOIN LATERAL (SELECT * FROM memories
      WHERE graph_id = $1 AND memory_id = told.id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c
    WHERE m.superseded_at IS NULL AND m.claim IS NOT NULL`,
}

export async function highlightsOf(session: Session, graphId: GraphId, limit: number): Promise<Highlights> {
  const [decisions, latest, stated] = await Promise.all([
    session.rows<{ seq: number }>(DECISIONS, [graphId, DECISION, limit]),
    session.rows<{ seq: number }>(LATEST, [graphId, limit]),
    session.rows<ClaimColumns>(STATED, [graphId]),
  ])
  const confirmed = mostConfirmed(stated.map(claimOf), limit).map(({ id }) => id)
  const at = (rows: readonly { seq: number }[]) =>
    memoriesAt(
      session,
      graphId,
      rows.map(({ seq }) => seq),
    )
  const [told, known, rest] = await Promise.all([
    at(decisions),
    memoriesById(session, graphId, confirmed),
    at(latest),
  ])
  return { decisions: told, confirmed: known, latest: rest }
}
