import type { ContextFilter, Knowledge } from '../search/knowledge.js'
import type { EnginePorts } from './1-analyse/ports.js'
import type { Ranked } from './3-rank/rank.js'
import type { ConfidenceLevel } from './6-calibrate/calibrate.js'
import { conclude } from './engine.js'

export interface RecallQuery {
  readonly query: string
  readonly scope?: ContextFilter
  readonly limit: number
  /** The meaning of the query; left out if it was not read. */
  readonly vector?: Int8Array
  /** Below it, nothing is recalled. */
  readonly minConfidence?: ConfidenceLevel
}

export interface Recalled {
  /** The memories that fit the query best, the best first. */
  readonly ranked: readonly Ranked[]
  /** That of an insight for the same query. */
  readonly confidence: ConfidenceLevel
}

/** What an insight would rest on, as it is, and how far it can be relied on. */
export async function recall(
  knowledge: Knowledge,
  ports: EnginePorts,
  { query, minConfidence = 'low', ...rest }: RecallQuery,
): Promise<Recalled> {
  const { ranked, level } = await conclude(knowledge, ports, { task: query, ...rest })
  return { ranked: RANK[level] >= RANK[minConfidence] ? ranked : [], confidence: level }
}

const RANK: Readonly<Record<ConfidenceLevel, number>> = { low: 0, medium: 1, high: 2 }
