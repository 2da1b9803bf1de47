import { type Claims, type Judgement, stands } from '../claims/claims.js'
import { prevails } from '../claims/rank.js'
import type { Claim, Return } from '../claims/types.js'
import { type Event, isLateBehind } from './event.js'
import { inPlaceOf, isOpposable } from './place-of.js'

export interface ComingBack extends Return {
  /** The claims that the returning claim opposes. */
  readonly opposes: readonly Claim[]
}

/** Whether and how a superseded claim that the event states again stands again; undefined when it does not. */
export function comingBack(
  claim: Claim,
  event: Event,
  claims: Claims,
  judgement: Judgement,
): ComingBack | undefined {
  const inPlace = inPlaceOf(claim, claims).filter((other) =>
    isOpposable(claim.id, other, event, claims, judgement),
  )
  const superseding = claim.supersededBy.flatMap((id) => claims.get(id) ?? [])
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
