import { addedTo } from '../domain/events/recording.js'
import { countUpTo } from '../domain/in-order.js'
import type { ContextId, EventKind, Link, LinkKind, MemoryId, RecorderId, Source } from '../domain/model.js'
import { type Claim, freshClaim } from '../domain/trust/claims/types.js'
import type { Recorded } from './records.js'

/** A moment in the past of a graph; anything recorded later is ignored. */
export interface Moment {
  readonly place: number
  /** The number of memories at that moment. */
  readonly memories: number
}

/** Later than every place. */
export const NOW = Number.POSITIVE_INFINITY

interface Placed {
  readonly place: number
}

export function existsAt({ place }: Placed, moment: Moment): boolean {
  return place <= moment.place
}

/** The number of items that existed at a moment, in a list in order of recording. */
export function countAt(list: readonly Placed[], { place }: Moment): number {
  return place === NOW ? list.length : countUpTo(list, place)
}

/** The items that existed at a moment, of a list in order of recording. */
export function listAt<T extends Placed>(list: readonly T[], moment: Moment): readonly T[] {
  return moment.place === NOW ? list : list.slice(0, countUpTo(list, moment.place))
}

/** A memory in a graph. Empty lists are shared objects, since most stay empty. */
export interface MemoryRow {
  /** Its index among the memories of the graph. */
  readonly number: number
  /** Its place in the order of recording; unchanged by erasures. */
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
  /** Of its first statement, if given. */
  readonly validFrom?: string
  /** Of its latest statement. */
  validUntil?: string | undefined
  /** Of its first statement. */
  readonly recordedBy?: RecorderId
  /** The links of all its statements, without duplicates. */
  links: readonly Link[]
  /** The keys of `links`, cached if there are many: kind and context, and kind and target. */
  linkKeys?: { readonly linked: Set<string>; readonly stated: Set<string> }
  /** Its repeated statements. */
  sightings: readonly SightingRow[]
  /** The reinforcements by other memories, in order of recording; a memory may occur several times. */
  reinforcedBy: readonly Reinforcing[]
}

/** A repeated statement of a memory, with the values that it overwrote, to view the memory at an earlier moment. */
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
  /** The repeated statements of all its memories. */
  sightings: readonly SightingRow[]
  outgoing: ReadonlyMap<string, RelationRow>
  incoming: ReadonlyMap<string, RelationRow>
}

/** A link between two contexts, listed in both. */
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
  /** The number of memories that had stated the relation by then. */
  readonly weight: number
}

export const NONE: readonly never[] = []
export const NO_RELATIONS: ReadonlyMap<string, never> = new Map<string, never>()

/** A new memory, before its links are applied; `payload` is the payload of the record as JSON. */
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
    // Saves memory: both times are equal for most events.
    occurredAt: occurredAt === recordedAt ? recordedAt : occurredAt,
    recordedAt,
    ...addedTo(record),
    links: NONE,
    sightings: NONE,
    reinforcedBy: NONE,
  }
}

/** Appends to a list, or returns a new one if it is the shared empty list. */
export function append<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0)
    return [item]
    // Safe to cast: every list but the shared `NONE` belongs to one row.
  ;(list as T[]).push(item)
  return list
}

/** The claim of a memory after its first statement. */
export function claimOf(row: MemoryRow): Claim {
  const { id, context, place, source, recordedAt, recordedBy, sightings } = row
  const [next] = sightings
  const from = row.validFrom ?? next?.occurredBefore ?? row.occurredAt
  const until = next === undefined ? row.validUntil : next.validBefore
  return freshClaim({ claim: id, contextId: context.id, place, source, recordedAt, recordedBy, from, until })
}
