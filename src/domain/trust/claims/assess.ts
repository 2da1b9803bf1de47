import type { MemoryId, Source, Status } from '../../model.js'
import { rankOf, sourceOf } from './rank.js'
import type { Claim } from './types.js'

const AGREEMENT = 5
const MOST_AGREEMENTS = 4
const DISPUTE = 10
const MOST_DISPUTES = 3
const LEAST = 20
const MOST = 99

export interface Assessment {
  readonly status: Status
  /** 0.2..0.99 */
  readonly confidence: number
  /** The most trusted source that has stated it. */
  readonly source: Source
  readonly supersededBy: readonly MemoryId[]
  readonly timesSeen: number
  readonly lastStatedAt: string
  /** How many others state it besides the first: by key and source. */
  readonly agreement: number
}

/** What is told of one claim; `supersedes` and `disputed_by` are for the store to list. */
export function assess(claim: Claim, isStale: boolean): Assessment {
  return {
    status: statusOf(claim, isStale),
    confidence: hundredths(claim) / 100,
    source: sourceOf(claim),
    supersededBy: claim.supersededBy,
    timesSeen: claim.timesSeen,
    lastStatedAt: claim.lastStatedAt,
    agreement: agreementOf(claim),
  }
}

function statusOf({ superseded, phase }: Claim, isStale: boolean): Status {
  if (superseded !== undefined) return 'superseded'
  return phase ?? (isStale ? 'stale' : 'current')
}

/** How many state a claim besides the first; saying it again is no agreement. */
export function agreementOf({ speakers }: Claim): number {
  return Math.max(0, Object.keys(speakers).length - 1)
}

/** Confidence in whole hundredths. */
export function hundredths(claim: Claim): number {
  if (claim.superseded !== undefined) return LEAST
  const agreement = AGREEMENT * Math.min(agreementOf(claim), MOST_AGREEMENTS)
  const dispute = DISPUTE * Math.min(claim.disputes, MOST_DISPUTES)
  return Math.min(MOST, Math.max(LEAST, rankOf(sourceOf(claim)) + agreement - dispute))
}
