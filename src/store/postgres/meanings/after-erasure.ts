import type { GraphId, MemoryId } from '../../../domain/model.js'
import type { Session } from '../connection/session.js'

const LOCK = {
  name: 'erase-reading',
  text: 'SELECT 1 AS locked FROM readings WHERE graph_id = $1 FOR UPDATE',
}
const REMOVE = {
  name: 'erase-vectors',
  text: `DELETE FROM vectors v USING unnest($2::text[]) AS gone(id)
    WHERE v.graph_id = $1 AND v.memory_id = gone.id RETURNING v.memory_id`,
}
const GO_ON = {
  name: 'erase-go-on-reading',
  text: `UPDATE readings SET generation = nextval('reading_numbers'), memories = memories - $2 WHERE graph_id = $1`,
}
const MOVE = {
  name: 'erase-move-vectors',
  text: `UPDATE vectors v SET seq = m.seq FROM memories m
    WHERE v.graph_id = $1 AND m.graph_id = $1 AND m.memory_id = v.memory_id AND m.seq <> v.seq`,
}
const MOVED = {
  name: 'erase-moved-vectors',
  text: `UPDATE readings SET last_seq = coalesce((SELECT max(seq) FROM vectors WHERE graph_id = $1), 0)
    WHERE graph_id = $1`,
}

/**
 * Removes the vectors of memories that this transaction erases. Reading goes on behind the last one that was read,
 * whether that is gone or not. A batch that is kept before the row is locked is seen here; one that comes later finds
 * another generation.
 */
export async function removeVectors(
  session: Session,
  graphId: GraphId,
  gone: ReadonlySet<MemoryId>,
): Promise<void> {
  await session.rows(LOCK, [graphId])
  const removed = await session.rows(REMOVE, [graphId, [...gone]])
  await session.rows(GO_ON, [graphId, removed.length])
}

/** Gives vectors the `seq` that their memories have now: those that were read are still the first ones. */
export async function moveVectors(session: Session, graphId: GraphId): Promise<void> {
  await session.rows(MOVE, [graphId])
  await session.rows(MOVED, [graphId])
}
