import type { Session } from './session.js'
import { NOW, standings } from './standing.js'
import { Tables } from './tables.js'

const COUNT = {
  name: 'count-contradictions',
  text: `UPDATE memories m SET contradictions = (SELECT count(*) FROM contradictions x
      WHERE x.graph_id = $1 AND x.memory_seq = m.seq)
    WHERE m.graph_id = $1 AND m.seq = ANY($2)`,
}
/**
 * Those that a contradiction bears on, those that they in their turn speak against, and those that somebody agrees with
 * by name who agreed with the whole context before.
 */
const TOUCHED = {
  name: 'touched-by-statements',
  text: `SELECT seq FROM memories WHERE graph_id = $1 AND contradictions > 0 AND seq IN (
      SELECT unnest($2::bigint[])
      UNION ALL SELECT unnest($3::bigint[])
      UNION ALL SELECT x.memory_seq FROM contradictions x WHERE x.graph_id = $1 AND x.by_seq = ANY($2)
    )`,
}

/**
 * Notes of each memory that was spoken against when it was replaced, if it was: an index for staleness. It changes only
 * when something is said against a memory, or against one that speaks against it.
 */
export async function settleContradictions(
  session: Session,
  graphId: string,
  contradictions: readonly { readonly memory: number }[],
  agreements: readonly { readonly memory: number }[],
): Promise<void> {
  if (contradictions.length + agreements.length === 0) return
  const borne = [...new Set(contradictions.map(({ memory }) => memory))]
  const agreed = agreements.map(({ memory }) => memory)
  if (borne.length > 0) await session.rows(COUNT, [graphId, borne])
  const touched = await session.rows<{ seq: number }>(TOUCHED, [graphId, borne, agreed])
  const found = await standings(
    session,
    graphId,
    touched.map(({ seq }) => ({ seq, asOf: NOW })),
  )
  const tables = new Tables(session, graphId)
  tables.update('note-superseded', 'memories', [
    ['seq', 'bigint', found.map(({ seq }) => seq)],
    ['superseded_at', 'bigint', found.map(({ standing }) => standing.supersededAt ?? null)],
  ])
  await tables.done()
}
