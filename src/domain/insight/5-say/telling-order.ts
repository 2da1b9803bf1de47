import { type Entry, EPSILON, sum } from '../1-analyse/entry.js'
import type { Pool } from '../2-retrieve/pool.js'
import type { Evidence } from '../4-reconcile/reconcile.js'

/** Beside the best, a memory must be at least this relevant to be told as well: what answers nothing is noise. */
export const WORTH_TELLING = 0.37
const NEWS = 1
const REPETITION = 0.5

/**
 * The evidence worth telling in the order in which it is best told: the strongest first, then what answers more of what
 * was asked, rather than what says the same again.
 */
export function inTellingOrder(evidence: readonly Evidence[], { entries, query, weight }: Pool): Evidence[] {
  const entryOf = new Map(entries.map((entry) => [entry.memory, entry]))
  const left = new Set(query.terms)
  const rest = new Set(evidence.filter(({ relevance }, i) => i === 0 || relevance >= WORTH_TELLING))
  const told: Evidence[] = []
  const whole = Math.max(EPSILON, sum(query.terms.map(weight)))
  const worth = (item: Evidence) => {
    const entry = entryOf.get(item.memory)
    if (entry === undefined || told.length === 0) return item.relevance
    const news = sum([...left].filter((term) => entry.counts.has(term)).map(weight)) / whole
    const repeated = Math.max(0, ...told.map(({ memory }) => sharedWith(entry, entryOf.get(memory), weight)))
    return item.relevance + NEWS * news - REPETITION * repeated
  }
  while (rest.size > 0) {
    const [next] = [...rest].map((item) => ({ item, value: worth(item) })).sort((a, b) => b.value - a.value)
    if (next === undefined) break
    rest.delete(next.item)
    told.push(next.item)
    for (const term of entryOf.get(next.item.memory)?.counts.keys() ?? []) left.delete(term)
  }
  return told
}

/** 0..1: how much of what an entry says another says too, by weight. */
function sharedWith(entry: Entry, other: Entry | undefined, weight: (stem: string) => number): number {
  const stems = [...entry.counts.keys()]
  const whole = sum(stems.map(weight))
  return whole === 0 ? 0 : sum(stems.filter((stem) => other?.counts.has(stem)).map(weight)) / whole
}
