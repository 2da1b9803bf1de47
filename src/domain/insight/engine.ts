import { queryTerms } from '../analysis.js'
import type { Knowledge, Scope } from '../knowledge.js'
import { type Calibration, calibrate } from './calibrate.js'
import { rank } from './rank.js'
import { type Evidence, reconcile } from './reconcile.js'
import { type Said, say } from './say.js'

export interface Question {
  readonly task: string
  /** What to search for instead of the task. */
  readonly locusQuery?: string
  readonly scope?: Scope
  /** The most memories to consider. */
  readonly limit: number
}

export interface Conclusion extends Said, Calibration {
  readonly evidence: readonly Evidence[]
}

/** How many more candidates than wanted are looked at, so that links can lift some of them. */
const BREADTH = 4

/** Analyse, retrieve, rank, reconcile, say, calibrate. The same graph and question give the same conclusion. */
export async function conclude(knowledge: Knowledge, question: Question): Promise<Conclusion> {
  const { task, locusQuery, scope, limit } = question
  const retrieved = await knowledge.retrieve({
    terms: queryTerms(locusQuery ?? task),
    limit: limit * BREADTH,
    ...(scope && { scope }),
  })
  const ranked = rank(retrieved).slice(0, limit)
  const neighbours = await knowledge.neighbours(ranked.map(({ memory }) => memory.memoryId))
  const evidence = reconcile(ranked, neighbours, limit)
  return { ...say(task, evidence), ...calibrate(evidence), evidence }
}
