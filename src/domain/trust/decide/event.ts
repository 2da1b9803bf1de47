import { isMemoryId } from '../../ids.js'
import type { ContextId, LinkKind, MemoryId } from '../../model.js'
import type { Claims, Judgement } from '../claims/claims.js'
import type { Claim, Statement } from '../claims/types.js'
import { type ClaimId, memoryOf } from '../fields.js'

/** An event with its links sorted by what they do. */
export interface Event {
  readonly statement: Statement
  readonly contradicted: ReadonlySet<ClaimId>
  /** The memories that it contradicts by id. `contradicted` may have a claim that replaced one of theirs instead. */
  readonly corrected: ReadonlySet<MemoryId>
  /** None of them is of its own memory. */
  readonly reinforced: ReadonlySet<ClaimId>
  readonly extended: ReadonlySet<ClaimId>
  /** The memories that it names by id in a link of another kind. */
  readonly named: ReadonlySet<MemoryId>
  /** Is a claim one of its own memory, or one that it reinforces? The event changes nothing between these. */
  states(id: ClaimId): boolean
}

/** An event, and what it is decided by. */
export interface Case {
  readonly event: Event
  /** As they were before the event, with the claims split off that it names. */
  readonly claims: Claims
  readonly judgement: Judgement
}

export function eventOf(statement: Statement, bears: readonly (readonly ClaimId[])[]): Event {
  const { claim, links } = statement
  const borne = (kind: LinkKind) => links.flatMap((link, i) => (link.kind === kind ? (bears[i] ?? []) : []))
  const isOwn = (id: ClaimId) => memoryOf(id) === claim
  const reinforced = new Set(borne('reinforcement').filter((id) => !isOwn(id)))
  const states = (id: ClaimId) => isOwn(id) || reinforced.has(id)
  const contradicting = links.flatMap(({ kind, target }) => (kind === 'contradiction' ? [target] : []))
  const named = links.filter(({ kind, target }) => kind !== 'contradiction' && isMemoryId(target))
  return {
    statement,
    contradicted: new Set(borne('contradiction').filter((id) => !states(id))),
    corrected: new Set(contradicting.filter(isMemoryId)),
    reinforced,
    extended: new Set(borne('extension').filter((id) => !isOwn(id))),
    named: new Set(named.map(({ target }) => target)),
    states,
  }
}

/**
 * Does an event say that a claim never held, or never will? It names the claim's memory by id, it begins no later than the claim
 * or is recorded before the claim begins, and it does not end before the claim begins.
 */
export function isWrongBy({ statement, corrected }: Event, { id, spell }: Claim): boolean {
  const { from, until, recordedAt } = statement
  if (!corrected.has(memoryOf(id)) || (until !== undefined && until <= spell.from)) return false
  return from <= spell.from || recordedAt < spell.from
}

/** Does an event come behind a claim? It begins before the claim, and does not say that the claim is wrong. */
export function isLateBehind(event: Event, claim: Claim): boolean {
  return event.statement.from < claim.spell.from && !isWrongBy(event, claim)
}

/** The contexts that the links of a kind name, for which `isWanted` holds. */
export function contextsIn(
  { links }: Statement,
  wanted: LinkKind,
  isWanted: (link: number) => boolean,
): ContextId[] {
  const whole = links.filter(({ kind, target }, i) => kind === wanted && !isMemoryId(target) && isWanted(i))
  return [...new Set(whole.map(({ target }) => target))]
}
