import { addTo, listOf } from '../groups.js'
import { countUpTo } from '../in-order.js'
import type { ContextId } from '../model.js'
import type { AgainstContext } from './claims/against.js'
import type { Claims } from './claims/claims.js'
import type { Bases } from './claims/staleness.js'
import type { Claim } from './claims/types.js'
import type { ClaimId } from './fields.js'

/** The claims as of some moment, as far as showing a memory asks for them. */
export interface HistoricalClaims extends Bases, Pick<Claims, 'get' | 'parts' | 'supersedes'> {
  /** The claims in open contradiction with this one. */
  opponents(id: ClaimId): ReadonlySet<ClaimId>
  /** The records that contradict a context as a whole, in order of recording. */
  against(contextId: ContextId): readonly AgainstContext[]
}

interface Version {
  readonly place: number
  readonly claim: Claim
}

interface DisputeChange {
  readonly place: number
  readonly other: ClaimId
  readonly open: boolean
}

const NONE: readonly never[] = []

/** Every state that claims have been in, by the place of the event that caused it. */
export class ClaimHistory {
  readonly #versions = new Map<ClaimId, Version[]>()
  readonly #disputes = new Map<ClaimId, DisputeChange[]>()
  readonly #superseded = new Map<ClaimId, Set<ClaimId>>()

  note(place: number, claim: Claim): void {
    // Records against a context are found by their places; kept here, they would make each version longer than the last.
    const kept = claim.against.length === 0 ? claim : { ...claim, against: NONE }
    listOf(this.#versions, claim.id).push({ place, claim: kept })
    for (const by of claim.supersededBy) addTo(this.#superseded, by, claim.id)
  }

  noteDispute(place: number, a: ClaimId, b: ClaimId, open: boolean): void {
    listOf(this.#disputes, a).push({ place, other: b, open })
    listOf(this.#disputes, b).push({ place, other: a, open })
  }

  /** The claim as it was at a place; undefined if no state of it had been noted by then. */
  claim(id: ClaimId, place: number): Claim | undefined {
    const versions = this.#versions.get(id) ?? []
    return versions[countUpTo(versions, place) - 1]?.claim
  }

  opponents(id: ClaimId, place: number): ReadonlySet<ClaimId> {
    const changes = this.#disputes.get(id) ?? []
    const open = new Set<ClaimId>()
    for (const change of changes.slice(0, countUpTo(changes, place))) {
      if (change.open) open.add(change.other)
      else open.delete(change.other)
    }
    return open
  }

  /** Every claim that this one has superseded at some time. */
  everSuperseded(by: ClaimId): ReadonlySet<ClaimId> {
    return this.#superseded.get(by) ?? new Set()
  }
}
