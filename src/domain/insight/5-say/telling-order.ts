import type { Entry } from '../1-analyse/entry.js'
import { EPSILON, sum } from '../1-analyse/entry.js'
import type { Pool } from '../2-retrieve/pool.js'
import type { Evidence } from '../4-reconcile/reconcile.js'

const NEWS = 1
const REPETITION = 0.5
/** What brings no news must be about as relevant as the best to be told as well. */
const ENOUGH = 0.35

/**
 * The evidence in the order in which it is best told: the strongest first, then what answers more of what was asked,
 * rather than what says the same again.
 */
export function inTellingOrder(evidence: readonly Evidence[], { entries, query, weight }: Pool): Evidence[] {
  const entryOf = new Map(entries.map((entry) => [entry.memory, entry]))
  const left = new Set(query.terms)
  const rest = new Set(evidence)
  const told: Evidence[] = []
  const whole = Math.max(EPSILON, sum(query.terms.map(weight)))
  const newsIn = ({ memory }: Evidence) => {
    const counts = entryOf.get(memory)?.counts
    return sum([...left].filter((term) => counts?.has(term)).map(weight)) / whole
  }
  const worth = (item: Evidence) => {
    const entry = entryOf.get(item.memory)
    if (entry === undefined) return item.relevance
    const repeated = Math.max(0, ...told.map(({ memory }) => sharedWith(entry, entryOf.get(memory), weight)))
    return item.relevance + NEWS * newsIn(item) - REPETITION * repeated
  }
  while (rest.size > 0) {
    let next: Evidence | undefined
    let best = Number.NEGATIVE_INFINITY
    for (const item of rest) {
      const value = told.length === 0 ? item.relevance : worth(item)
      if (value > best) {
        best = value
        next = item
      }
    }
    if (next === undefined || (told.length > 0 && next.relevance < ENOUGH && newsIn(next) === 0)) break
    rest.delete(next)
    told.push(next)
    for (const term of entryOf.get(next.memory)?.counts.keys() ?? []) left.delete(term)
  }
  return told
}

/** 0..1: how much of what an entry says another says too, by weight. */
function sharedWith(entry: Entry, other: Entry | undefined, weight: (stem: string) => number): number {
  const stems = [...entry.counts.keys()]
  const whole = sum(stems.map(weight))
  return whole === 0 ? 0 : sum(stems.filter((stem) => other?.counts.has(stem)).map(weight)) / whole
}
