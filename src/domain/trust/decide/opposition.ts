import { type Claims, slotOf, stands } from '../claims/claims.js'
import { prevails } from '../claims/rank.js'
import type { Claim, Return } from '../claims/types.js'
import { agree, type ClaimId, memoryOf } from '../fields.js'
import { type Case, isLateBehind } from './event.js'

/**
 * The claims that an event opposes by contradicting `opposed`: that claim itself, and, as far as `by` may oppose them, the claims
 * that replaced it, those that it reinforces, and, if the event supersedes it, those in open contradiction with it.
 */
export function opposedWith(by: ClaimId, opposed: Claim, on: Case): Claim[] {
  const { event, claims } = on
  const reinforced = new Set(opposed.reinforces.map(({ claim }) => claim))
  const supersedes = stands(opposed) && prevails(event.statement.source, opposed)
  const others = [
    ...inPlaceOf(opposed, claims),
    ...existing(reinforced, claims),
    ...(supersedes ? existing(claims.opponents(opposed.id), claims) : []),
  ]
  return [opposed, ...others.filter((other) => isOpposable(by, other, on))]
}

/** The claims in open contradiction with a standing claim that are superseded when the event states it again. */
export function settledBy({ id, disputes, borrowed }: Claim, { event, claims }: Case): Claim[] {
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

interface ComingBack extends Return {
  /** The claims that the returning claim opposes. */
  readonly opposes: readonly Claim[]
}

/** Whether and how a superseded claim that the event states again stands again; undefined when it does not. */
export function comingBack(claim: Claim, on: Case): ComingBack | undefined {
  const { event, claims } = on
  const inPlace = inPlaceOf(claim, claims).filter((other) => isOpposable(claim.id, other, on))
  const superseding = existing(claim.supersededBy, claims)
  const inTheWay = new Map([...superseding, ...inPlace].map((other) => [other.id, other]))
  for (const id of inTheWay.keys()) if (event.states(id)) return undefined
  const { from } = event.statement
  const isBehind = [...inTheWay.values()].some((other) => stands(other) && isLateBehind(event, other))
  // Said again as of the time of the first statement, it is the same statement.
  if (isBehind && from <= claim.spell.from) return undefined
  const stronger = [...inTheWay.values()].filter((other) => !prevails(event.statement.source, other))
  if (stronger.length === 0)
    return { claim: claim.id, disputed: false, opposes: isBehind ? [...inTheWay.values()] : inPlace }
  const isContradicted = ({ id }: Claim) => event.contradicted.has(id)
  // A stronger claim that was itself superseded is in open contradiction with nothing, so it need not be named.
  if (!stronger.some(isContradicted) || !stronger.filter(stands).every(isContradicted)) return undefined
  const named = [...inTheWay.values()].filter((other) => stands(other) && isContradicted(other))
  return { claim: claim.id, disputed: true, opposes: [...new Set([...inPlace, ...named])] }
}

/** The standing claims that replaced a superseded one: `supersededBy`, followed to claims that stand. */
function inPlaceOf(claim: Claim, claims: Claims): Claim[] {
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
function isOpposable(by: ClaimId, other: Claim, { event, claims, judgement }: Case): boolean {
  if (!stands(other) || event.states(other.id) || event.named.has(memoryOf(other.id))) return false
  if (judgement.decided !== undefined) return judgement.decided(by, other.id)
  const key = slotOf(other.id, claims, judgement) ?? slotOf(by, claims, judgement)
  const [a, b] = [memoryOf(by), memoryOf(other.id)]
  if (key === undefined) return judgement.sameThing(a, b) && !judgement.saysTheSame(a, b)
  const [mine, theirs] = [a, b].map((id) => judgement.fieldsOf(id)?.values.get(key))
  return mine !== undefined && theirs !== undefined && !agree(mine, theirs)
}
