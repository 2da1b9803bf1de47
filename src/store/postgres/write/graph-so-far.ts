import type { GraphSoFar } from '../../../domain/events/recording.js'
import { isMemoryId } from '../../../domain/ids.js'
import type { GraphId, NewMemory } from '../../../domain/model.js'
import { createYielding } from '../../../loop/yielding.js'
import type { Session } from '../connection/session.js'
import { type HashedContent, hashedContentOf, keyOf } from '../schema/document.js'
import type { GraphRow } from '../schema/rows.js'

const SAME = {
  name: 'same-events',
  text: `SELECT m.content, m.memory_id FROM unnest($2::bytea[]) AS wanted(content) CROSS JOIN LATERAL (
      SELECT content, memory_id FROM memories WHERE graph_id = $1 AND content = wanted.content OFFSET 0) m`,
}
const KNOWN = {
  name: 'known-memories',
  text: `SELECT m.memory_id FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT memory_id FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m`,
}

/** Looks up which of the events the graph holds already, and which memories they link to; `contentOf` is for these events. */
export async function loadGraphSoFar(
  session: Session,
  graphId: GraphId,
  graph: GraphRow,
  events: readonly NewMemory[],
): Promise<{ readonly soFar: GraphSoFar; readonly contentOf: (event: NewMemory) => HashedContent }> {
  const contents = new Map<NewMemory, HashedContent>()
  const yielding = createYielding()
  for (const event of events) {
    contents.set(event, hashedContentOf(event))
    await yielding()
  }
  const hashes = Array.from(contents.values(), ({ hash }) => hash)
  const linked = events.flatMap(({ links }) => links.map(({ target }) => target).filter(isMemoryId))
  const [same, known] = await Promise.all([
    graph.memories === 0 ? [] : session.rows<{ content: Buffer; memory_id: string }>(SAME, [graphId, hashes]),
    linked.length === 0 ? [] : session.rows<{ memory_id: string }>(KNOWN, [graphId, linked]),
  ])
  const byKey = new Map(same.map(({ content, memory_id }) => [keyOf(content), memory_id]))
  const ids = new Set(known.map(({ memory_id }) => memory_id))
  return {
    soFar: {
      lastSeq: graph.last_seq,
      lastPlace: graph.last_place,
      lastId: graph.last_id || undefined,
      lastRecordedAt: graph.last_recorded_at,
      sameEvent: ({ key }) => byKey.get(key),
      has: (id) => ids.has(id),
    },
    contentOf: (event) => contents.get(event) ?? hashedContentOf(event),
  }
}
