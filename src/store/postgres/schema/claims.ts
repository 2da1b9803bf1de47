import type { ContextId, MemoryId, Source } from '../../../domain/model.js'
import { basesOf } from '../../../domain/trust/claims/staleness.js'
import { type Claim, type Decisions, freshClaim } from '../../../domain/trust/claims/types.js'
import { isPlain } from '../../../domain/trust/table.js'

/** What a claim is made from; `claim` is null for one that was stated once and never spoken of. */
export interface ClaimColumns {
  readonly memory_id: MemoryId
  readonly context_id: ContextId
  readonly place: number
  readonly source: Source
  readonly recorded_at: string
  readonly claim: string | null
}

/** Of the memory `m` in the context `c`. */
export const CLAIM_COLUMNS = 'm.memory_id, c.context_id, m.place, m.source, m.recorded_at, m.claim'

type Kept = Omit<Claim, 'id' | 'contextId' | 'place'>

export function claimOf(row: ClaimColumns): Claim {
  const { memory_id: id, context_id: contextId, place, source, recorded_at: recordedAt } = row
  if (row.claim === null) return freshClaim({ claim: id, contextId, place, source, recordedAt })
  // The store wrote this text itself. JSON has no undefined, so that such fields are missing in it.
  const kept = JSON.parse(row.claim) as Kept
  return { ...kept, id, contextId, place, superseded: kept.superseded, rankFrom: kept.rankFrom }
}

export function claimText(claim: Claim): string | null {
  if (isPlain(claim)) return null
  const { id: _id, contextId: _contextId, place: _place, ...kept } = claim
  return JSON.stringify(kept satisfies Kept)
}

/** The memories that a standing claim builds on, as an array of the database. */
export function basesText(claim: Claim): string | null {
  if (claim.extends.length + claim.reinforces.length === 0) return null
  const ids = new Set(basesOf(claim).map(({ id }) => id))
  return ids.size === 0 ? null : `{${[...ids].join()}}`
}

export function decisionsText(decisions: Decisions | undefined): string | null {
  return decisions === undefined ? null : JSON.stringify(decisions)
}

export function decisionsFrom(text: string | null): Decisions | undefined {
  // The store wrote this text itself.
  return text === null ? undefined : (JSON.parse(text) as Decisions)
}
