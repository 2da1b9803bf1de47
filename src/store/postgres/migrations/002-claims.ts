import type { Session } from '../connection/session.js'
import { bringClaimsOver } from './bring-claims-over.js'

/**
 * What stands: each event keeps its place in the order of recording, its source and what was decided of it, and each
 * memory its trust state. `claim` is null for a memory that was stated once and never spoken of; `bases` are the
 * memories that it builds on while it stands; `superseded_at` is the place of the event that superseded it.
 *
 * - `supersessions`: `by_id` supersedes `memory_id`.
 * - `disputes`: the open contradictions, each from both sides.
 * - `records_against`: records that contradict a context and bore on none of its memories.
 * - `joined`: the memories, and the contexts as a whole, that the events of a memory join to it.
 */
const TABLES = `
ALTER TABLE graphs ADD COLUMN last_place bigint NOT NULL DEFAULT 0;
UPDATE graphs SET last_place = last_seq;
ALTER TABLE graphs ALTER COLUMN last_place DROP DEFAULT;

ALTER TABLE contexts DROP COLUMN agreements;

DROP INDEX memories_superseded;
ALTER TABLE memories
  ADD COLUMN place bigint,
  ADD COLUMN decisions text,
  ADD COLUMN last_occurred_at text COLLATE "C",
  ADD COLUMN claim text,
  ADD COLUMN bases text[] COLLATE "C",
  ADD COLUMN superseded_source text COLLATE "C",
  DROP COLUMN sighted,
  DROP COLUMN agreements,
  DROP COLUMN contradictions;
UPDATE memories m SET place = m.seq, superseded_at = NULL,
  last_occurred_at = (SELECT s.recorded_at FROM sightings s WHERE s.graph_id = m.graph_id AND s.memory_seq = m.seq
    ORDER BY s.seq DESC LIMIT 1);
ALTER TABLE memories ALTER COLUMN place SET NOT NULL;
CREATE INDEX memories_superseded ON memories (graph_id, context_no, superseded_at) WHERE superseded_at IS NOT NULL;
CREATE INDEX memories_standing ON memories (graph_id, context_no, seq) WHERE superseded_at IS NULL;

ALTER TABLE sightings
  ADD COLUMN place bigint,
  ADD COLUMN source text COLLATE "C",
  ADD COLUMN occurred_at text COLLATE "C",
  ADD COLUMN decisions text;
UPDATE sightings s SET place = s.seq, source = m.source, occurred_at = s.recorded_at
  FROM memories m WHERE m.graph_id = s.graph_id AND m.seq = s.memory_seq;
ALTER TABLE sightings
  ALTER COLUMN place SET NOT NULL,
  ALTER COLUMN source SET NOT NULL,
  ALTER COLUMN occurred_at SET NOT NULL;
UPDATE graphs g SET newest_at = greatest(g.newest_at, (SELECT max(s.occurred_at) FROM sightings s
  WHERE s.graph_id = g.graph_id));

-- Kept receipts of 0.1 do not tell what their events did.
UPDATE done_once SET receipts = (SELECT json_agg(r.receipt::jsonb || '{"bearsOn": []}' ORDER BY r.number)
  FROM json_array_elements(receipts::json) WITH ORDINALITY AS r(receipt, number))::text;

DROP TABLE contradictions, context_agreements, memory_agreements;

CREATE TABLE supersessions (
  graph_id text COLLATE "C" NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  by_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, memory_id, by_id)
);
CREATE INDEX supersessions_by_speaker ON supersessions (graph_id, by_id, memory_id);

CREATE TABLE disputes (
  graph_id text COLLATE "C" NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  other_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, memory_id, other_id)
);

CREATE TABLE records_against (
  graph_id text COLLATE "C" NOT NULL,
  context_id text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, context_id, place, memory_id)
);

CREATE TABLE joined (
  graph_id text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, node, kind, memory_id)
);
CREATE INDEX joined_by_memory ON joined (graph_id, memory_id, node);
`

/** The links of a database of 0.1 get their outcome by these rules, in order of recording. */
export async function claims(session: Session): Promise<void> {
  await session.run(TABLES)
  await bringClaimsOver(session)
}
