/** The words of the domain, as types. Everything here is plain data; times are ISO 8601 strings in UTC. */

export const EVENT_KINDS = ['fact', 'action', 'decision', 'observation', 'feedback'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export const SOURCES = ['agent', 'user', 'system', 'validator', 'executor'] as const
export type Source = (typeof SOURCES)[number]

export const LINK_KINDS = ['reinforcement', 'extension', 'contradiction', 'related-to'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

export type Direction = 'outgoing' | 'incoming'
/** `planned`: it begins later. `expired`: it was valid until a moment that has come, and nothing took its place. */
export type Status = 'current' | 'superseded' | 'planned' | 'expired' | 'stale'

export type GraphId = string
/** `type:name`, both folded (see names.ts). */
export type ContextId = string
/** `mem_` and a ULID (see ids.ts); never holds a colon, so it cannot be mistaken for a context id. */
export type MemoryId = string
/** `key_` and a ULID, or `root`. */
export type RecorderId = string

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** A link as an event states it: the target is a context id or a memory id of the same graph. */
export interface Link {
  readonly kind: LinkKind
  readonly target: ContextId | MemoryId
  /** The field of the memory that is meant, as its payload spells it. */
  readonly field?: string
}

/** An event on its way in: names folded, defaults filled in, nothing looked up yet. */
export interface NewMemory {
  readonly contextId: ContextId
  readonly eventKind: EventKind
  readonly source: Source
  readonly payload: JsonObject
  readonly links: readonly Link[]
  /** When it happened, if the caller said so; otherwise the time of recording. */
  readonly occurredAt?: string
  /** From when it holds, if the caller said so; otherwise from when it happened. */
  readonly validFrom?: string
  /** Until when it holds, if the caller said so. */
  readonly validUntil?: string
  /** The key that (first) recorded it, if it is known and the reader may know it. */
  readonly recordedBy?: RecorderId
}

/** What an event became. */
export interface Memory extends NewMemory {
  readonly memoryId: MemoryId
  /** Its place in the order of recording, by which "later" is decided. */
  readonly seq: number
  /** The most trusted source that has stated it. */
  readonly source: Source
  /** The payload as one line of text (see text.ts). */
  readonly text: string
  /** When what its latest statement says happened. */
  readonly occurredAt: string
  readonly recordedAt: string
  /** From when it holds, if its first statement said so. */
  readonly validFrom?: string
  /** Until when it holds, as its latest statement has it. */
  readonly validUntil?: string
  /** 1, and one more for each time the same event was recorded again. */
  readonly timesSeen: number
  readonly trust: Trust
}

/** What the record of events says of a memory (domain/trust). */
export interface Trust {
  /** 0.2..0.99 */
  readonly confidence: number
  readonly status: Status
  /** The memories that replaced it; empty unless superseded. */
  readonly supersededBy: readonly MemoryId[]
  /** The memories that it replaced. */
  readonly supersedes: readonly MemoryId[]
  /** The memories in open contradiction with it; all of them stand. */
  readonly disputedBy: readonly MemoryId[]
  /** The fields that no longer stand, while others of the memory do; absent if none was ever spoken of by itself. */
  readonly replaced?: readonly Replaced[]
  /** How many statements of it count beyond the first. */
  readonly agreement: number
  /** When its own event was last recorded. */
  readonly lastStatedAt: string
}

/** A field of a memory that another one replaced. */
export interface Replaced {
  readonly field: string
  /** The memory that says it now. */
  readonly by: MemoryId
  /** Absent where it is long. */
  readonly value?: Json
}

/** What is to be erased: one memory, the memories of one context, or the whole graph. */
export type Erasure =
  | { readonly memoryId: MemoryId }
  | { readonly contextId: ContextId }
  | { readonly everything: true }

/** What an erasure takes with it. */
export interface Erased {
  /** How many memories go. */
  readonly memories: number
  /** Those memories, in order of recording; at most `MAX_ERASED_IDS` of them. */
  readonly memoryIds: readonly MemoryId[]
  /** How many stated links go: those of these memories, and those of others that name one of them. */
  readonly relationships: number
  /** How many contexts go: nothing is filed under them any more, and nothing links to them. */
  readonly contexts: number
}

export const MAX_ERASED_IDS = 10_000

/** What a recorded event is answered with. */
export interface Receipt {
  readonly memoryId: MemoryId
  readonly contextId: ContextId
  readonly status: 'recorded' | 'duplicate'
  /** That of this statement; absent from a receipt that an earlier version kept. */
  readonly place?: number
  readonly confidence: number
  /** What the event did to other memories. */
  readonly bearsOn: readonly Bearing[]
  /** The links that moved nothing; absent if there are none. */
  readonly unresolved?: readonly UnresolvedLink[]
}

/** A link that moved nothing, since what it means is not sure. */
export interface UnresolvedLink {
  /** Where the event states it, e.g. `/contradicts/0`. */
  readonly path: string
  readonly target: string
  readonly candidates: readonly { readonly memoryId: MemoryId; readonly field?: string }[]
}

export interface Bearing {
  readonly memoryId: MemoryId
  readonly contextId: ContextId
  readonly effect: 'supersedes' | 'disputes' | 'reinforces' | 'extends' | 'late' | 'noted'
  /** How the event was understood; absent where the effect follows from another one. */
  readonly rule?: BearingRule
  /** The fields that it concerns; absent for the memory as a whole. */
  readonly fields?: readonly string[]
  /** The fields that still stand; absent unless some were replaced. */
  readonly standing?: readonly string[]
}

type BearingRule = 'field' | 'memory' | 'fields' | 'text'

export interface TypeCount {
  readonly contextType: string
  readonly count: number
}

export interface Context {
  readonly contextId: ContextId
  readonly contextType: string
  readonly contextName: string
  readonly memoryCount: number
  /** When the graph first heard of it, as a place for knowledge or as the target of a link. */
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Relationship {
  readonly kind: LinkKind
  readonly direction: Direction
  /** The context at the other end. */
  readonly contextId: ContextId
  /** How many memories state the link. */
  readonly weight: number
  readonly firstSeen: string
  readonly lastSeen: string
}
