/**
 * What lets an erasure find what is left, without reading all of it: the latest time in a graph, the latest statement in
 * a context, and the latest statement of a relation.
 *
 * `relation_sightings`: that a memory was seen again which states the relation, by the `seq` of that event.
 */
export const erasure = `
CREATE INDEX memories_by_time ON memories (graph_id, least(occurred_at, recorded_at));
CREATE INDEX sightings_by_time ON sightings (graph_id, least(occurred_at, recorded_at));

ALTER TABLE sightings ADD COLUMN context_no integer;
UPDATE sightings s SET context_no = m.context_no
  FROM memories m WHERE m.graph_id = s.graph_id AND m.seq = s.memory_seq;
ALTER TABLE sightings ALTER COLUMN context_no SET NOT NULL;
CREATE INDEX sightings_by_context ON sightings (graph_id, context_no, seq);

CREATE TABLE relation_sightings (
  graph_id text COLLATE "C" NOT NULL,
  from_no integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  to_no integer NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (graph_id, from_no, kind, to_no, seq)
);
INSERT INTO relation_sightings
  SELECT s.graph_id, s.context_no, l.link ->> 0, coalesce(c.context_no, m.context_no), s.seq
  FROM sightings s CROSS JOIN LATERAL json_array_elements(s.stated::json) AS l(link)
  LEFT JOIN contexts c ON c.graph_id = s.graph_id AND c.context_id = l.link ->> 1
  LEFT JOIN memories m ON m.graph_id = s.graph_id AND m.memory_id = l.link ->> 1
  WHERE s.stated IS NOT NULL ON CONFLICT DO NOTHING;
`
