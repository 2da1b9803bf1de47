import { memoryNotFound } from '../../../domain/failure.js'
import type { GraphId, LinkKind, Memory, MemoryId } from '../../../domain/model.js'
import { BESIDE, NEARBY, RELATIONS } from '../../store.js'
import type { Session } from '../connection/session.js'
import { memoriesAt } from './memories.js'

const GIVEN = {
  name: 'given-memories',
  text: `SELECT m.memory_id, m.seq, m.context_no FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT memory_id, seq, context_no FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m`,
}

const REINFORCEMENT: LinkKind = 'reinforcement'

/**
 * One part for each sort of closeness; every one reads a few rows from one place of an index. The ids of memories are in
 * the order of recording.
 */
const CLOSE = {
  name: 'neighbours',
  text: `WITH given AS (SELECT * FROM unnest($2::bigint[], $3::integer[]) AS g(seq, context_no)),
    places AS (SELECT DISTINCT context_no FROM given)
    SELECT DISTINCT seq FROM (
      SELECT near.seq FROM given g CROSS JOIN LATERAL (SELECT m.seq FROM memories m WHERE m.graph_id = $1
        AND m.context_no = g.context_no AND m.seq < g.seq ORDER BY m.seq DESC LIMIT ${BESIDE}) near
      UNION ALL
      SELECT near.seq FROM given g CROSS JOIN LATERAL (SELECT m.seq FROM memories m WHERE m.graph_id = $1
        AND m.context_no = g.context_no AND m.seq > g.seq ORDER BY m.seq LIMIT ${BESIDE}) near
      UNION ALL
      SELECT near.seq FROM places p CROSS JOIN LATERAL (SELECT m.seq FROM memories m WHERE m.graph_id = $1
        AND m.context_no = p.context_no ORDER BY m.seq DESC LIMIT ${BESIDE}) near
      UNION ALL
      SELECT m.seq FROM unnest($4::text[]) AS told(id)
      CROSS JOIN LATERAL (
        (SELECT opposing.id FROM (
          (SELECT s.by_id AS id FROM supersessions s WHERE s.graph_id = $1 AND s.memory_id = told.id
            ORDER BY s.by_id DESC LIMIT ${NEARBY})
          UNION
          (SELECT d.other_id FROM disputes d WHERE d.graph_id = $1 AND d.memory_id = told.id
            ORDER BY d.other_id DESC LIMIT ${NEARBY})) opposing
          ORDER BY opposing.id DESC LIMIT ${NEARBY})
        UNION
        (SELECT j.memory_id FROM joined j WHERE j.graph_id = $1 AND j.node = told.id AND j.kind = $5
          ORDER BY j.memory_id DESC LIMIT ${NEARBY})) said
      CROSS JOIN LATERAL (SELECT seq FROM memories WHERE graph_id = $1 AND memory_id = said.id OFFSET 0) m
      UNION ALL
      SELECT said.by_seq FROM places p CROSS JOIN LATERAL (SELECT r.from_no, r.kind, r.to_no FROM relations r
        WHERE r.graph_id = $1 AND r.to_no = p.context_no ORDER BY r.made DESC LIMIT ${RELATIONS}) r
      CROSS JOIN LATERAL (SELECT s.by_seq FROM speakers s WHERE s.graph_id = $1 AND s.from_no = r.from_no
        AND s.kind = r.kind AND s.to_no = r.to_no ORDER BY s.seq DESC LIMIT ${NEARBY}) said
      UNION ALL
      SELECT near.seq FROM places p CROSS JOIN LATERAL (SELECT r.to_no FROM relations r
        WHERE r.graph_id = $1 AND r.from_no = p.context_no ORDER BY r.made DESC LIMIT ${RELATIONS}) r
      CROSS JOIN LATERAL (SELECT m.seq FROM memories m WHERE m.graph_id = $1 AND m.context_no = r.to_no
        ORDER BY m.seq DESC LIMIT ${NEARBY}) near
    ) close ORDER BY seq`,
}

/** The memories close to the given ones (`Store.neighbours` says which), themselves left out. */
export async function neighboursOf(
  session: Session,
  graphId: GraphId,
  ids: readonly MemoryId[],
): Promise<readonly Memory[]> {
  if (ids.length === 0) return []
  const given = await session.rows<{ memory_id: string; seq: number; context_no: number }>(GIVEN, [
    graphId,
    ids,
  ])
  const known = new Set(given.map(({ memory_id }) => memory_id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw memoryNotFound(unknown)
  const seqs = given.map(({ seq }) => seq)
  const rows = await session.rows<{ seq: number }>(CLOSE, [
    graphId,
    seqs,
    given.map(({ context_no }) => context_no),
    [...known],
    REINFORCEMENT,
  ])
  const close = rows.map(({ seq }) => seq).filter((seq) => !seqs.includes(seq))
  return memoriesAt(session, graphId, close)
}
