import type { GraphId, MemoryId } from '../../../domain/model.js'
import type { Session } from '../connection/session.js'

const LOCK = {
  name: 'erase-reading',
  text: 'SELECT 1 AS locked FROM readings WHERE graph_id = $1 FOR UPDATE',
}
const FIRST = {
  name: 'erase-first-vector',
  text: `SELECT min(v.seq) AS seq FROM unnest($2::text[]) AS gone(id) CROSS JOIN LATERAL (
      SELECT seq FROM vectors WHERE graph_id = $1 AND memory_id = gone.id OFFSET 0) v`,
}
/** What was recorded before the first memory that is gone is where it was. */
const MOVE = {
  name: 'erase-move-vectors',
  text: `UPDATE vectors v SET seq = coalesce((SELECT m.seq FROM memories m
      WHERE m.graph_id = $1 AND m.memory_id = v.memory_id), 0) WHERE v.graph_id = $1 AND v.seq >= $2`,
}
const REMOVE = { name: 'erase-vectors', text: 'DELETE FROM vectors WHERE graph_id = $1 AND seq = 0' }
const GO_ON = {
  name: 'erase-go-on-reading',
  text: `UPDATE readings SET generation = nextval('reading_numbers'), last_seq = v.last_seq, memories = v.memories
    FROM (SELECT coalesce(max(seq), 0) AS last_seq, count(*) AS memories FROM vectors WHERE graph_id = $1) v
    WHERE graph_id = $1`,
}

/**
 * Removes the vectors of memories that this transaction has erased, and gives those of the others the `seq` that their
 * memories have now. The memories that were read are still the first ones, so that reading goes on behind them. A batch
 * that is kept before the row is locked is seen here; one that comes later finds another generation.
 */
export async function moveVectors(
  session: Session,
  graphId: GraphId,
  gone: ReadonlySet<MemoryId>,
): Promise<void> {
  await session.rows(LOCK, [graphId])
  const first = await session.row<{ seq: number | null }>(FIRST, [graphId, [...gone]])
  if (typeof first?.seq === 'number') {
    await session.rows(MOVE, [graphId, first.seq])
    await session.rows(REMOVE, [graphId])
  }
  await session.rows(GO_ON, [graphId])
}
