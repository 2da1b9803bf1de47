import type { TestDatabase } from '../../../support/postgres.js'

const EVENTS = `events AS (
    SELECT graph_id, seq, place FROM memories WHERE graph_id = $1
    UNION ALL SELECT graph_id, seq, place FROM sightings WHERE graph_id = $1)`

/** What the tables hold of a graph, with the ids of memories and contexts in place of their numbers, which have gaps. */
const TABLES: Readonly<Record<string, string>> = {
  totals: `SELECT sum(memories) AS memories, sum(total_length) AS length, max(newest_at) AS newest FROM totals
    WHERE graph_id = $1`,
  graph: 'SELECT newest_at, memories, total_length FROM graphs WHERE graph_id = $1',
  contexts: `WITH ${EVENTS}
    SELECT context_id, context_type, context_name, sort_key, memories, created_at, updated_at, e.place
    FROM contexts c JOIN events e USING (graph_id, seq) WHERE c.graph_id = $1 ORDER BY context_id`,
  context_types: `SELECT context_type, sort_key, contexts, memories FROM context_types
    WHERE graph_id = $1 ORDER BY context_type`,
  memories: `SELECT memory_id, place, context_id, kind, source, payload, content, occurred_at, recorded_at, length, stated,
      links, times_seen, superseded_at, superseded_source, decisions, claim, bases,
      coalesce(last_occurred_at, occurred_at) AS last
    FROM memories m JOIN contexts USING (graph_id, context_no) WHERE graph_id = $1 ORDER BY m.seq`,
  sightings: `SELECT memory_id, context_id, s.times_seen, s.stated, s.recorded_at, s.place, s.source, s.occurred_at,
      s.decisions
    FROM sightings s JOIN memories m ON m.graph_id = s.graph_id AND m.seq = s.memory_seq
    JOIN contexts c ON c.graph_id = s.graph_id AND c.context_no = s.context_no WHERE s.graph_id = $1 ORDER BY s.seq`,
  relations: `SELECT f.context_id AS from_id, kind, t.context_id AS to_id, weight, first_seen, last_seen, made % 1024 AS link
    FROM relations r JOIN contexts f ON f.graph_id = r.graph_id AND f.context_no = from_no
    JOIN contexts t ON t.graph_id = r.graph_id AND t.context_no = to_no WHERE r.graph_id = $1 ORDER BY made`,
  speakers: `WITH ${EVENTS}
    SELECT f.context_id AS from_id, s.kind, t.context_id AS to_id, memory_id, first.place AS first
    FROM speakers s JOIN contexts f ON f.graph_id = s.graph_id AND f.context_no = from_no
    JOIN contexts t ON t.graph_id = s.graph_id AND t.context_no = to_no
    JOIN memories m ON m.graph_id = s.graph_id AND m.seq = by_seq
    JOIN events first ON first.graph_id = s.graph_id AND first.seq = s.seq
    WHERE s.graph_id = $1 ORDER BY 1, 2, 3, 4`,
  relation_sightings: `WITH ${EVENTS}
    SELECT f.context_id AS from_id, s.kind, t.context_id AS to_id, e.place
    FROM relation_sightings s JOIN contexts f ON f.graph_id = s.graph_id AND f.context_no = from_no
    JOIN contexts t ON t.graph_id = s.graph_id AND t.context_no = to_no
    JOIN events e ON e.graph_id = s.graph_id AND e.seq = s.seq WHERE s.graph_id = $1 ORDER BY 1, 2, 3, 4`,
  memory_links: `SELECT t.memory_id AS target, b.memory_id AS by FROM memory_links l
    JOIN memories t ON t.graph_id = l.graph_id AND t.seq = target_seq
    JOIN memories b ON b.graph_id = l.graph_id AND b.seq = by_seq WHERE l.graph_id = $1 ORDER BY 1, 2`,
  supersessions: 'SELECT memory_id, by_id FROM supersessions WHERE graph_id = $1 ORDER BY 1, 2',
  disputes: 'SELECT memory_id, other_id FROM disputes WHERE graph_id = $1 ORDER BY 1, 2',
  records_against:
    'SELECT context_id, place, memory_id FROM records_against WHERE graph_id = $1 ORDER BY 1, 2, 3',
  joined: 'SELECT node, kind, memory_id, place FROM joined WHERE graph_id = $1 ORDER BY 1, 2, 3',
  claim_versions: `SELECT memory_id, place, claim, bases, superseded_at, superseded_source FROM claim_versions
    WHERE graph_id = $1 ORDER BY 1, 2`,
  superseded_once: 'SELECT memory_id, by_id FROM superseded_once WHERE graph_id = $1 ORDER BY 1, 2',
  dispute_changes: `SELECT memory_id, other_id, place, is_open FROM dispute_changes
    WHERE graph_id = $1 ORDER BY 1, 2, 3`,
  terms: 'SELECT term, holding FROM terms WHERE graph_id = $1 ORDER BY term',
  letters: `SELECT term, sum(length(entries))::integer AS letters FROM postings WHERE graph_id = $1
    GROUP BY term ORDER BY term`,
  grams: `SELECT gram, sum(length(entries))::integer AS letters FROM name_grams WHERE graph_id = $1
    GROUP BY gram ORDER BY gram`,
}
/** Kept as JSON, whose members have no order. */
const JSONS = new Set(['claim', 'decisions', 'stated', 'links'])

/** How many rows there are of each table, those included that lead nowhere. */
const COUNTED = [
  'contexts',
  'memories',
  'sightings',
  'relations',
  'speakers',
  'memory_links',
  'relation_sightings',
]

export async function tablesOf({ query }: TestDatabase, graphId: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(TABLES)) {
    const rows = await query(text, [graphId])
    found[name] = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [
          key,
          JSONS.has(key) && typeof value === 'string' ? JSON.parse(value) : value,
        ]),
      ),
    )
  }
  for (const table of COUNTED) {
    const [row] = await query(`SELECT count(*) AS rows FROM ${table} WHERE graph_id = $1`, [graphId])
    found[`rows of ${table}`] = row?.['rows']
  }
  return found
}
