import { decisionsOf, statementOf } from '../../../domain/events/recording.js'
import { isMemoryId } from '../../../domain/ids.js'
import type { MemoryId } from '../../../domain/model.js'
import { NOTHING_DECIDED, type Recorded } from '../../../domain/trust/claims/types.js'
import { connectedWith, joinedBy } from '../../../domain/trust/erase/connected.js'
import { reckonWithout } from '../../../domain/trust/erase/erasure.js'
import { judgementOf } from '../../../graph/deciding.js'
import type { Graph } from '../../../graph/graph.js'
import type { EventRecord } from '../../../graph/records.js'
import { isEvent } from '../../../graph/records.js'
import { inSlices } from '../../../loop/yielding.js'
import { GraphHistory } from '../graph-files/history.js'
import type { OpenGraph } from '../open-graph/open-graph.js'

/**
 * What is decided, once some memories are gone, of the events that have to do with them: by place. The history is read
 * twice, so that only the events that are reckoned again are held in memory.
 */
export async function reckonAgain(
  from: OpenGraph,
  erased: ReadonlySet<MemoryId>,
): Promise<ReadonlyMap<number, Recorded>> {
  if (erased.size === 0) return new Map()
  const { graph } = from
  const joining = await eventsOf(from, ({ decisions }) => decisions !== undefined)
  const contexts = new Set(graph.rows.all(erased).map(({ context }) => context.id))
  const spoken = await inSlices(spokenOf(joining, erased, graph))
  const connected = await inSlices(connectedWith(erased, contexts, [...joining, ...spoken]))
  const touched = await eventsOf(from, ({ id }) => connected.has(id))
  const { events } = await inSlices(reckonWithout(erased, touched, graph.claims, judgementOf(graph)))
  return new Map(events.map((event) => [event.place, event]))
}

async function eventsOf(
  { home, graph }: OpenGraph,
  isWanted: (record: EventRecord) => boolean,
): Promise<Recorded[]> {
  const found: Recorded[] = []
  const history = await GraphHistory.open(home, graph)
  try {
    for await (const frames of history.frames())
      for (const { records } of frames)
        for (const record of records) {
          if (!isEvent(record) || !isWanted(record)) continue
          const { context } = graph.rows.get(record.id)
          found.push({ ...statementOf(record, context.id), decisions: decisionsOf(record) })
        }
  } finally {
    await history.close()
  }
  return found
}

/** An event that decides nothing for each memory that others join to theirs: it may have no other. */
function* spokenOf(
  joining: readonly Recorded[],
  erased: Iterable<MemoryId>,
  graph: Graph,
): Generator<void, Recorded[]> {
  const ids = new Set(erased)
  for (const event of joining) {
    for (const node of joinedBy(event)) if (isMemoryId(node)) ids.add(node)
    yield
  }
  const spoken: Recorded[] = []
  for (const { id, context, place, source, recordedAt } of graph.rows.all(ids)) {
    const statement = { place, claim: id, contextId: context.id, first: true, source, links: [], recordedAt }
    spoken.push({ ...statement, decisions: NOTHING_DECIDED })
    yield
  }
  return spoken
}
