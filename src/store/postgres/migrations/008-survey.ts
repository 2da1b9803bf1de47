/**
 * What looks over a graph goes by indexes. The event at a place is found by `memories_by_place` or `sightings_by_place`;
 * `memories_told` and `sightings_told` hold all that is counted,
 * `memories_by_supersession` has what was superseded last, and `memories_lost` the few claims that have built on what
 * was erased.
 */
export const survey = `
CREATE INDEX memories_told ON memories (graph_id, kind, seq) INCLUDE (source, recorded_at);
CREATE INDEX sightings_told ON sightings (graph_id, seq) INCLUDE (source, recorded_at);
CREATE INDEX memories_by_supersession ON memories (graph_id, superseded_at DESC, memory_id)
  WHERE superseded_at IS NOT NULL;
CREATE INDEX memories_ending ON memories (graph_id, last_valid_until)
  WHERE last_valid_until IS NOT NULL AND superseded_at IS NULL;
CREATE INDEX memories_lost ON memories (graph_id, seq) WHERE superseded_at IS NULL AND claim LIKE '%"lost":[{%';
`
