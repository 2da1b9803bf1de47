import type { ClockAndRandom } from '../clock-and-random.js'
import { ID_BYTES, nextMemoryId } from '../ids.js'
import { refuseUnknownMemories } from '../links.js'
import type {
  ContextId,
  EventKind,
  JsonObject,
  Link,
  MemoryId,
  NewMemory,
  PastEvent,
  Source,
} from '../model.js'
import type { Content } from './same-event.js'

/** An event that was recorded. A graph is nothing but its records in order of `seq`. */
export type EventRecord = Recorded | Sighted

/** What every event adds, the first of its kind or not. */
interface Stated {
  readonly seq: number
  readonly id: MemoryId
  readonly links: readonly Link[]
  readonly recordedAt: string
}

/** A new memory. */
export interface Recorded extends Stated {
  readonly op: 'recorded'
  readonly context: ContextId
  readonly kind: EventKind
  readonly source: Source
  readonly payload: JsonObject
  readonly occurredAt: string
}

/** The same event again: one more sighting of a memory, with every link that was stated with it. */
export interface Sighted extends Stated {
  readonly op: 'sighted'
}

/** What a graph says about the event that comes next. */
export interface GraphSoFar {
  readonly lastSeq: number
  /** The last id that was given out, though its memory may be gone. */
  readonly lastId: MemoryId | undefined
  readonly lastRecordedAt: string
  /** The memory that the same event became. */
  sameEvent(content: Content): MemoryId | undefined
  has(memoryId: MemoryId): boolean
}

/** A record and the texts of its event. */
export interface Draft<C extends Content> {
  readonly record: EventRecord
  readonly content: C
}

/**
 * Makes events into records, one after the other, without touching the graph: the store applies the records once they
 * are durable.
 */
export class Recorder<C extends Content> {
  readonly #graph: GraphSoFar
  readonly #contentOf: (event: NewMemory) => C
  readonly #clockAndRandom: ClockAndRandom
  readonly #new = new Map<string, MemoryId>()
  #lastSeq: number
  #lastId: MemoryId | undefined
  #recordedAt: string

  constructor(graph: GraphSoFar, contentOf: (event: NewMemory) => C, clockAndRandom: ClockAndRandom) {
    this.#graph = graph
    this.#contentOf = contentOf
    this.#clockAndRandom = clockAndRandom
    this.#lastSeq = graph.lastSeq
    this.#lastId = graph.lastId
    this.#recordedAt = graph.lastRecordedAt
  }

  /**
   * The records of one append, in order; throws, having changed nothing, when an event links to an unknown memory. `at`
   * gives the place of each event in the request.
   */
  recordAll(events: readonly NewMemory[], at: (index: number) => string): Draft<C>[] {
    events.forEach(({ links }, i) => {
      refuseUnknownMemories(links, at(i), (id) => this.#graph.has(id))
    })
    return events.map((event) => this.record(event))
  }

  record(event: NewMemory): Draft<C> {
    const now = this.#clockAndRandom.now()
    // The clock may step back; the order of recording does not.
    if (now.toISOString() > this.#recordedAt) this.#recordedAt = now.toISOString()
    const stated = { seq: ++this.#lastSeq, links: event.links, recordedAt: this.#recordedAt }
    const content = this.#contentOf(event)
    const same = this.#new.get(content.key) ?? this.#graph.sameEvent(content)
    if (same !== undefined) return { record: { op: 'sighted', id: same, ...stated }, content }
    const id = nextMemoryId(this.#lastId, now.getTime(), this.#clockAndRandom.randomBytes(ID_BYTES))
    this.#lastId = id
    this.#new.set(content.key, id)
    const { contextId: context, eventKind: kind, source, payload, occurredAt = this.#recordedAt } = event
    return { record: { op: 'recorded', id, context, kind, source, payload, occurredAt, ...stated }, content }
  }
}

/** The record of an event that was recorded before, in this graph or another. */
export function recordOf(event: PastEvent, seq: number): EventRecord {
  const { memoryId: id, links, recordedAt, occurredAt, source, payload } = event
  if (event.timesSeen > 1) return { op: 'sighted', seq, id, links, recordedAt }
  const { contextId: context, eventKind: kind } = event
  return { op: 'recorded', seq, id, context, kind, source, payload, links, occurredAt, recordedAt }
}
