/**
 * What lets an erasure find what is left, without reading all of it: the latest time in a graph, the latest statement in
 * a context, and the latest statement of a relation.
 *
 * `speakers.last_seq` is the last event in which a memory stated a relation again; null for one that stated it once.
 */
export const erasure = `
CREATE INDEX memories_by_time ON memories (graph_id, occurred_at);
CREATE INDEX sightings_by_time ON sightings (graph_id, occurred_at);

ALTER TABLE sightings ADD COLUMN context_no integer;
UPDATE sightings s SET context_no = m.context_no
  FROM memories m WHERE m.graph_id = s.graph_id AND m.seq = s.memory_seq;
ALTER TABLE sightings ALTER COLUMN context_no SET NOT NULL;
CREATE INDEX sightings_by_context ON sightings (graph_id, context_no, seq);

ALTER TABLE speakers ADD COLUMN last_seq bigint;
UPDATE speakers s SET last_seq = again.seq
  FROM (
    SELECT s.graph_id, s.context_no AS from_no, l.link->>0 AS kind, coalesce(c.context_no, m.context_no) AS to_no,
      s.memory_seq AS by_seq, max(s.seq) AS seq
    FROM sightings s CROSS JOIN LATERAL json_array_elements(s.stated::json) AS l(link)
    LEFT JOIN contexts c ON c.graph_id = s.graph_id AND c.context_id = l.link->>1
    LEFT JOIN memories m ON m.graph_id = s.graph_id AND m.memory_id = l.link->>1
    WHERE s.stated IS NOT NULL GROUP BY 1, 2, 3, 4, 5) again
  WHERE s.graph_id = again.graph_id AND s.from_no = again.from_no AND s.kind = again.kind AND s.to_no = again.to_no
    AND s.by_seq = again.by_seq AND s.seq < again.seq;
CREATE INDEX speakers_again ON speakers (graph_id, from_no, kind, to_no, last_seq) WHERE last_seq IS NOT NULL;
`
