import type { ContextId, Link, MemoryId, RecorderId, Source } from '../../model.js'
import type { ClaimId } from '../fields.js'

/** One event of the record: it states its own claim, and each claim that it reinforces. */
export interface Statement {
  /** Its place in the order of recording, by which "later" is decided. */
  readonly place: number
  readonly claim: MemoryId
  /** Where the claim is filed. */
  readonly contextId: ContextId
  /** The event recorded the claim; otherwise it repeats a recorded one. */
  readonly first: boolean
  readonly source: Source
  readonly links: readonly Link[]
  readonly recordedAt: string
  readonly from: string
  /** The claim holds from `from` until `until`, if that is known. */
  readonly until?: string | undefined
  /** The key that recorded it, if known. A repeat by the same key and source is no further agreement. */
  readonly recordedBy?: RecorderId | undefined
}

/** A statement with the decisions that were made when it was recorded. */
export interface Recorded extends Statement {
  readonly decisions: Decisions
}

/** The effects on a receipt. `late`: the event began before the memory that it contradicts, which goes on. */
export type Effect = 'supersedes' | 'disputes' | 'reinforces' | 'extends' | 'late' | 'noted'

/** The decisions about one event. Plain data, recorded with the event and applied unchanged ever after. */
export interface Decisions {
  /** For each link of the event, in order, the claims that it bears on. A field claim is split off when it is first named. */
  readonly bears: readonly (readonly ClaimId[])[]
  readonly opposes: readonly Opposition[]
  readonly reinforces: readonly { readonly claim: ClaimId; readonly effect: 'reinforces' | 'noted' }[]
  readonly returns: readonly Return[]
  /** The contexts that the event contradicts as a whole: no single memory could be identified. */
  readonly against: readonly ContextId[]
  /** The contexts that the event extends as a whole: no single memory could be identified. */
  readonly wholes: readonly ContextId[]
  /** Supersessions of erased memories that the claim built on. */
  readonly lost: readonly Lost[]
  /** The links without effect, since their meaning is not sure, with the claims that they may mean. */
  readonly unresolved: readonly Unresolved[]
}

export interface Unresolved {
  /** The index of the link in the event. */
  readonly link: number
  /** At most five, the likeliest first. */
  readonly candidates: readonly ClaimId[]
}

export interface Opposition {
  /** The claim of the event or one that it reinforces. */
  readonly by: ClaimId
  readonly against: ClaimId
  /**
   * When each is chosen: the table in decide/decide.ts. `joins`: `by` is added to the claims that replaced `against`; the receipt
   * shows it as noted. `corrects`: `against` never held. `ends`: `against` holds no longer, and the claim that it had replaced
   * holds again. `late`: `by` is superseded by `against`.
   */
  readonly effect: 'supersedes' | 'joins' | 'corrects' | 'ends' | 'disputes' | 'late' | 'noted'
}

/** A superseded claim that the event makes stand again. */
export interface Return {
  readonly claim: ClaimId
  /** It returns in open contradiction with stronger claims; for its rank only statements from here on count. */
  readonly disputed: boolean
}

/** The place and the source of the statement that superseded a claim. */
export interface Supersession {
  readonly place: number
  readonly source: Source
}

export interface Lost extends Supersession {
  readonly kind: 'extends' | 'reinforces'
}

/** The last place of a statement by each source. */
export type Places = Readonly<Partial<Record<Source, number>>>

/** All statements of one memory about another one, by one source and key. */
export interface Reinforcement {
  readonly claim: ClaimId
  readonly source: Source
  readonly recordedBy?: RecorderId | undefined
  readonly times: number
  readonly last: number
}

/** How many links of a kind count, of all statements of a claim together. */
export const MAX_LINKED = 1000

/** A link to a context as a whole, and the place of its event. */
interface ToContext {
  readonly contextId: ContextId
  readonly place: number
  /** The likeliest memories that it may mean; absent if an earlier version decided. */
  readonly near?: readonly MemoryId[]
}

/** A time in the world during which a claim holds, unless another claim replaces it. */
export interface Spell {
  /** The place of the statement that opened it. */
  readonly place: number
  readonly from: string
  /** The first moment at which it no longer holds, if known. */
  readonly until?: string | undefined
  /** A statement said that it never held. */
  readonly isWrong?: true
}

/** A claim that is extended, and the source that said so. */
export interface Extension {
  readonly id: ClaimId
  readonly source: Source
  /** The place of the statement, if `id` was superseded by then: the extension is stale from the start. */
  readonly late?: number
}

/**
 * The trust state of one claim: plain data, replaced and never changed in place. The claim of a memory holds all fields that
 * were not split off.
 */
export interface Claim {
  readonly id: ClaimId
  readonly contextId: ContextId
  readonly place: number
  readonly timesSeen: number
  readonly lastStatedAt: string
  /** The latest spell. */
  readonly spell: Spell
  /** Set only by `ClaimsAt`: at that time the claim has not begun, or has ended without being replaced. */
  readonly phase?: 'planned' | 'expired'
  /** The last places of its own events. */
  readonly own: Places
  /** The last places of its own events and of those that reinforce it. */
  readonly stated: Places
  /**
   * The number of statements by each key and source: its own statements, and the reinforcements by memories that are not
   * superseded.
   */
  readonly speakers: Speakers
  /** How many memories that are not superseded reinforce it, by source, from `rankFrom` on. */
  readonly echoes: Readonly<Partial<Record<Source, number>>>
  /** The statement with which it returned in open contradiction: earlier ones do not count for its rank. */
  readonly rankFrom: Supersession | undefined
  readonly supersededBy: readonly ClaimId[]
  /** Undefined while it stands. */
  readonly superseded: Supersession | undefined
  /** How many standing claims are in open contradiction with it. */
  readonly disputes: number
  /** The opponents against which a weaker source opened the dispute by restating the claim: restating it does not settle these. */
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

/** A claim that neither builds on others nor disputes any. */
export const UNCONNECTED = {
  disputes: 0,
  borrowed: NONE,
  reinforces: NONE,
  extends: NONE,
  wholes: NONE,
  against: NONE,
  lost: NONE,
}

/** The decisions about a first event without links. */
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

/** A claim that was stated once and that no other event concerned: a store may make it from its row instead of keeping it. */
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
    speakers: { [speakerOf(statement)]: 1 },
    echoes: {},
    rankFrom: undefined,
    supersededBy: NONE,
    superseded: undefined,
    ...UNCONNECTED,
  }
}
