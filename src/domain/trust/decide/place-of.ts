import { type Claims, type Judgement, stands } from '../claims/claims.js'
import type { Claim } from '../claims/types.js'
import { agree, type ClaimId, memoryOf } from '../fields.js'
import type { Event } from './event.js'
import { slotOf } from './key-of.js'

/** The standing claims that replaced a superseded one: `supersededBy`, followed to claims that stand. */
export function inPlaceOf(claim: Claim, claims: Claims): Claim[] {
  const found: Claim[] = []
  const seen = new Set([claim.id])
  const queue = [...claim.supersededBy]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const next = seen.has(id) ? undefined : claims.get(id)
    seen.add(id)
    if (stands(next)) found.push(next)
    else if (next !== undefined) queue.push(...next.supersededBy)
  }
  return found
}

/** May a claim of the event oppose another one, although no link of the event bears on that one? */
export function isOpposable(
  by: ClaimId,
  other: Claim,
  event: Event,
  claims: Claims,
  judgement: Judgement,
): boolean {
  if (!stands(other) || event.states(other.id) || event.named.has(memoryOf(other.id))) return false
  if (judgement.decided !== undefined) return judgement.decided(by, other.id)
  const key = slotOf(other.id, claims, judgement) ?? slotOf(by, claims, judgement)
  if (key !== undefined) return differ(by, other.id, key, judgement)
  const [a, b] = [memoryOf(by), memoryOf(other.id)]
  return judgement.sameThing(a, b) && !judgement.saysTheSame(a, b)
}

function differ(a: ClaimId, b: ClaimId, key: string, judgement: Judgement): boolean {
  const [mine, theirs] = [a, b].map((id) => judgement.fieldsOf(memoryOf(id))?.values.get(key))
  return mine !== undefined && theirs !== undefined && !agree(mine, theirs)
}
