import { type Claim, freshClaim } from '../../../domain/trust/claims/types.js'
import type { MemoryRow } from './rows.js'

/** The claim of a memory that was stated once and never spoken of. */
export function claimOf({ id, context, place, source, recordedAt }: MemoryRow): Claim {
  return freshClaim({ claim: id, contextId: context.id, place, source, recordedAt })
}
