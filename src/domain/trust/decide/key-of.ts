import type { Claims, Judgement } from '../claims/claims.js'
import { type ClaimId, claimsIn, fieldOf, folded, memoryOf } from '../fields.js'

/**
 * The folded name of the only field that a claim holds; undefined for a memory with several fields left that were not split
 * off. `more` are claims that are about to be split off.
 */
export function keyOf(
  id: ClaimId,
  claims: Pick<Claims, 'parts'>,
  judgement: Pick<Judgement, 'fieldsOf'>,
  more: readonly ClaimId[] = [],
): string | undefined {
  const field = fieldOf(id)
  if (field !== undefined) return folded(field)
  const fields = judgement.fieldsOf(id)
  if (fields === undefined) return undefined
  const parts = [...claims.parts(id), ...more.filter((other) => memoryOf(other) === id)]
  const split = new Set(parts.flatMap((part) => fieldOf(part) ?? []).map(folded))
  const [key, ...others] = claimsIn(fields).filter((name) => !split.has(name))
  return others.length === 0 ? key : undefined
}

/** The same, if the name of the field says what it holds (a slot); undefined for sentences, which are compared as texts. */
export function slotOf(
  id: ClaimId,
  claims: Pick<Claims, 'parts'>,
  judgement: Pick<Judgement, 'fieldsOf'>,
): string | undefined {
  const key = keyOf(id, claims, judgement)
  return key !== undefined && judgement.fieldsOf(memoryOf(id))?.slots.includes(key) ? key : undefined
}
