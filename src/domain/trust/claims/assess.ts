import type { MemoryId, Source, Status } from '../../model.js'
import type { ClaimId } from '../fields.js'
import { stands } from './claims.js'
import { lastStated, rankOf, sourceOf } from './rank.js'
import type { Claim } from './types.js'

const AGREEMENT = 5
const MAX_AGREEMENTS = 4
const DISPUTE = 10
const MAX_DISPUTES = 3
const MIN_HUNDREDTHS = 20
const MAX_HUNDREDTHS = 99

export interface Assessment {
  readonly status: Status
  /** 0.2..0.99 */
  readonly confidence: number
  /** The most trusted source that has stated it. */
  readonly source: Source
  readonly supersededBy: readonly ClaimId[]
  readonly timesSeen: number
  readonly lastStatedAt: string
  /** The number of other speakers than the first; each key and source counts once. */
  readonly agreement: number
}

/** The assessment of one claim. */
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

/** The number of other speakers than the first: a repeat by the same one is no agreement. */
export function agreementOf({ speakers }: Claim): number {
  return Math.max(0, Object.keys(speakers).length - 1)
}

/** Confidence in whole hundredths. */
export function hundredths(claim: Claim): number {
  if (claim.superseded !== undefined) return MIN_HUNDREDTHS
  const agreement = AGREEMENT * Math.min(agreementOf(claim), MAX_AGREEMENTS)
  const dispute = DISPUTE * Math.min(claim.disputes, MAX_DISPUTES)
  return Math.min(MAX_HUNDREDTHS, Math.max(MIN_HUNDREDTHS, rankOf(sourceOf(claim)) + agreement - dispute))
}

/** A record that contradicts a context as a whole; no single memory could be identified. */
export interface AgainstContext {
  readonly claim: MemoryId
  readonly place: number
  /** The memories that it is likeliest to speak of; absent where an earlier version decided. */
  readonly near?: readonly MemoryId[]
}

/**
 * The records against the context of a memory that are later than its last statement and still stand. The caller judges
 * whether memory and record may speak of the same thing.
 */
export function recordsAgainst(
  memory: Claim,
  records: Iterable<AgainstContext>,
  get: (id: MemoryId) => Claim | undefined,
): MemoryId[] {
  const last = lastStated(memory)
  const found = new Set<MemoryId>()
  for (const { claim, place, near } of records)
    if (claim !== memory.id && (near?.includes(memory.id) ?? true) && place > last && stands(get(claim)))
      found.add(claim)
  return [...found]
}
