import type { Session } from '../connection/session.js'
import { bringHistoryOver } from './bring-history-over.js'

/** Where a read of the past looks (read/then.ts): the last statement that had been recorded. */
const SEQ = `current_setting('loregraph.seq')::bigint`
const PLACE = `current_setting('loregraph.place')::bigint`

/**
 * What is needed to see a graph as it was: when contexts and joins came to be, and every state that claims have been in.
 *
 * - `claim_versions`: what `memories` has of a claim, from the event at `place` on.
 * - `superseded_once`: `by_id` has superseded `memory_id` at some time.
 * - `dispute_changes`: contradictions that were opened or closed, each from both sides.
 */
const TABLES = `
ALTER TABLE contexts ADD COLUMN seq bigint;
UPDATE contexts c SET seq = least(
  (SELECT min(m.seq) FROM memories m WHERE m.graph_id = c.graph_id AND m.context_no = c.context_no),
  (SELECT min(r.made) / 1024 FROM relations r WHERE r.graph_id = c.graph_id AND r.to_no = c.context_no));
ALTER TABLE contexts ALTER COLUMN seq SET NOT NULL;

CREATE TABLE claim_versions (
  graph_id text COLLATE "C" NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  claim text,
  bases text[] COLLATE "C",
  superseded_at bigint,
  superseded_source text COLLATE "C",
  PRIMARY KEY (graph_id, memory_id, place)
);

CREATE TABLE superseded_once (
  graph_id text COLLATE "C" NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  by_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, memory_id, by_id)
);
CREATE INDEX superseded_once_by_speaker ON superseded_once (graph_id, by_id, memory_id);

CREATE TABLE dispute_changes (
  graph_id text COLLATE "C" NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  other_id text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  is_open boolean NOT NULL,
  PRIMARY KEY (graph_id, memory_id, other_id, place)
);

UPDATE graphs g SET newest_at = greatest('',
  (SELECT max(least(m.occurred_at, m.recorded_at)) FROM memories m WHERE m.graph_id = g.graph_id),
  (SELECT max(least(s.occurred_at, s.recorded_at)) FROM sightings s WHERE s.graph_id = g.graph_id));

-- They are written anew, with their history.
UPDATE memories SET claim = NULL, bases = NULL, superseded_at = NULL, superseded_source = NULL WHERE claim IS NOT NULL;
DELETE FROM supersessions;
DELETE FROM disputes;
DELETE FROM records_against;
DELETE FROM joined;
ALTER TABLE joined ADD COLUMN place bigint NOT NULL;
`

const VERSION = (column: string) => `(SELECT v.${column} FROM claim_versions v
    WHERE v.graph_id = m.graph_id AND v.memory_id = m.memory_id AND v.place <= ${PLACE} ORDER BY v.place DESC LIMIT 1)`
const SEEN = `FROM sightings s WHERE s.graph_id = m.graph_id AND s.memory_seq = m.seq AND s.seq <= ${SEQ}`

/** For each table that is read, what was in it when the statement of the setting was the last. */
const VIEWS = `
CREATE VIEW memories_then AS SELECT m.graph_id, m.seq, m.memory_id, m.context_no, m.kind, m.source, m.payload,
    m.content, m.occurred_at, m.recorded_at, m.length, m.stated, m.place, m.decisions, m.valid_until, m.recorded_by,
    (SELECT json_agg(l.link ORDER BY l.first)::text FROM (
      SELECT e.link::jsonb AS link, min(a.seq * 1024 + e.number) AS first FROM (
        SELECT m.seq, m.stated UNION ALL SELECT s.seq, s.stated ${SEEN}) a
      CROSS JOIN LATERAL json_array_elements(a.stated::json) WITH ORDINALITY AS e(link, number)
      GROUP BY e.link::jsonb) l) AS links,
    1 + (SELECT count(*) ${SEEN})::integer AS times_seen,
    (SELECT s.occurred_at ${SEEN} ORDER BY s.seq DESC LIMIT 1) AS last_occurred_at,
    CASE WHEN EXISTS (SELECT ${SEEN}) THEN (SELECT s.valid_until ${SEEN} ORDER BY s.seq DESC LIMIT 1)
      ELSE m.valid_until END AS last_valid_until,
    ${VERSION('claim')} AS claim,
    ${VERSION('bases')} AS bases,
    ${VERSION('superseded_at')} AS superseded_at,
    ${VERSION('superseded_source')} AS superseded_source
  FROM memories m WHERE m.seq <= ${SEQ};

CREATE VIEW contexts_then AS SELECT c.graph_id, c.context_no, c.context_id, c.context_type, c.context_name, c.sort_key,
    (SELECT count(*) FROM memories m
      WHERE m.graph_id = c.graph_id AND m.context_no = c.context_no AND m.seq <= ${SEQ})::integer AS memories,
    c.created_at,
    greatest(c.created_at,
      (SELECT m.recorded_at FROM memories m WHERE m.graph_id = c.graph_id AND m.context_no = c.context_no
        AND m.seq <= ${SEQ} ORDER BY m.seq DESC LIMIT 1),
      (SELECT s.recorded_at FROM sightings s WHERE s.graph_id = c.graph_id AND s.context_no = c.context_no
        AND s.seq <= ${SEQ} ORDER BY s.seq DESC LIMIT 1)) AS updated_at,
    c.seq
  FROM contexts c WHERE c.seq <= ${SEQ};

CREATE VIEW context_types_then AS SELECT t.graph_id, t.context_type, t.sort_key,
    (SELECT count(*) FROM contexts c WHERE c.graph_id = t.graph_id AND c.context_type = t.context_type
      AND c.seq <= ${SEQ})::integer AS contexts,
    (SELECT count(*) FROM contexts c JOIN memories m ON m.graph_id = c.graph_id AND m.context_no = c.context_no
      WHERE c.graph_id = t.graph_id AND c.context_type = t.context_type AND m.seq <= ${SEQ}) AS memories
  FROM context_types t WHERE EXISTS (SELECT FROM contexts c WHERE c.graph_id = t.graph_id
    AND c.context_type = t.context_type AND c.seq <= ${SEQ});

CREATE VIEW speakers_then AS SELECT s.* FROM speakers s WHERE s.seq <= ${SEQ};

CREATE VIEW relations_then AS SELECT r.graph_id, r.from_no, r.kind, r.to_no, r.made,
    (SELECT count(*) FROM speakers s WHERE s.graph_id = r.graph_id AND s.from_no = r.from_no AND s.kind = r.kind
      AND s.to_no = r.to_no AND s.seq <= ${SEQ})::integer AS weight,
    r.first_seen,
    (SELECT coalesce(m.recorded_at, g.recorded_at) FROM (SELECT greatest(
        (SELECT max(s.seq) FROM speakers s WHERE s.graph_id = r.graph_id AND s.from_no = r.from_no AND s.kind = r.kind
          AND s.to_no = r.to_no AND s.seq <= ${SEQ}),
        (SELECT max(s.seq) FROM relation_sightings s WHERE s.graph_id = r.graph_id AND s.from_no = r.from_no
          AND s.kind = r.kind AND s.to_no = r.to_no AND s.seq <= ${SEQ})) AS seq) l
      LEFT JOIN memories m ON m.graph_id = r.graph_id AND m.seq = l.seq
      LEFT JOIN sightings g ON g.graph_id = r.graph_id AND g.seq = l.seq) AS last_seen
  FROM relations r WHERE r.made < (${SEQ} + 1) * 1024;

CREATE VIEW supersessions_then AS SELECT o.graph_id, o.memory_id, o.by_id FROM superseded_once o
  WHERE (SELECT v.claim::jsonb -> 'supersededBy' ? o.by_id FROM claim_versions v WHERE v.graph_id = o.graph_id
    AND v.memory_id = o.memory_id AND v.place <= ${PLACE} ORDER BY v.place DESC LIMIT 1);

CREATE VIEW disputes_then AS SELECT d.graph_id, d.memory_id, d.other_id FROM dispute_changes d
  WHERE d.is_open AND d.place <= ${PLACE} AND NOT EXISTS (SELECT FROM dispute_changes l WHERE l.graph_id = d.graph_id
    AND l.memory_id = d.memory_id AND l.other_id = d.other_id AND l.place > d.place AND l.place <= ${PLACE});

CREATE VIEW records_against_then AS SELECT r.* FROM records_against r WHERE r.place <= ${PLACE};

CREATE VIEW joined_then AS SELECT j.* FROM joined j WHERE j.place <= ${PLACE};

-- Six letters for each memory, of which the first three begin with its place in the block (search/postings.ts).
CREATE VIEW postings_then AS SELECT p.graph_id, p.term, p.block,
    CASE WHEN p.block < ${SEQ} / 1024 THEN p.entries ELSE left(p.entries, (SELECT 6 * count(*)
      FROM generate_series(0, length(p.entries) / 6 - 1) AS e(number)
      CROSS JOIN (SELECT ((${SEQ} % 1024 + 1) * 256)::integer AS head) past
      WHERE substr(p.entries, e.number * 6 + 1, 3)
        < chr(48 + (past.head >> 12)) || chr(48 + ((past.head >> 6) & 63)) || chr(48 + (past.head & 63))
    )::integer) END AS entries
  FROM postings p WHERE p.block <= ${SEQ} / 1024;

CREATE VIEW terms_then AS SELECT t.graph_id, t.term, (SELECT coalesce(sum(length(p.entries) / 6), 0)
    FROM postings_then p WHERE p.graph_id = t.graph_id AND p.term = t.term)::integer AS holding
  FROM terms t;

CREATE VIEW readings_then AS SELECT r.graph_id, r.generation, r.model, r.opened, r.last_seq,
    CASE WHEN r.last_seq < ${SEQ} THEN r.memories ELSE (SELECT count(*) FROM memories m
      WHERE m.graph_id = r.graph_id AND m.seq <= ${SEQ}) END AS memories
  FROM readings r;

CREATE VIEW graphs_then AS SELECT g.graph_id, ${SEQ} AS last_seq, ${PLACE} AS last_place, g.last_id, g.last_recorded_at,
    greatest('', m.newest_at, s.newest_at) AS newest_at, greatest('',
      (SELECT recorded_at FROM memories WHERE graph_id = g.graph_id AND seq <= ${SEQ} ORDER BY seq DESC LIMIT 1),
      (SELECT recorded_at FROM sightings WHERE graph_id = g.graph_id AND seq <= ${SEQ} ORDER BY seq DESC LIMIT 1)
    ) AS stated_at, m.memories, m.total_length, g.last_context_no, g.edition
  FROM graphs g
  CROSS JOIN LATERAL (SELECT count(*) AS memories, coalesce(sum(length), 0)::bigint AS total_length,
      max(least(occurred_at, recorded_at)) AS newest_at
    FROM memories WHERE graph_id = g.graph_id AND seq <= ${SEQ}) m
  CROSS JOIN LATERAL (SELECT max(least(occurred_at, recorded_at)) AS newest_at
    FROM sightings WHERE graph_id = g.graph_id AND seq <= ${SEQ}) s;
`

export async function history(session: Session): Promise<void> {
  await session.run(TABLES)
  await bringHistoryOver(session)
  await session.run(VIEWS)
}
