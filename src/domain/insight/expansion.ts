import type { Entry } from './entry.js'
import type { Query } from './query.js'

const MAX_TERMS = 12

/**
 * Query expansion by pseudo-relevance feedback: the terms that weigh most in the memories that fit best. They find memories
 * that say the same in other words. Their weights sum up to 1.
 */
export function expansionOf(
  { terms }: Query,
  feedback: readonly { readonly entry: Entry; readonly score: number }[],
  weight: (stem: string) => number,
): ReadonlyMap<string, number> {
  const asked = new Set(terms)
  const weights = new Map<string, number>()
  for (const { entry, score } of feedback)
    for (const [term, count] of entry.counts)
      if (!asked.has(term))
        weights.set(term, (weights.get(term) ?? 0) + score * weight(term) * Math.min(count, 2))
  const best = [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_TERMS)
  const whole = best.reduce((sum, [, value]) => sum + value, 0)
  return new Map(whole === 0 ? [] : best.map(([term, value]) => [term, value / whole]))
}
