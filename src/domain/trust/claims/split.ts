import { type ClaimId, memoryOf } from '../fields.js'
import type { Changes } from './changes.js'

const NONE: readonly never[] = []

/** Splits the claim of a field off its memory, with all statements of the memory so far. */
export function splitOff(id: ClaimId, changes: Changes): void {
  if (changes.get(id) !== undefined) return
  const whole = changes.get(memoryOf(id))
  if (whole === undefined) return
  // The foundations and disputes stay with the memory.
  const without = {
    disputes: 0,
    borrowed: NONE,
    reinforces: NONE,
    extends: NONE,
    wholes: NONE,
    against: NONE,
    lost: NONE,
  }
  changes.put({ ...whole, ...without, id })
  changes.line({ kind: 'split', claim: id, from: whole.id })
}
