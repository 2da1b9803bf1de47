import type { ClockAndRandom } from '../../../domain/clock-and-random.js'
import { contentOf } from '../../../domain/events/same-event.js'
import { nextMemoryId } from '../../../domain/ids.js'
import { refuseUnknownMemories } from '../../../domain/links.js'
import type { MemoryId, NewMemory } from '../../../domain/model.js'
import type { EventPath } from '../../store.js'
import type { EventRecord } from '../log/records.js'
import type { Graph } from '../memory/graph.js'

/**
 * What several appends in a row would become, reckoned without touching the graph: they share one flush, and only
 * when it is on disk are their records applied.
 */
export class Draft {
  readonly #graph: Graph
  readonly #chance: ClockAndRandom
  readonly #pending = new Map<string, MemoryId>()
  #seq: number
  #id: MemoryId | undefined
  #recordedAt: string

  constructor(graph: Graph, chance: ClockAndRandom) {
    this.#graph = graph
    this.#chance = chance
    this.#seq = graph.lastSeq
    this.#id = graph.lastId
    this.#recordedAt = graph.lastRecordedAt
  }

  /** The records of one append, in order; throws, having changed nothing, when one of its events cannot be. */
  add(events: readonly NewMemory[], at: EventPath): EventRecord[] {
    events.forEach(({ links }, i) => {
      refuseUnknownMemories(links, at(i), (id) => this.#graph.has(id))
    })
    return events.map((event) => this.#record(event))
  }

  #record(event: NewMemory): EventRecord {
    const now = this.#chance.now()
    // The clock may step back; the order of recording does not.
    if (now.toISOString() > this.#recordedAt) this.#recordedAt = now.toISOString()
    const stamp = { seq: ++this.#seq, links: event.links, recordedAt: this.#recordedAt }
    const key = contentOf(event.contextId, event.eventKind, event.payload)
    const same = this.#pending.get(key) ?? this.#graph.sameEvent(key)
    if (same !== undefined) return { op: 'sighted', id: same, ...stamp }
    this.#id = nextMemoryId(this.#id, now.getTime(), this.#chance.randomBytes(16))
    this.#pending.set(key, this.#id)
    return {
      op: 'recorded',
      id: this.#id,
      context: event.contextId,
      kind: event.eventKind,
      source: event.source,
      payload: event.payload,
      occurredAt: event.occurredAt ?? this.#recordedAt,
      ...stamp,
    }
  }
}
