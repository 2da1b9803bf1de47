import { type ClaimId, memoryOf } from '../fields.js'
import type { Changes } from './changes.js'

const NONE: readonly never[] = []

/** Gives a field a claim of its own, with all that was said of its memory until now. */
export function splitOff(id: ClaimId, changes: Changes): void {
  if (changes.get(id) !== undefined) return
  const whole = changes.get(memoryOf(id))
  if (whole === undefined) return
  // What the memory as a whole builds on or disputes stays with it.
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
