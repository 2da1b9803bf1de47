import type { Evidence } from '../4-reconcile/reconcile.js'

/** Beside the best, a memory must be at least this relevant to be told as well: what answers nothing is noise. */
export const WORTH_TELLING = 0.43

/** The evidence worth telling, the most relevant first. */
export function worthTelling(evidence: readonly Evidence[]): Evidence[] {
  return evidence
    .filter(({ relevance }, i) => i === 0 || relevance >= WORTH_TELLING)
    .sort((a, b) => b.relevance - a.relevance)
}
