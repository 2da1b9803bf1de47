import { isMemoryId } from '../../ids.js'
import type { Link, MemoryId } from '../../model.js'
import type { Claims, Judgement } from '../claims/claims.js'
import type { Statement } from '../claims/types.js'

/** The memories that each link of an event bears on, in the order of the links; `related_to` bears on none. */
export function bearings(
  { claim, links }: Statement,
  claims: Claims,
  judgement: Judgement,
): readonly (readonly MemoryId[])[] {
  const named = new Set(links.map(({ target }) => target))
  return links.map(({ kind, target }) => {
    if (kind === 'related-to') return []
    if (isMemoryId(target)) return [target]
    return claims
      .standing(target)
      .filter((id) => id !== claim && !named.has(id))
      .filter((id) => isMeant(kind, judgement, claim, id))
  })
}

/** What an event agrees with it does not contradict, whatever else of the context it contradicts. */
function isMeant(kind: Link['kind'], judgement: Judgement, claim: MemoryId, id: MemoryId): boolean {
  if (!judgement.sameThing(claim, id)) return false
  if (kind === 'extension') return true
  return judgement.saysTheSame(claim, id) === (kind === 'reinforcement')
}
