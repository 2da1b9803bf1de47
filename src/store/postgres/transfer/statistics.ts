import type { Session } from '../connection/session.js'

/** Who waited for a lock on the tables would wait for the whole transaction of another. */
const HOLD = {
  name: 'hold-statistics',
  text: `SELECT pg_try_advisory_xact_lock(hashtext('loregraph statistics')) AS ours`,
}

/**
 * Keeps the planner from believing that tables are empty which one long transaction fills: a vacuum by others counts
 * none of its rows, and from then on each look at a row would read the whole graph. An analysis of our own counts them,
 * and its lock keeps others away until the transaction ends.
 */
export async function keepStatistics(session: Session): Promise<void> {
  const hold = await session.row<{ ours: boolean }>(HOLD)
  if (hold?.ours === true) await session.run('ANALYZE memories, contexts')
}
