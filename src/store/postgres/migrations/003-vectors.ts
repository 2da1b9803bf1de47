/**
 * What memories mean. `vectors` has the vector of each memory that has been read, its code, and the `seq` of the memory:
 * the index in order holds the codes as well, so that those of a whole graph are loaded without their vectors.
 *
 * `readings` has a row for each graph, made and removed with it: the memories up to `last_seq` have been read by
 * `model`, and there are `memories` of them. The row has a lock of its own, so that reading and writing do not wait for
 * each other.
 * - `generation` is a new number whenever vectors go or their memories get another `seq`; within one generation, vectors
 *   are only added, in the order of `seq`.
 * - `opened` is the number of the process that was opened last of those that read with `model`.
 * - `reader` is the number of the process that reads now, and `held_until` when it counts as gone.
 */
export const vectors = `
CREATE SEQUENCE reading_numbers;

CREATE TABLE readings (
  graph_id text COLLATE "C" NOT NULL,
  generation bigint NOT NULL,
  model text COLLATE "C" NOT NULL,
  opened bigint NOT NULL,
  last_seq bigint NOT NULL,
  memories bigint NOT NULL,
  reader bigint NOT NULL,
  held_until timestamptz NOT NULL,
  PRIMARY KEY (graph_id)
) WITH (fillfactor = 90);
INSERT INTO readings SELECT graph_id, nextval('reading_numbers'), '', 0, 0, 0, 0, '-infinity' FROM graphs;

CREATE TABLE vectors (
  graph_id text COLLATE "C" NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  code bytea NOT NULL,
  vector bytea NOT NULL,
  PRIMARY KEY (graph_id, memory_id)
);
CREATE INDEX vectors_in_order ON vectors (graph_id, seq) INCLUDE (code);
`
