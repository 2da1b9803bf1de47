import { memoryNotFound } from '../../../domain/failure.js'
import type { Bearing, ContextId, GraphId, MemoryId, Source } from '../../../domain/model.js'
import type { Paging } from '../../../domain/page.js'
import {
  type MemoryHistory,
  MOST_SUPERSEDED,
  type PastStatement,
  type PastSupersession,
} from '../../../domain/survey/history.js'
import { NOTHING_DECIDED } from '../../../domain/trust/claims/types.js'
import { effectsOf } from '../../../domain/trust/record.js'
import type { Session } from '../connection/session.js'
import { decisionsFrom } from '../schema/claims.js'
import { linksOf } from '../schema/rows.js'

const MEMORY = {
  name: 'history-memory',
  text: `SELECT seq, superseded_at AS place, superseded_source AS source FROM memories
    WHERE graph_id = $1 AND memory_id = $2`,
}
/** Its own events, and those of memories that reinforce it, as far as they do: what was decided of them says so. */
const EVENTS = (columns: string) => `
    SELECT ${columns}, m.memory_id, true AS first FROM memories m WHERE m.graph_id = $1 AND m.memory_id = $2
    UNION ALL
    SELECT ${columns}, $2, false FROM (SELECT seq FROM memories WHERE graph_id = $1 AND memory_id = $2) o
    CROSS JOIN LATERAL (SELECT * FROM sightings WHERE graph_id = $1 AND memory_seq = o.seq OFFSET 0) m
    UNION ALL
    SELECT ${columns}, m.memory_id, true FROM (SELECT memory_id FROM joined
      WHERE graph_id = $1 AND node = $2 AND kind = 'reinforcement') j
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE graph_id = $1 AND memory_id = j.memory_id OFFSET 0) m
    WHERE m.decisions LIKE '%"claim":"' || $2 || '"%'
    UNION ALL
    SELECT ${columns}, j.memory_id, false FROM (SELECT memory_id FROM joined
      WHERE graph_id = $1 AND node = $2 AND kind = 'reinforcement') j
    CROSS JOIN LATERAL (SELECT seq FROM memories WHERE graph_id = $1 AND memory_id = j.memory_id OFFSET 0) o
    CROSS JOIN LATERAL (SELECT * FROM sightings WHERE graph_id = $1 AND memory_seq = o.seq OFFSET 0) m
    WHERE m.decisions LIKE '%"claim":"' || $2 || '"%'`
const STATEMENTS = {
  name: 'history-statements',
  text: `${EVENTS('m.place, m.source, m.occurred_at, m.recorded_at, m.stated, m.decisions')}
    ORDER BY place LIMIT $3 OFFSET $4`,
}
const TOTAL = {
  name: 'history-total',
  text: `SELECT count(*) AS total FROM (${EVENTS('m.place')}) events`,
}
const SUPERSEDES = {
  name: 'history-supersedes',
  text: `SELECT m.memory_id, m.superseded_at AS place, m.superseded_source AS source FROM (
      SELECT memory_id FROM supersessions WHERE graph_id = $1 AND by_id = $2) s
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE graph_id = $1 AND memory_id = s.memory_id OFFSET 0) m
    ORDER BY m.superseded_at, m.memory_id LIMIT ${MOST_SUPERSEDED}`,
}
const SUPERSEDED_BY = {
  name: 'history-superseded-by',
  text: 'SELECT by_id AS memory_id FROM supersessions WHERE graph_id = $1 AND memory_id = $2 ORDER BY by_id',
}
const TIMES = {
  name: 'history-times',
  text: `SELECT w.place, coalesce(m.recorded_at, s.recorded_at) AS recorded_at FROM unnest($2::bigint[]) AS w(place)
    LEFT JOIN LATERAL (SELECT recorded_at FROM memories
      WHERE graph_id = $1 AND place = w.place OFFSET 0) m ON true
    LEFT JOIN LATERAL (SELECT recorded_at FROM sightings
      WHERE graph_id = $1 AND place = w.place OFFSET 0) s ON true`,
}
const CONTEXTS = {
  name: 'history-contexts',
  text: `SELECT m.memory_id, c.context_id FROM unnest($2::text[]) AS w(id)
    CROSS JOIN LATERAL (SELECT memory_id, context_no FROM memories
      WHERE graph_id = $1 AND memory_id = w.id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`,
}

interface StatementColumns {
  readonly place: number
  readonly source: Source
  readonly occurred_at: string
  readonly recorded_at: string
  readonly stated: string | null
  readonly decisions: string | null
  readonly memory_id: MemoryId
  readonly first: boolean
}

interface GoneColumns {
  readonly memory_id: MemoryId
  readonly place: number
  readonly source: Source
}

/** The history of a memory (`GraphReader.history` says what). */
export async function historyOf(
  session: Session,
  graphId: GraphId,
  memoryId: MemoryId,
  { page, pageSize }: Paging,
): Promise<MemoryHistory> {
  const values = [graphId, memoryId]
  const [memory, rows, counted, gone, by] = await Promise.all([
    session.row<{ place: number | null; source: Source | null }>(MEMORY, values),
    session.rows<StatementColumns>(STATEMENTS, [...values, pageSize, page * pageSize]),
    session.row<{ total: number }>(TOTAL, values),
    session.rows<GoneColumns>(SUPERSEDES, values),
    session.rows<{ memory_id: MemoryId }>(SUPERSEDED_BY, values),
  ])
  if (memory === undefined) throw memoryNotFound(memoryId)
  const { place, source } = memory
  const own = place === null || source === null ? [] : by.map((one) => ({ ...one, place, source }))
  const times = await timesOf(session, graphId, [...gone, ...own])
  const toPast = (one: GoneColumns): PastSupersession => ({
    memoryId: one.memory_id,
    place: one.place,
    recordedAt: times.get(one.place) ?? '',
    source: one.source,
  })
  return {
    items: await toStatements(session, graphId, rows),
    total: counted?.total ?? 0,
    page,
    pageSize,
    supersedes: gone.map(toPast),
    supersededBy: own.map(toPast),
  }
}

async function timesOf(
  session: Session,
  graphId: GraphId,
  gone: readonly GoneColumns[],
): Promise<Map<number, string>> {
  if (gone.length === 0) return new Map()
  const places = [...new Set(gone.map(({ place }) => place))]
  const rows = await session.rows<{ place: number; recorded_at: string }>(TIMES, [graphId, places])
  return new Map(rows.map(({ place, recorded_at }) => [place, recorded_at]))
}

async function toStatements(
  session: Session,
  graphId: GraphId,
  rows: readonly StatementColumns[],
): Promise<PastStatement[]> {
  const events = rows.map((row) => {
    const links = linksOf(row.stated)
    const effects = effectsOf({
      place: row.place,
      claim: row.memory_id,
      contextId: '',
      first: row.first,
      source: row.source,
      links,
      recordedAt: row.recorded_at,
      decisions: decisionsFrom(row.decisions) ?? NOTHING_DECIDED,
    })
    return { row, links, effects }
  })
  const ids = [...new Set(events.flatMap(({ effects }) => effects.map(({ memory }) => memory)))]
  const found =
    ids.length === 0
      ? []
      : await session.rows<{ memory_id: MemoryId; context_id: ContextId }>(CONTEXTS, [graphId, ids])
  const contexts = new Map(found.map(({ memory_id, context_id }) => [memory_id, context_id]))
  return events.map(({ row, links, effects }) => ({
    place: row.place,
    memoryId: row.memory_id,
    source: row.source,
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    links,
    bearsOn: effects.flatMap(({ memory, effect }): Bearing[] => {
      const contextId = contexts.get(memory)
      return contextId === undefined ? [] : [{ memoryId: memory, contextId, effect }]
    }),
  }))
}
