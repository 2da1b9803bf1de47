import type { EventKind, JsonObject, Link, LinkKind, NewMemory, Source } from '../../domain/model.js'

/** An event of the demo graph. A link can refer to an earlier event by `@` and its `name`. */
export interface DemoEvent extends NewMemory {
  readonly name?: string
  readonly occurredAt: string
}

export function event(
  day: string,
  eventKind: EventKind,
  source: Source,
  contextId: string,
  payload: JsonObject,
  links: readonly Link[] = [],
): DemoEvent {
  return { contextId, eventKind, source, payload, links, occurredAt: `${day}T09:00:00.000Z` }
}

/** Names an event for links of later ones. */
export function named(name: string, one: DemoEvent): DemoEvent {
  return { ...one, name }
}

/** Limits the validity of an event to a day. */
export function until(day: string, one: DemoEvent): DemoEvent {
  return { ...one, validUntil: `${day}T09:00:00.000Z` }
}

export function link(kind: LinkKind, target: string): Link {
  return { kind, target }
}
