import { type Past, refuseUnlessNext } from '../../../domain/events/import-order.js'
import { contentOf } from '../../../domain/events/same-event.js'
import type { PastEvent } from '../../../domain/model.js'
import type { EventPath } from '../../store.js'
import type { EventRecord } from '../log/records.js'
import type { Graph } from '../memory/graph.js'
import { payloadOf } from '../memory/views.js'
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
      refuseUnlessNext(event, past, at(count))
      const record = recordOf(event, into.graph.lastSeq + 1)
      const turn = into.apply(record)
      records.push(record)
      count++
      if (turn !== undefined) await turn
    }
    if (records.length > 0) await into.write({ records })
  }
  await endRebuild(into, into.graph)
  return { events: count, memories: into.graph.memoryCount }
}

/** The graph as the events so far have made it. */
function pastOf(graph: Graph): Past {
  return {
    get lastId() {
      return graph.lastId
    },
    get lastRecordedAt() {
      return graph.lastRecordedAt
    },
    timesSeen(memoryId) {
      const row = graph.memories.find(memoryId)
      return row && 1 + row.sightings.length
    },
    sameEvent: (event) => graph.sameEvent(contentOf(event.contextId, event.eventKind, event.payload)),
    repeats(event) {
      const row = graph.memories.find(event.memoryId)
      return (
        row !== undefined &&
        contentOf(event.contextId, event.eventKind, event.payload) ===
          contentOf(row.context.id, row.kind, payloadOf(row)) &&
        event.source === row.source &&
        event.occurredAt === row.occurredAt
      )
    },
  }
}

function recordOf(event: PastEvent, seq: number): EventRecord {
  const { memoryId: id, links, recordedAt, occurredAt, source, payload } = event
  if (event.timesSeen > 1) return { op: 'sighted', seq, id, links, recordedAt }
  const { contextId: context, eventKind: kind } = event
  return { op: 'recorded', seq, id, context, kind, source, payload, links, occurredAt, recordedAt }
}
