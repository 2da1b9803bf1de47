import { Failure } from '../../domain/failure.js'
import { isMemoryId } from '../../domain/ids.js'
import type { PastEvent } from '../../domain/model.js'
import type { EventPath } from '../store.js'
import { contentOf } from './contents.js'
import type { Graph } from './graph.js'
import type { EventRecord } from './records.js'
import type { Filling } from './rewrite.js'
import { closeFilling } from './survivors.js'
import { payloadOf } from './views.js'

/** Fills a new graph with the events of an export, and makes sure that they add up to one. */
export async function fillFrom(
  into: Filling,
  events: AsyncIterable<readonly PastEvent[]>,
  at: EventPath,
): Promise<{ readonly events: number; readonly memories: number }> {
  let count = 0
  for await (const some of events) {
    const records: EventRecord[] = []
    for (const event of some) {
      const wrong = faultIn(event, into.graph)
      if (wrong !== undefined) throw refused(wrong, at(count))
      const record = recordOf(event, into.graph.lastSeq + 1)
      const turn = into.apply(record)
      records.push(record)
      count++
      if (turn !== undefined) await turn
    }
    if (records.length > 0) await into.write({ records })
  }
  await closeFilling(into, into.graph)
  return { events: count, memories: into.graph.memoryCount }
}

/** What is wrong with an event that comes after those of the graph, if anything. */
function faultIn(event: PastEvent, graph: Graph): string | undefined {
  const { memoryId, timesSeen, recordedAt, links } = event
  if (!isMemoryId(memoryId)) return `${memoryId} is not a memory id`
  if (!isTime(recordedAt) || (event.occurredAt !== recordedAt && !isTime(event.occurredAt)))
    return 'a time is not given as ISO 8601 in UTC'
  if (recordedAt < graph.lastRecordedAt) return `it was recorded before the one above it (${recordedAt})`
  const unknown = links.find(({ target }) => isMemoryId(target) && !graph.has(target))
  if (unknown !== undefined) return `it links to ${unknown.target}, which no event above it recorded`
  return timesSeen === 1 ? faultInFirst(event, graph) : faultInRepeat(event, graph)
}

function faultInFirst({ memoryId, contextId, eventKind, payload }: PastEvent, graph: Graph) {
  if (graph.has(memoryId)) return `${memoryId} was recorded above; seen again, it counts on in times_seen`
  if (graph.lastId !== undefined && memoryId < graph.lastId)
    return `its id ${memoryId} does not come after ${graph.lastId}, the one above it`
  const same = graph.sameEvent(contentOf(contextId, eventKind, payload))
  return same === undefined ? undefined : `it is the same event as ${same}, under another id`
}

function faultInRepeat({ memoryId, timesSeen, ...event }: PastEvent, graph: Graph): string | undefined {
  const row = graph.memories.find(memoryId)
  if (row === undefined) return `no event above it recorded ${memoryId}, which it says was seen before`
  const expected = 2 + row.sightings.length
  if (timesSeen !== expected) return `times_seen is ${timesSeen} where ${expected} comes next`
  const says = contentOf(event.contextId, event.eventKind, event.payload)
  const same =
    says === contentOf(row.context.id, row.kind, payloadOf(row)) &&
    event.source === row.source &&
    event.occurredAt === row.occurredAt
  return same ? undefined : `it says something else than ${memoryId} said the first time`
}

function recordOf(event: PastEvent, seq: number): EventRecord {
  const { memoryId: id, links, recordedAt, occurredAt, source, payload } = event
  if (event.timesSeen > 1) return { op: 'sighted', seq, id, links, recordedAt }
  const { contextId: context, eventKind: kind } = event
  return { op: 'recorded', seq, id, context, kind, source, payload, links, occurredAt, recordedAt }
}

/** Times are compared as text, so they must be written in one way. */
function isTime(text: string): boolean {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

function refused(wrong: string, path: string): Failure {
  return new Failure('invalid_import', `The events are not those of a graph: at ${path}, ${wrong}.`, {
    errors: [{ path, message: wrong }],
  })
}
