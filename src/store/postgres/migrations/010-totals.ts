import { TOTALS } from '../schema/totals.js'

/** Where a read of the past looks (read/then.ts): the last statement that had been recorded. */
const SEQ = `current_setting('loregraph.seq')::bigint`
const PLACE = `current_setting('loregraph.place')::bigint`

/**
 * What lets the past be seen at about the cost of the present: `totals` has what the statements of a block of numbers add
 * up to, so that of all that was recorded only the last block is counted, and `contexts_by_beginning` counts the contexts
 * of a type without reading them.
 */
const TABLES = `
CREATE TABLE totals (
  graph_id text COLLATE "C" NOT NULL,
  block bigint NOT NULL,
  memories integer NOT NULL,
  total_length bigint NOT NULL,
  newest_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, block)
) WITH (fillfactor = 90);
INSERT INTO totals SELECT graph_id, seq / ${TOTALS}, sum(memories), sum(length), max(at) FROM (
    SELECT graph_id, seq, 1 AS memories, length, least(occurred_at, recorded_at) AS at FROM memories
    UNION ALL SELECT graph_id, seq, 0, 0, least(occurred_at, recorded_at) FROM sightings) told
  GROUP BY 1, 2;

CREATE INDEX contexts_by_beginning ON contexts (graph_id, context_type, seq);
`

/** One of the totals by the statement of the setting, of the graph `of`. */
const total = (
  of: string,
  { whole, memory, sighting }: { whole: string; memory: string; sighting?: string },
) => {
  const sum = (column: string) => (sighting === undefined ? `sum(${column})` : `max(${column})`)
  const last = `graph_id = ${of}.graph_id AND seq >= ${SEQ} / ${TOTALS} * ${TOTALS} AND seq <= ${SEQ}`
  return `(SELECT ${sum('part')} FROM (
      SELECT ${sum(whole)} AS part FROM totals WHERE graph_id = ${of}.graph_id AND block < ${SEQ} / ${TOTALS}
      UNION ALL SELECT ${sum(memory)} FROM memories WHERE ${last}
      ${sighting === undefined ? '' : `UNION ALL SELECT ${sum(sighting)} FROM sightings WHERE ${last}`}) parts)`
}
const MEMORIES = (of: string) => `coalesce(${total(of, { whole: 'memories', memory: '1' })}, 0)::bigint`
const LENGTH = `coalesce(${total('g', { whole: 'total_length', memory: 'length' })}, 0)::bigint`
const TIME = 'least(occurred_at, recorded_at)'
const NEWEST = total('g', { whole: 'newest_at', memory: TIME, sighting: TIME })

const VERSION = (column: string) => `(SELECT v.${column} FROM claim_versions v
    WHERE v.graph_id = m.graph_id AND v.memory_id = m.memory_id AND v.place <= ${PLACE} ORDER BY v.place DESC LIMIT 1)`
const SEEN = `FROM sightings s WHERE s.graph_id = m.graph_id AND s.memory_seq = m.seq AND s.seq <= ${SEQ}`
const IS_ONCE = 'WHEN m.times_seen = 1 THEN'

/** How many entries of a block had been written: they are in order, so that half of them are ruled out at each step. */
const WRITTEN = `(WITH RECURSIVE search(low, high) AS (
      SELECT 0, octet_length(p.entries) / 6
      UNION ALL
      SELECT CASE WHEN is_written THEN middle + 1 ELSE low END, CASE WHEN is_written THEN high ELSE middle END
      FROM (SELECT low, high, (low + high) / 2 AS middle FROM search WHERE low < high) step
      CROSS JOIN (SELECT ((${SEQ} % 1024 + 1) * 256)::integer AS head) past
      CROSS JOIN LATERAL (SELECT substr(p.entries, middle * 6 + 1, 3)
        < chr(48 + (past.head >> 12)) || chr(48 + ((past.head >> 6) & 63)) || chr(48 + (past.head & 63)) AS is_written) s
    ) SELECT low FROM search WHERE low = high)`

/** The views of migrations/009-history.ts, which look no further than they must. */
const VIEWS = `
CREATE OR REPLACE VIEW memories_then AS SELECT m.graph_id, m.seq, m.memory_id, m.context_no, m.kind, m.source, m.payload,
    m.content, m.occurred_at, m.recorded_at, m.length, m.stated, m.place, m.decisions, m.valid_until, m.recorded_by,
    CASE ${IS_ONCE} m.links ELSE (SELECT json_agg(l.link ORDER BY l.first)::text FROM (
      SELECT e.link::jsonb AS link, min(a.seq * 1024 + e.number) AS first FROM (
        SELECT m.seq, m.stated UNION ALL SELECT s.seq, s.stated ${SEEN}) a
      CROSS JOIN LATERAL json_array_elements(a.stated::json) WITH ORDINALITY AS e(link, number)
      GROUP BY e.link::jsonb) l) END AS links,
    CASE ${IS_ONCE} 1 ELSE 1 + (SELECT count(*) ${SEEN})::integer END AS times_seen,
    CASE ${IS_ONCE} NULL ELSE (SELECT s.occurred_at ${SEEN} ORDER BY s.seq DESC LIMIT 1) END AS last_occurred_at,
    CASE ${IS_ONCE} m.valid_until
      WHEN EXISTS (SELECT ${SEEN}) THEN (SELECT s.valid_until ${SEEN} ORDER BY s.seq DESC LIMIT 1)
      ELSE m.valid_until END AS last_valid_until,
    ${VERSION('claim')} AS claim,
    ${VERSION('bases')} AS bases,
    ${VERSION('superseded_at')} AS superseded_at,
    ${VERSION('superseded_source')} AS superseded_source
  FROM memories m WHERE m.seq <= ${SEQ};

CREATE OR REPLACE VIEW relations_then AS SELECT r.graph_id, r.from_no, r.kind, r.to_no, r.made,
    CASE WHEN r.weight = 1 THEN 1 ELSE (SELECT count(*) FROM speakers s WHERE s.graph_id = r.graph_id
      AND s.from_no = r.from_no AND s.kind = r.kind AND s.to_no = r.to_no AND s.seq <= ${SEQ})::integer END AS weight,
    r.first_seen,
    CASE WHEN r.last_seen = r.first_seen THEN r.first_seen ELSE (
      SELECT coalesce(m.recorded_at, g.recorded_at) FROM (SELECT greatest(
        (SELECT max(s.seq) FROM speakers s WHERE s.graph_id = r.graph_id AND s.from_no = r.from_no AND s.kind = r.kind
          AND s.to_no = r.to_no AND s.seq <= ${SEQ}),
        (SELECT max(s.seq) FROM relation_sightings s WHERE s.graph_id = r.graph_id AND s.from_no = r.from_no
          AND s.kind = r.kind AND s.to_no = r.to_no AND s.seq <= ${SEQ})) AS seq) l
      LEFT JOIN memories m ON m.graph_id = r.graph_id AND m.seq = l.seq
      LEFT JOIN sightings g ON g.graph_id = r.graph_id AND g.seq = l.seq) END AS last_seen
  FROM relations r WHERE r.made < (${SEQ} + 1) * 1024;

CREATE OR REPLACE VIEW postings_then AS SELECT p.graph_id, p.term, p.block,
    CASE WHEN p.block < ${SEQ} / 1024 THEN p.entries ELSE left(p.entries, 6 * ${WRITTEN}) END AS entries
  FROM postings p WHERE p.block <= ${SEQ} / 1024;

CREATE OR REPLACE VIEW terms_then AS SELECT t.graph_id, t.term, (SELECT coalesce(sum(
      CASE WHEN p.block < ${SEQ} / 1024 THEN octet_length(p.entries) / 6 ELSE ${WRITTEN} END), 0)
    FROM postings p WHERE p.graph_id = t.graph_id AND p.term = t.term AND p.block <= ${SEQ} / 1024)::integer AS holding
  FROM terms t;

CREATE OR REPLACE VIEW readings_then AS SELECT r.graph_id, r.generation, r.model, r.opened, r.last_seq,
    CASE WHEN r.last_seq < ${SEQ} THEN r.memories ELSE ${MEMORIES('r')} END AS memories
  FROM readings r;

CREATE OR REPLACE VIEW graphs_then AS SELECT g.graph_id, ${SEQ} AS last_seq, ${PLACE} AS last_place, g.last_id,
    g.last_recorded_at, greatest('', ${NEWEST}) AS newest_at, greatest('',
      (SELECT recorded_at FROM memories WHERE graph_id = g.graph_id AND seq <= ${SEQ} ORDER BY seq DESC LIMIT 1),
      (SELECT recorded_at FROM sightings WHERE graph_id = g.graph_id AND seq <= ${SEQ} ORDER BY seq DESC LIMIT 1)
    ) AS stated_at, ${MEMORIES('g')} AS memories, ${LENGTH} AS total_length, g.last_context_no, g.edition
  FROM graphs g;
`

export const totals = `${TABLES}${VIEWS}`
