import { isMemoryId } from '../../ids.js'
import type { ContextId, LinkKind, MemoryId } from '../../model.js'
import type { Claim, Statement } from '../claims/types.js'
import { type ClaimId, memoryOf } from '../fields.js'

/** An event with its links sorted by what they do. */
export interface Event {
  readonly statement: Statement
  readonly contradicted: ReadonlySet<ClaimId>
  /** The memories that it contradicts by id. What stands in the place of one may be another. */
  readonly corrected: ReadonlySet<MemoryId>
  /** Without claims of its own memory. */
  readonly reinforced: ReadonlySet<ClaimId>
  readonly extended: ReadonlySet<ClaimId>
  /** The memories that it names by id in a link that does not contradict. */
  readonly named: ReadonlySet<MemoryId>
  /** Is it a claim of its own memory, or one that it reinforces? It changes nothing between these. */
  states(id: ClaimId): boolean
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
 * Does an event say that a claim never held, or never will? It names its memory, and begins no later, or before the claim does;
 * and it does not end before.
 */
export function isWrongBy({ statement, corrected }: Event, { id, spell }: Claim): boolean {
  const { from, until, recordedAt } = statement
  if (!corrected.has(memoryOf(id)) || (until !== undefined && until <= spell.from)) return false
  return from <= spell.from || recordedAt < spell.from
}

/** Does an event come behind a claim? It begins before, and does not say that the claim is wrong. */
export function isLateBehind(event: Event, claim: Claim): boolean {
  return event.statement.from < claim.spell.from && !isWrongBy(event, claim)
}

/** The contexts that links of this kind name, of those that `isWanted`. */
export function contextsIn(
  { links }: Statement,
  wanted: LinkKind,
  isWanted: (link: number) => boolean,
): ContextId[] {
  const whole = links.filter(({ kind, target }, i) => kind === wanted && !isMemoryId(target) && isWanted(i))
  return [...new Set(whole.map(({ target }) => target))]
}
