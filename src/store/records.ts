import type { ContextId, EventKind, JsonObject, Link, MemoryId, Source } from '../domain/model.js'

/** A new memory. */
export interface Recorded {
  readonly op: 'recorded'
  readonly seq: number
  readonly id: MemoryId
  readonly context: ContextId
  readonly kind: EventKind
  readonly source: Source
  readonly payload: JsonObject
  readonly links: readonly Link[]
  readonly occurredAt: string
  readonly recordedAt: string
}

/** The same event again: one more sighting of a memory, with every link that was stated with it. */
export interface Sighted {
  readonly op: 'sighted'
  readonly seq: number
  readonly id: MemoryId
  readonly links: readonly Link[]
  readonly recordedAt: string
}
