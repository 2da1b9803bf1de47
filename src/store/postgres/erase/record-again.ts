import type { PastEvent } from '../../../domain/events/recording.js'
import type { GraphId, MemoryId } from '../../../domain/model.js'
import type { TextCache } from '../../../domain/text-cache.js'
import { NOTHING_DECIDED } from '../../../domain/trust/claims/types.js'
import type { Session } from '../connection/session.js'
import { moveVectors, removeVectors } from '../meanings/after-erasure.js'
import type { GraphRow } from '../schema/rows.js'
import { pagesAsOfNow } from '../transfer/export.js'
import { fill } from '../transfer/import.js'
import { type Said, withoutLinks } from './kept-memories.js'
import { reckon } from './reckon.js'

/** Every table that holds something of a graph but what is kept of it as a whole, and what its memories mean. */
export const CONTENTS = [
  'totals',
  'postings',
  'terms',
  'name_grams',
  'joined',
  'claim_versions',
  'superseded_once',
  'dispute_changes',
  'relation_sightings',
  'records_against',
  'disputes',
  'supersessions',
  'memory_links',
  'speakers',
  'relations',
  'sightings',
  'memories',
  'context_types',
  'contexts',
]

const START_AGAIN = {
  name: 'start-again',
  text: `UPDATE graphs SET last_seq = 0, last_place = 0, last_id = '', last_recorded_at = '', stated_at = '', newest_at = '', memories = 0,
    total_length = 0, last_context_no = 0 WHERE graph_id = $1`,
}
/** No id, no place and no time of recording is given twice, though the memory that had it is gone. */
const GO_ON = {
  name: 'go-on',
  text: `UPDATE graphs SET last_id = $2, last_recorded_at = $3, last_place = $4,
    edition = nextval('graph_editions') WHERE graph_id = $1`,
}

/**
 * The events that are left are recorded again in order, at the places that they had and with what was decided of them;
 * those of claims that are connected with what goes are decided again. The events are read as they were before the tables
 * were emptied, on the same connection: with a second one, as many erasures at once as the pool has connections would wait
 * for each other.
 */
export async function recordAgain(
  session: Session,
  graphId: GraphId,
  graph: GraphRow,
  ids: ReadonlySet<MemoryId>,
  texts: TextCache,
): Promise<void> {
  const { remains } = await reckon(session, graphId, ids)
  const decided = new Map(remains.events.map((event) => [event.place, event]))
  const before = await pagesAsOfNow(session, graphId, graph.last_seq)
  for (const table of CONTENTS) await empty(session, graphId, table)
  await session.rows(START_AGAIN, [graphId])
  await fill(session, graphId, without(before, ids, decided), String, texts, true)
  await session.rows(GO_ON, [graphId, graph.last_id, graph.last_recorded_at, graph.last_place])
  await removeVectors(session, graphId, ids)
  await moveVectors(session, graphId)
}

export async function empty(session: Session, graphId: GraphId, table: string): Promise<void> {
  await session.rows({ name: `empty-${table}`, text: `DELETE FROM ${table} WHERE graph_id = $1` }, [graphId])
}

/** The events but for those of some memories, and without links to those. */
async function* without(
  events: AsyncIterable<readonly PastEvent[]>,
  gone: ReadonlySet<MemoryId>,
  decided: ReadonlyMap<number, Said>,
): AsyncGenerator<readonly PastEvent[]> {
  for await (const some of events)
    yield some
      .filter(({ memoryId }) => !gone.has(memoryId))
      .map((event) => {
        const said = { links: event.links, decisions: event.decisions ?? NOTHING_DECIDED }
        const { links, decisions } = decided.get(event.place ?? 0) ?? withoutLinks(said, gone)
        return { ...event, links, decisions }
      })
}
