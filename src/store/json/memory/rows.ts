import type { ContextId, EventKind, Link, LinkKind, MemoryId, Source } from '../../../domain/model.js'

/** A memory as the graph keeps it. Lists that are still empty are shared, since most stay so. */
export interface MemoryRow {
  /** Its place among the memories of the graph, from 0. */
  readonly number: number
  readonly seq: number
  readonly id: MemoryId
  readonly context: ContextRow
  readonly kind: EventKind
  readonly source: Source
  /** As JSON: a string is smaller than the objects that it is parsed to, and most memories are rarely read. */
  readonly payload: string
  readonly occurredAt: string
  readonly recordedAt: string
  links: readonly Link[]
  /** The places in the order of recording at which it was seen again. */
  sightings: readonly number[]
  /** Later memories that name this one as reinforced, in order. */
  agreements: readonly StatedLink[]
  /** Later memories whose contradiction bears on this one, in order. */
  contradictions: readonly StatedLink[]
}

export interface ContextRow {
  readonly number: number
  readonly id: ContextId
  readonly type: string
  readonly name: string
  readonly createdAt: string
  updatedAt: string
  memories: readonly MemoryRow[]
  /** Memories that reinforce the context as a whole, in order, each once. */
  agreements: readonly StatedLink[]
  outgoing: ReadonlyMap<string, RelationRow>
  incoming: ReadonlyMap<string, RelationRow>
}

/** A memory said something about another memory or about a context. */
export interface StatedLink {
  readonly seq: number
  readonly by: MemoryRow
}

export interface RelationRow {
  readonly kind: LinkKind
  readonly other: ContextRow
  readonly statedBy: Set<MemoryRow>
  /** The last few of those that state it, the newest last. */
  readonly latest: MemoryRow[]
  readonly firstSeen: string
  lastSeen: string
}

export const NONE: readonly never[] = []
export const NOWHERE: ReadonlyMap<string, never> = new Map<string, never>()

/** Adds to a list that may be the shared empty one. */
export function grown<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0)
    return [item]
    // `NONE` is shared; every other list is ours to push to.
  ;(list as T[]).push(item)
  return list
}

/** How many items at the start of a sorted list come at or before `seq`. */
export function countUpTo<T>(list: readonly T[], seq: number, seqOf: (item: T) => number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = list[middle]
    if (item !== undefined && seqOf(item) <= seq) low = middle + 1
    else high = middle
  }
  return low
}
