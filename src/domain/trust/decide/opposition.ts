import { type Claims, type Judgement, stands } from '../claims/claims.js'
import { prevails } from '../claims/rank.js'
import type { Claim } from '../claims/types.js'
import { type ClaimId, memoryOf } from '../fields.js'
import type { Event } from './event.js'
import { inPlaceOf, isOpposable } from './place-of.js'

/**
 * The claims that an event opposes by contradicting `opposed`: that claim itself, and, as far as `by` may oppose them, the claims
 * that replaced it, those that it reinforces, and, if the event supersedes it, those in open contradiction with it.
 */
export function opposedWith(
  by: ClaimId,
  opposed: Claim,
  event: Event,
  claims: Claims,
  judgement: Judgement,
): Claim[] {
  const reinforced = new Set(opposed.reinforces.map(({ claim }) => claim))
  const supersedes = stands(opposed) && prevails(event.statement.source, opposed)
  const others = [
    ...inPlaceOf(opposed, claims),
    ...existing(reinforced, claims),
    ...(supersedes ? existing(claims.opponents(opposed.id), claims) : []),
  ]
  return [opposed, ...others.filter((other) => isOpposable(by, other, event, claims, judgement))]
}

/** The claims in open contradiction with a standing claim that are superseded when the event states it again. */
export function settledBy({ id, disputes, borrowed }: Claim, event: Event, claims: Claims): Claim[] {
  if (disputes === 0) return []
  return existing(claims.opponents(id), claims).filter(
    (other) =>
      !borrowed.includes(other.id) &&
      !event.states(other.id) &&
      !event.named.has(memoryOf(other.id)) &&
      prevails(event.statement.source, other),
  )
}

function existing(ids: Iterable<ClaimId>, claims: Claims): Claim[] {
  return [...ids].flatMap((id) => claims.get(id) ?? [])
}
