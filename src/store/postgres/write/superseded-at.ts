import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { assessments, NOW } from '../trust/assessment.js'

const COUNT = {
  name: 'count-contradictions',
  text: `UPDATE memories m SET contradictions = m.contradictions + u.added
    FROM unnest($2::bigint[], $3::integer[]) AS u(seq, added) WHERE m.graph_id = $1 AND m.seq = u.seq`,
}
/**
 * Those that a contradiction bears on, those that they in their turn speak against, and those that somebody agrees with
 * by name who agreed with the whole context before.
 */
const TOUCHED = {
  name: 'touched-by-statements',
  text: `SELECT unnest($2::bigint[]) AS seq
    UNION
    SELECT x.memory_seq FROM unnest($2::bigint[]) AS borne(seq) CROSS JOIN LATERAL (
      SELECT memory_seq FROM contradictions WHERE graph_id = $1 AND by_seq = borne.seq OFFSET 0) x
    UNION
    SELECT m.seq FROM unnest($3::bigint[]) AS agreed(seq) CROSS JOIN LATERAL (
      SELECT seq FROM memories WHERE graph_id = $1 AND seq = agreed.seq AND contradictions > 0 OFFSET 0) m`,
}

/**
 * Notes of each memory that was spoken against when it was replaced, if it was: an index for staleness. It changes only
 * when something is said against a memory, or against one that speaks against it.
 */
export async function updateSupersededAt(
  session: Session,
  graphId: string,
  contradictions: readonly { readonly memory: number }[],
  agreements: readonly { readonly memory: number }[],
): Promise<void> {
  if (contradictions.length + agreements.length === 0) return
  const counts = new Map<number, number>()
  for (const { memory } of contradictions) counts.set(memory, (counts.get(memory) ?? 0) + 1)
  const borne = [...counts.keys()]
  const agreed = agreements.map(({ memory }) => memory)
  if (borne.length > 0) await session.rows(COUNT, [graphId, borne, [...counts.values()]])
  const touched = await session.rows<{ seq: number }>(TOUCHED, [graphId, borne, agreed])
  const found = await assessments(
    session,
    graphId,
    touched.map(({ seq }) => ({ seq, asOf: NOW })),
  )
  const tables = new BulkWrite(session, graphId)
  tables.update('note-superseded', 'memories', [
    ['seq', 'bigint', found.map(({ seq }) => seq)],
    ['superseded_at', 'bigint', found.map(({ assessment }) => assessment.supersededAt ?? null)],
  ])
  await tables.done()
}
