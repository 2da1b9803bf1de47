import type { MemoryId } from '../../../domain/model.js'
import type { Changes, DisputeChange } from '../../../domain/trust/claims/changes.js'
import type { Claim } from '../../../domain/trust/claims/types.js'
import { isPlain } from '../../../domain/trust/table.js'

/** What one event made of the claims that it changed. */
export interface Step {
  readonly place: number
  readonly claims: readonly Claim[]
  readonly disputes: readonly DisputeChange[]
}

/** The step of an event; none if it leaves plain what was plain before, which needs no history. */
export function stepsOf(
  place: number,
  { claims, disputes }: Changes,
  before: (id: MemoryId) => Claim | undefined,
): Step[] {
  const told = [...claims.values()].filter((claim) => {
    const known = before(claim.id)
    return !isPlain(claim) || (known !== undefined && !isPlain(known))
  })
  return told.length + disputes.length > 0 ? [{ place, claims: told, disputes }] : []
}
