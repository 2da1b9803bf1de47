import type { Memory, MemoryId } from '../model.js'
import { byCodeUnit } from '../names.js'
import { agreementOf } from '../trust/claims/assess.js'
import { rankOf, sourceOf } from '../trust/claims/rank.js'
import { basesOf } from '../trust/claims/staleness.js'
import type { Claim } from '../trust/claims/types.js'
import { memoryOf } from '../trust/fields.js'

/**
 * Memories that stand and are worth knowing first, of each sort at most as many as were asked for. The most trusted sources
 * come first: however much an agent records, what a validator or a user said is among them.
 */
export interface Highlights {
  /** Decisions, by the source that first stated them, then the latest first; of the latest `MAX_DECISIONS` there are. */
  readonly decisions: readonly Memory[]
  /**
   * Those with the most statements beyond the first, by source, the latest first of equals; of what the latest events state: the
   * latest `MOST_EVENTS` memories, what these build on, and the memories of the latest `MOST_EVENTS` repeats.
   */
  readonly confirmed: readonly Memory[]
  /** Any, by the source that first stated them, then the latest first; of the latest `MOST_EVENTS` there are. */
  readonly latest: readonly Memory[]
}

export const MAX_DECISIONS = 1000
export const MOST_EVENTS = 500
/** Of what one memory builds on. */
const MAX_BASES = 20

/** What a claim builds on, as far as it is looked at. */
export function firstBases(claim: Claim): MemoryId[] {
  return [...new Set(basesOf(claim).map(({ id }) => memoryOf(id)))].slice(0, MAX_BASES)
}

/** The claims of the most trusted sources, then those with the most statements, of those that stand and have more than one. */
export function mostConfirmed(claims: Iterable<Claim>, most: number): Claim[] {
  return [...claims]
    .filter((claim) => claim.superseded === undefined && agreementOf(claim) > 0)
    .sort(
      (a, b) => rankOfClaim(b) - rankOfClaim(a) || agreementOf(b) - agreementOf(a) || byCodeUnit(b.id, a.id),
    )
    .slice(0, most)
}

function rankOfClaim(claim: Claim): number {
  return rankOf(sourceOf(claim))
}
