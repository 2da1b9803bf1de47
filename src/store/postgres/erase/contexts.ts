import type { GraphId } from '../../../domain/model.js'
import { splitContextId } from '../../../domain/names.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { LINKS } from '../schema/rows.js'
import type { LosingContext } from './plan.js'

/**
 * A context is as old as the first that is filed under it or links to it, and changed with the last that is stated of
 * what is filed under it; nothing is filed under one that is only linked to.
 */
const RECKON = {
  name: 'erase-reckon-contexts',
  text: `UPDATE contexts c SET memories = c.memories - losing.lost, created_at = least(first.at, linked.at),
      seq = least(first.seq, linked.seq),
      updated_at = coalesce(greatest(last.at, again.at), linked.at)
    FROM unnest($2::integer[], $3::integer[]) AS losing(no, lost)
    LEFT JOIN LATERAL (SELECT recorded_at AS at, seq FROM memories WHERE graph_id = $1 AND context_no = losing.no
      ORDER BY seq LIMIT 1) first ON true
    LEFT JOIN LATERAL (SELECT recorded_at AS at FROM memories WHERE graph_id = $1 AND context_no = losing.no
      ORDER BY seq DESC LIMIT 1) last ON true
    LEFT JOIN LATERAL (SELECT recorded_at AS at FROM sightings WHERE graph_id = $1 AND context_no = losing.no
      ORDER BY seq DESC LIMIT 1) again ON true
    LEFT JOIN LATERAL (SELECT first_seen AS at, made / ${LINKS} AS seq FROM relations WHERE graph_id = $1 AND to_no = losing.no
      ORDER BY made LIMIT 1) linked ON true
    WHERE c.graph_id = $1 AND c.context_no = losing.no`,
}
const COUNT = {
  name: 'erase-count-types',
  text: `UPDATE context_types t SET contexts = t.contexts - losing.contexts, memories = t.memories - losing.memories
    FROM unnest($2::text[], $3::integer[], $4::bigint[]) AS losing(type, contexts, memories)
    WHERE t.graph_id = $1 AND t.context_type = losing.type`,
}
const FORGET = {
  name: 'erase-forget-types',
  text: 'DELETE FROM context_types WHERE graph_id = $1 AND context_type = ANY($2) AND contexts = 0',
}

/** Removes the contexts that go and reckons the others anew; the memories and relations that go are gone. */
export async function reckonContexts(
  session: Session,
  graphId: GraphId,
  contexts: readonly LosingContext[],
): Promise<void> {
  const going = contexts.filter(({ isGoing }) => isGoing)
  const staying = contexts.filter(({ isGoing }) => !isGoing)
  const tables = new BulkWrite(session, graphId)
  tables.remove('contexts', [['context_no', 'integer', going.map(({ context_no }) => context_no)]])
  await tables.done()
  await session.rows(RECKON, [
    graphId,
    staying.map(({ context_no }) => context_no),
    staying.map(({ lost }) => lost),
  ])
  const types = new Map<string, { contexts: number; memories: number }>()
  for (const { context_id, lost, isGoing } of contexts) {
    const { type } = splitContextId(context_id)
    const known = types.get(type) ?? { contexts: 0, memories: 0 }
    types.set(type, { contexts: known.contexts + (isGoing ? 1 : 0), memories: known.memories + lost })
  }
  const counts = [...types.values()]
  await session.rows(COUNT, [
    graphId,
    [...types.keys()],
    counts.map(({ contexts }) => contexts),
    counts.map(({ memories }) => memories),
  ])
  await session.rows(FORGET, [graphId, [...types.keys()]])
}
