import type { GraphId } from '../../../domain/model.js'
import type { Session } from '../connection/session.js'
import { TOTALS } from '../schema/totals.js'

const TIME = 'least(occurred_at, recorded_at)'
const BETWEEN = `graph_id = $1 AND seq >= wanted.block * ${TOTALS} AND seq < (wanted.block + 1) * ${TOTALS}`
const RECKON = {
  name: 'erase-reckon-totals',
  text: `UPDATE totals t SET memories = m.memories, total_length = m.length, newest_at = greatest('', m.at, s.at)
    FROM unnest($2::bigint[]) AS wanted(block)
    CROSS JOIN LATERAL (SELECT count(*) AS memories, coalesce(sum(length), 0) AS length, max(${TIME}) AS at
      FROM memories WHERE ${BETWEEN}) m
    CROSS JOIN LATERAL (SELECT max(${TIME}) AS at FROM sightings WHERE ${BETWEEN}) s
    WHERE t.graph_id = $1 AND t.block = wanted.block`,
}

/** Adds up what is left of the statements beside those with these numbers, which are gone. */
export async function reckonTotals(
  session: Session,
  graphId: GraphId,
  seqs: readonly number[],
): Promise<void> {
  const blocks = new Set(seqs.map((seq) => Math.floor(seq / TOTALS)))
  await session.rows(RECKON, [graphId, [...blocks]])
}
