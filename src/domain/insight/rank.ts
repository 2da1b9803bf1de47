import type { Candidate, Retrieved } from '../knowledge.js'

export interface Ranked extends Candidate {
  /** What the order is by; comparable within one query only. */
  readonly score: number
  /** 0..1: the idf-weighted share of the query's terms that occur in the memory. */
  readonly coverage: number
}

/** Candidates in the order of how well they fit: BM25, raised by how much of the query a memory covers. */
export function rank({ found, idf }: Retrieved): Ranked[] {
  const whole = sum(idf.values())
  return found
    .map((candidate) => {
      const coverage = whole === 0 ? 0 : sum(candidate.matched.map((term) => idf.get(term) ?? 0)) / whole
      return { ...candidate, coverage, score: candidate.bm25 * (0.5 + 0.5 * coverage) }
    })
    .sort((a, b) => b.score - a.score)
}

export function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
