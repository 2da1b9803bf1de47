import type { EventKind, GraphId, MemoryId, Source } from '../../../domain/model.js'
import { type GraphCounts, MOST_TYPES, StatementCounts } from '../../../domain/survey/counts.js'
import type { Session } from '../connection/session.js'
import type { GraphRow } from '../schema/rows.js'
import { findStale } from '../trust/stale.js'

/** Both go by indexes that hold these columns. */
const MEMORIES = {
  name: 'count-memories',
  text: `SELECT kind, source, left(recorded_at, 7) AS month, count(*) AS many FROM memories
    WHERE graph_id = $1 GROUP BY 1, 2, 3`,
}
const SIGHTINGS = {
  name: 'count-sightings',
  text: `SELECT source, left(recorded_at, 7) AS month, count(*) AS many FROM sightings
    WHERE graph_id = $1 GROUP BY 1, 2`,
}
const TYPES = {
  name: 'count-types',
  text: `SELECT context_type, contexts, memories FROM context_types WHERE graph_id = $1
    ORDER BY sort_key LIMIT ${MOST_TYPES}`,
}
const WHOLE = {
  name: 'count-whole',
  text: `SELECT
      (SELECT coalesce(sum(contexts), 0)::bigint FROM context_types WHERE graph_id = $1) AS contexts,
      (SELECT count(*) FROM relations WHERE graph_id = $1) AS relationships,
      (SELECT count(*) FROM memories WHERE graph_id = $1 AND superseded_at IS NOT NULL) AS superseded,
      (SELECT recorded_at FROM memories WHERE graph_id = $1 ORDER BY seq LIMIT 1) AS first_at,
      (SELECT recorded_at FROM memories WHERE graph_id = $1 ORDER BY seq DESC LIMIT 1) AS last_at,
      (SELECT recorded_at FROM sightings WHERE graph_id = $1 ORDER BY seq DESC LIMIT 1) AS last_sighted_at`,
}

/** The same condition as that of the index. */
const EXPIRED = {
  name: 'count-expired',
  text: `SELECT memory_id FROM memories WHERE graph_id = $1 AND last_valid_until IS NOT NULL
    AND last_valid_until <= (SELECT stated_at FROM graphs WHERE graph_id = $1) AND superseded_at IS NULL`,
}

interface Counted {
  readonly source: Source
  readonly month: string
  readonly many: number
}

interface WholeColumns {
  readonly contexts: number
  readonly relationships: number
  readonly superseded: number
  readonly first_at: string | null
  readonly last_at: string | null
  readonly last_sighted_at: string | null
}

type TypeColumns = { readonly context_type: string; readonly contexts: number; readonly memories: number }

export async function countsOf(
  session: Session,
  graphId: GraphId,
  graph: Promise<GraphRow>,
): Promise<Omit<GraphCounts, 'unread'>> {
  const [memories, sightings, types, whole, search, ended, { memories: held, last_place }] =
    await Promise.all([
      session.rows<Counted & { kind: EventKind }>(MEMORIES, [graphId]),
      session.rows<Counted>(SIGHTINGS, [graphId]),
      session.rows<TypeColumns>(TYPES, [graphId]),
      session.row<WholeColumns>(WHOLE, [graphId]),
      findStale(session, graphId),
      session.rows<{ memory_id: MemoryId }>(EXPIRED, [graphId]),
      graph,
    ])
  const expired = new Set(ended.map(({ memory_id }) => memory_id))
  const counts = new StatementCounts()
  for (const { source, month, kind, many } of memories) counts.add(source, month, kind, many)
  for (const { source, month, many } of sightings) counts.add(source, month, undefined, many)
  const last = [whole?.last_at, whole?.last_sighted_at].filter((at) => typeof at === 'string').sort()
  return {
    memories: held,
    contexts: whole?.contexts ?? 0,
    relationships: whole?.relationships ?? 0,
    statements: counts.statements,
    types: types.map((type) => ({
      contextType: type.context_type,
      contexts: type.contexts,
      memories: type.memories,
    })),
    kinds: counts.kinds,
    sources: counts.sources,
    superseded: whole?.superseded ?? 0,
    expired: expired.size,
    stale: search.found.filter((id) => !expired.has(id)).length,
    isStaleCut: search.isCut,
    months: counts.months,
    firstAt: whole?.first_at ?? undefined,
    lastAt: last.at(-1),
    place: last_place,
  }
}
