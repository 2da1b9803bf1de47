import type { ContextId, Link, MemoryId, Source } from '../../model.js'

/** One event of the record: it states its own claim, and each claim that it reinforces. */
export interface Statement {
  /** Its place in the order of recording, by which "later" is decided. */
  readonly place: number
  readonly claim: MemoryId
  /** Where the claim is filed. */
  readonly contextId: ContextId
  /** The event recorded the claim; otherwise it is a sighting of one that was there. */
  readonly first: boolean
  readonly source: Source
  readonly links: readonly Link[]
  readonly recordedAt: string
}

/** A statement with what was decided when it was recorded. */
export interface Recorded extends Statement {
  readonly decisions: Decisions
}

export type Effect = 'supersedes' | 'disputes' | 'reinforces' | 'extends' | 'noted'

/** What was decided of one event. Plain data, kept with the event and applied as it is ever after. */
export interface Decisions {
  /** For each link of the event, in their order, the memories that it bears on. */
  readonly bears: readonly (readonly MemoryId[])[]
  readonly opposes: readonly Opposition[]
  readonly reinforces: readonly { readonly claim: MemoryId; readonly effect: 'reinforces' | 'noted' }[]
  readonly returns: readonly Return[]
  /** The contexts that the event contradicts as a whole, where the link bore on none. */
  readonly against: readonly ContextId[]
  /** The contexts that the event extends as a whole, where the link bore on none. */
  readonly wholes: readonly ContextId[]
  /** Supersessions of erased memories that the claim built on. */
  readonly lost: readonly Lost[]
}

export interface Opposition {
  /** The claim of the event or one that it reinforces. */
  readonly by: MemoryId
  readonly against: MemoryId
  /** `joins`: it would supersede a claim that is superseded already, which its receipt shows as noted. */
  readonly effect: 'supersedes' | 'joins' | 'disputes' | 'noted'
}

/** A superseded claim that the event makes stand again. */
export interface Return {
  readonly claim: MemoryId
  /** It stands in open contradiction with stronger claims, with the rank of its sources from here on. */
  readonly disputed: boolean
}

/** The start of a supersession, and the source that brought it about. */
export interface Supersession {
  readonly place: number
  readonly source: Source
}

export interface Lost extends Supersession {
  readonly kind: 'extends' | 'reinforces'
}

/** The last place of a statement by each source. */
export type Places = Readonly<Partial<Record<Source, number>>>

/** All the statements that one memory has made of another, by one source. */
export interface Reinforcement {
  readonly claim: MemoryId
  readonly source: Source
  readonly times: number
  readonly last: number
}

/** Of all statements of a claim together, so many of the links of a kind count. */
export const MOST_LINKED = 1000

/** A link to a context that bore on none, and the place of its event. */
export interface ToContext {
  readonly contextId: ContextId
  readonly place: number
}

/** The trust state of one claim: plain data, replaced and never changed in place. */
export interface Claim {
  readonly id: MemoryId
  readonly contextId: ContextId
  readonly place: number
  readonly timesSeen: number
  readonly lastStatedAt: string
  /** By its own events. */
  readonly own: Places
  /** By its own events and by those that reinforce it. */
  readonly stated: Places
  /** How many statements count: its own, and the reinforcements by memories that are not superseded. */
  readonly counted: number
  /** How many memories that are not superseded reinforce it, by source, from `rankFrom` on. */
  readonly echoes: Readonly<Partial<Record<Source, number>>>
  /** The statement with which it came back in open contradiction: earlier ones do not count for its rank. */
  readonly rankFrom: Supersession | undefined
  readonly supersededBy: readonly MemoryId[]
  /** Undefined while it stands. */
  readonly superseded: Supersession | undefined
  /** How many standing claims are in open contradiction with it. */
  readonly disputes: number
  readonly reinforces: readonly Reinforcement[]
  readonly extends: readonly MemoryId[]
  readonly wholes: readonly ToContext[]
  readonly against: readonly ToContext[]
  readonly lost: readonly Lost[]
}

const NONE: readonly never[] = []

/** An event without links decides this, unless it states a claim again. */
export const NOTHING_DECIDED: Decisions = {
  bears: NONE,
  opposes: NONE,
  reinforces: NONE,
  returns: NONE,
  against: NONE,
  wholes: NONE,
  lost: NONE,
}

/** A claim that was stated once and never spoken of: a store may leave it out and make it again from its row. */
export function freshClaim(statement: Omit<Statement, 'links' | 'first'>): Claim {
  const places = { [statement.source]: statement.place }
  return {
    id: statement.claim,
    contextId: statement.contextId,
    place: statement.place,
    timesSeen: 1,
    lastStatedAt: statement.recordedAt,
    own: places,
    stated: places,
    counted: 1,
    echoes: {},
    rankFrom: undefined,
    supersededBy: NONE,
    superseded: undefined,
    disputes: 0,
    reinforces: NONE,
    extends: NONE,
    wholes: NONE,
    against: NONE,
    lost: NONE,
  }
}
