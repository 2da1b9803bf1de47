import { type Past, refuseUnlessNext } from '../../../domain/events/import-order.js'
import type { PastEvent } from '../../../domain/events/recording.js'
import { decidedAs, recordOf, statementOf } from '../../../domain/events/recording.js'
import { contentOf } from '../../../domain/events/same-event.js'
import { Failure } from '../../../domain/failure.js'
import { check } from '../../../domain/trust/decide/check.js'
import { decideNext } from '../../../graph/deciding.js'
import type { Graph } from '../../../graph/graph.js'
import type { EventRecord } from '../../../graph/records.js'
import { saidBy } from '../../../graph/views.js'
import type { EventPath } from '../../../store/store.js'
import type { Rebuild } from '../open-graph/rebuild.js'
import { endRebuild } from '../open-graph/rebuild.js'

/** Fills a new graph with the events of an export, and makes sure that they add up to one. */
export async function rebuildFrom(
  into: Rebuild,
  events: AsyncIterable<readonly PastEvent[]>,
  at: EventPath,
): Promise<{ readonly events: number; readonly memories: number }> {
  const past = pastOf(into.graph)
  let count = 0
  for await (const some of events) {
    const records: EventRecord[] = []
    for (const event of some) {
      const content = contentOf(event)
      refuseUnlessNext(event, content, past, at(count))
      const record = await nextRecord(event, into.graph, at(count))
      const turn = into.apply(record, content)
      records.push(record)
      count++
      if (turn !== undefined) await turn
    }
    if (records.length > 0) await into.write({ records })
  }
  await endRebuild(into, into.graph)
  return { events: count, memories: into.graph.memoryCount }
}

/** The record of an event with what was decided of it, which must follow from the rules. */
async function nextRecord(event: PastEvent, graph: Graph, path: string): Promise<EventRecord> {
  const { decisions, place = graph.lastPlace + 1, contextId } = event
  const record = recordOf(event, graph.lastSeq + 1, place)
  if (decisions === undefined) return decideNext(graph, record)
  const message = check({ ...statementOf(record, contextId), decisions }, graph.claims)
  if (message === undefined) return decidedAs(record, decisions)
  throw new Failure('invalid_import', `The events are not those of a graph: at ${path}, ${message}`, {
    errors: [{ path, message }],
  })
}

/** The graph as the events so far have made it. */
function pastOf(graph: Graph): Past {
  return {
    get lastId() {
      return graph.lastId
    },
    get lastPlace() {
      return graph.lastPlace
    },
    get lastRecordedAt() {
      return graph.lastRecordedAt
    },
    sameEvent: (content) => graph.sameEvent(content),
    find(memoryId) {
      const row = graph.rows.find(memoryId)
      return (
        row && {
          timesSeen: 1 + row.sightings.length,
          get key() {
            return contentOf(saidBy(row)).key
          },
        }
      )
    },
  }
}
