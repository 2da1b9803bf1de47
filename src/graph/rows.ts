import { addedTo } from '../domain/events/recording.js'
import { countUpTo } from '../domain/in-order.js'
import type { ContextId, EventKind, Link, LinkKind, MemoryId, RecorderId, Source } from '../domain/model.js'
import { type Claim, freshClaim } from '../domain/trust/claims/types.js'
import type { Recorded } from './records.js'

/** How far a graph had been recorded: what comes later is not seen. */
export interface Moment {
  readonly place: number
  /** How many memories the graph held. */
  readonly memories: number
}

/** Later than every place. */
export const NOW = Number.POSITIVE_INFINITY

interface Placed {
  readonly place: number
}

export function isThere({ place }: Placed, moment: Moment): boolean {
  return place <= moment.place
}

/** How many items of a list in order of recording were there. */
export function countThen(list: readonly Placed[], { place }: Moment): number {
  return place === NOW ? list.length : countUpTo(list, place)
}

/** Those items of a list in order of recording that were there. */
export function listThen<T extends Placed>(list: readonly T[], moment: Moment): readonly T[] {
  return moment.place === NOW ? list : list.slice(0, countUpTo(list, moment.place))
}

/** A memory as the graph keeps it. Lists that are still empty are shared, since most stay so. */
export interface MemoryRow {
  /** Its place among the memories of the graph, from 0. */
  readonly number: number
  /** Its place in the order of recording, which erasures keep. */
  readonly place: number
  readonly id: MemoryId
  readonly context: ContextRow
  readonly kind: EventKind
  /** The source by which it was first stated. */
  readonly source: Source
  /** As JSON: a string is smaller than the objects that it is parsed to, and most memories are rarely read. */
  readonly payload: string
  /** Of its latest statement. */
  occurredAt: string
  readonly recordedAt: string
  /** Of its first statement, if that said so. */
  readonly validFrom?: string
  /** Of its latest statement. */
  validUntil?: string | undefined
  /** Of its first statement. */
  readonly recordedBy?: RecorderId
  /** Those of all its statements, each once. */
  links: readonly Link[]
  /** What `links` name, where they are many: the kind with the context that it leads to, and with the target. */
  linksKnown?: { readonly linked: Set<string>; readonly stated: Set<string> }
  /** The times it was seen again. */
  sightings: readonly SightingRow[]
  /** The memories that reinforce it, in order of recording; one that did so more than once comes as often. */
  reinforcedBy: readonly Reinforcing[]
}

/** A memory was seen again; with what a look at an earlier moment needs to know of the time before. */
export interface SightingRow {
  readonly place: number
  readonly recordedAt: string
  readonly occurredBefore: string
  readonly validBefore?: string
  readonly linksBefore: number
}

interface Reinforcing {
  readonly place: number
  readonly by: MemoryRow
}

export interface ContextRow {
  readonly number: number
  readonly id: ContextId
  readonly type: string
  readonly name: string
  /** The place of the event that first named it. */
  readonly place: number
  readonly createdAt: string
  updatedAt: string
  memories: readonly MemoryRow[]
  /** Those of all its memories. */
  sightings: readonly SightingRow[]
  outgoing: ReadonlyMap<string, RelationRow>
  incoming: ReadonlyMap<string, RelationRow>
}

/** A link between two contexts, known to both. */
export interface RelationRow {
  readonly kind: LinkKind
  readonly from: ContextRow
  readonly to: ContextRow
  /** Every time it was stated, at least once. */
  readonly statements: RelationStatement[]
}

export interface RelationStatement {
  readonly place: number
  readonly at: string
  readonly by: MemoryRow
  /** How many memories had stated it by then. */
  readonly weight: number
}

export const NONE: readonly never[] = []
export const NOWHERE: ReadonlyMap<string, never> = new Map<string, never>()

/** A new memory, before its links are applied; `payload` is that of the record as JSON. */
export function rowOf(record: Recorded, number: number, context: ContextRow, payload: string): MemoryRow {
  const { place, id, kind, source, occurredAt, recordedAt } = record
  return {
    number,
    place,
    id,
    context,
    kind,
    source,
    payload,
    // Most events happen when they are recorded; then one string serves for both.
    occurredAt: occurredAt === recordedAt ? recordedAt : occurredAt,
    recordedAt,
    ...addedTo(record),
    links: NONE,
    sightings: NONE,
    reinforcedBy: NONE,
  }
}

/** Adds to a list that may be the shared empty one. */
export function grown<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0)
    return [item]
    // `NONE` is shared; every other list is ours to push to.
  ;(list as T[]).push(item)
  return list
}

/** The claim of a memory as its first statement made it. */
export function claimOf(row: MemoryRow): Claim {
  const { id, context, place, source, recordedAt, recordedBy, sightings } = row
  const [next] = sightings
  const from = row.validFrom ?? next?.occurredBefore ?? row.occurredAt
  const until = next === undefined ? row.validUntil : next.validBefore
  return freshClaim({ claim: id, contextId: context.id, place, source, recordedAt, recordedBy, from, until })
}
