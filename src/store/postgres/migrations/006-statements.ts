/**
 * What each statement tells of itself: until when it holds, and the key that recorded it. `last_valid_until` is that of
 * the latest statement of a memory. `graphs.stated_at` is when the latest of the statements that are there was recorded,
 * by which it is reckoned what has expired.
 *
 * Statements are read by place as well as by `seq`, which erasures move.
 *
 * `erasures` tells the followers of a graph in all processes what was erased: the edition that the graph had before and
 * since, and the places and ids of what went, as pairs in JSON. A row is of use for a few minutes.
 */
export const statements = `
ALTER TABLE graphs ADD COLUMN stated_at text COLLATE "C" NOT NULL DEFAULT '';
UPDATE graphs g SET stated_at = greatest('',
  (SELECT m.recorded_at FROM memories m WHERE m.graph_id = g.graph_id ORDER BY m.seq DESC LIMIT 1),
  (SELECT s.recorded_at FROM sightings s WHERE s.graph_id = g.graph_id ORDER BY s.seq DESC LIMIT 1));
ALTER TABLE graphs ALTER COLUMN stated_at DROP DEFAULT;

ALTER TABLE memories
  ADD COLUMN valid_until text COLLATE "C",
  ADD COLUMN last_valid_until text COLLATE "C",
  ADD COLUMN recorded_by text COLLATE "C";
ALTER TABLE sightings
  ADD COLUMN valid_until text COLLATE "C",
  ADD COLUMN recorded_by text COLLATE "C";

CREATE INDEX memories_by_place ON memories (graph_id, place);
CREATE INDEX sightings_by_place ON sightings (graph_id, place);

CREATE TABLE erasures (
  graph_id text COLLATE "C" NOT NULL,
  edition_before bigint NOT NULL,
  edition bigint NOT NULL,
  erased_at timestamptz NOT NULL,
  gone text NOT NULL,
  PRIMARY KEY (graph_id, edition)
);
`
