import type { ContextId, Link, MemoryId, RecorderId, Source } from '../../model.js'
import type { ClaimId } from '../fields.js'

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
  /** From when it holds. */
  readonly from: string
  /** Until when it holds, if that is known. */
  readonly until?: string | undefined
  /** The key that recorded it, where it is known: what it says again with the same source is no further agreement. */
  readonly recordedBy?: RecorderId | undefined
}

/** A statement with what was decided when it was recorded. */
export interface Recorded extends Statement {
  readonly decisions: Decisions
}

/** `late`: it began before what it contradicts, which goes on. */
export type Effect = 'supersedes' | 'disputes' | 'reinforces' | 'extends' | 'late' | 'noted'

/** What was decided of one event. Plain data, kept with the event and applied as it is ever after. */
export interface Decisions {
  /** For each link of the event, in their order, the claims that it bears on. A claim is split off where it is first named. */
  readonly bears: readonly (readonly ClaimId[])[]
  readonly opposes: readonly Opposition[]
  readonly reinforces: readonly { readonly claim: ClaimId; readonly effect: 'reinforces' | 'noted' }[]
  readonly returns: readonly Return[]
  /** The contexts that the event contradicts as a whole, where the link bore on none. */
  readonly against: readonly ContextId[]
  /** The contexts that the event extends as a whole, where the link bore on none. */
  readonly wholes: readonly ContextId[]
  /** Supersessions of erased memories that the claim built on. */
  readonly lost: readonly Lost[]
  /** The links that moved nothing, since what they mean is not sure, with what they may mean. */
  readonly unresolved: readonly Unresolved[]
}

export interface Unresolved {
  /** Which of the event's links. */
  readonly link: number
  /** At most five, the likeliest first. */
  readonly candidates: readonly ClaimId[]
}

export interface Opposition {
  /** The claim of the event or one that it reinforces. */
  readonly by: ClaimId
  readonly against: ClaimId
  /**
   * `joins`: it would supersede a claim that is superseded already, which its receipt shows as noted. `corrects`: it supersedes
   * what never was or will be. `ends`: it supersedes what held for a time, and takes the place of nothing else. `late`: it
   * comes behind what it contradicts, and is superseded by that.
   */
  readonly effect: 'supersedes' | 'joins' | 'corrects' | 'ends' | 'disputes' | 'late' | 'noted'
}

/** A superseded claim that the event makes stand again. */
export interface Return {
  readonly claim: ClaimId
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
  readonly claim: ClaimId
  readonly source: Source
  readonly recordedBy?: RecorderId | undefined
  readonly times: number
  readonly last: number
}

/** Of all statements of a claim together, so many of the links of a kind count. */
export const MOST_LINKED = 1000

/** A link to a context that bore on none, and the place of its event. */
export interface ToContext {
  readonly contextId: ContextId
  readonly place: number
  /** The memories that it is likeliest to speak of; absent where an earlier version decided. */
  readonly near?: readonly MemoryId[]
}

/** A time in the world during which a claim holds, unless another one takes its place. */
export interface Spell {
  /** The statement that opened it. */
  readonly place: number
  readonly from: string
  /** The first moment at which it does not hold any more, if that is known. */
  readonly until?: string | undefined
  /** Somebody said that it never was. */
  readonly isWrong?: true
}

/** What a claim extends, by the word of which source. */
export interface Extension {
  readonly id: ClaimId
  readonly source: Source
  /** The place of the statement, where that was superseded by then already: it is stale from the start. */
  readonly late?: number
}

/**
 * The trust state of one claim: plain data, replaced and never changed in place. The claim of a memory holds all its fields
 * but those that were split off.
 */
export interface Claim {
  readonly id: ClaimId
  readonly contextId: ContextId
  readonly place: number
  readonly timesSeen: number
  readonly lastStatedAt: string
  /** The latest one. */
  readonly spell: Spell
  /** Set only where a time is looked at: it has not begun by then, or has ended, and nothing took its place. */
  readonly phase?: 'planned' | 'expired'
  /** By its own events. */
  readonly own: Places
  /** By its own events and by those that reinforce it. */
  readonly stated: Places
  /**
   * Who states it, each key and source once: its own statements, and the reinforcements by memories that are not
   * superseded. With the number of statements of each.
   */
  readonly speakers: Speakers
  /** How many memories that are not superseded reinforce it, by source, from `rankFrom` on. */
  readonly echoes: Readonly<Partial<Record<Source, number>>>
  /** The statement with which it came back in open contradiction: earlier ones do not count for its rank. */
  readonly rankFrom: Supersession | undefined
  readonly supersededBy: readonly ClaimId[]
  /** Undefined while it stands. */
  readonly superseded: Supersession | undefined
  /** How many standing claims are in open contradiction with it. */
  readonly disputes: number
  /** Those of them that somebody weaker than the claim opened by restating it: stating it again does not settle them. */
  readonly borrowed: readonly ClaimId[]
  readonly reinforces: readonly Reinforcement[]
  readonly extends: readonly Extension[]
  readonly wholes: readonly ToContext[]
  readonly against: readonly ToContext[]
  readonly lost: readonly Lost[]
}

export type Speakers = Readonly<Record<string, number>>

export function speakerOf({ source, recordedBy }: Pick<Statement, 'source' | 'recordedBy'>): string {
  return recordedBy === undefined ? source : `${source} ${recordedBy}`
}

const NONE: readonly never[] = []
/** Shared, since most claims are stated once by one of a few. */
const ONCE = new Map<string, Speakers>()

function once(speaker: string): Speakers {
  const known = ONCE.get(speaker) ?? { [speaker]: 1 }
  ONCE.set(speaker, known)
  return known
}

/** An event without links decides this, unless it states a claim again. */
export const NOTHING_DECIDED: Decisions = {
  bears: NONE,
  opposes: NONE,
  reinforces: NONE,
  returns: NONE,
  against: NONE,
  wholes: NONE,
  lost: NONE,
  unresolved: NONE,
}

export function spellOf({ place, from, until }: Pick<Statement, 'place' | 'from' | 'until'>): Spell {
  return until === undefined ? { place, from } : { place, from, until }
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
    spell: spellOf(statement),
    own: places,
    stated: places,
    speakers: once(speakerOf(statement)),
    echoes: {},
    rankFrom: undefined,
    supersededBy: NONE,
    superseded: undefined,
    disputes: 0,
    borrowed: NONE,
    reinforces: NONE,
    extends: NONE,
    wholes: NONE,
    against: NONE,
    lost: NONE,
  }
}
