import { type Claims, type Judgement, stands } from '../claims/claims.js'
import type { Claim } from '../claims/types.js'
import { agree, type ClaimId, fieldOf, folded, memoryOf } from '../fields.js'
import type { Event } from './event.js'

/** The claims that stand in the place of a superseded one: superseded-by, followed to those that stand now. */
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

/** May a claim of the event oppose another one that no link of it bears on? */
export function isOpposable(by: ClaimId, other: Claim, event: Event, judgement: Judgement): boolean {
  if (!stands(other) || event.states(other.id) || event.named.has(memoryOf(other.id))) return false
  const field = fieldOf(other.id) ?? fieldOf(by)
  if (field !== undefined) return differ(by, other.id, folded(field), judgement)
  return judgement.sameThing(by, other.id) && !judgement.saysTheSame(by, other.id)
}

function differ(a: ClaimId, b: ClaimId, key: string, judgement: Judgement): boolean {
  const [mine, theirs] = [a, b].map((id) => judgement.fieldsOf(memoryOf(id))?.values.get(key))
  return mine !== undefined && theirs !== undefined && !agree(mine, theirs)
}
