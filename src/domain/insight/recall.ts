import type { ConfidenceLevel } from './confidence.js'
import { type Conclusion, conclude, type EnginePorts } from './engine.js'
import type { Gathered } from './evidence.js'
import type { Ranked } from './rank.js'

export interface Recalled extends Pick<Conclusion, 'level'> {
  /** The memories that fit the query best, the best first. */
  readonly ranked: readonly Ranked[]
  /** Does any of them answer the query? Undefined where that was not asked, so that nothing was read. */
  readonly answered?: boolean
}

const RANK: Readonly<Record<ConfidenceLevel, number>> = { low: 0, medium: 1, high: 2 }

/**
 * The memories that an insight would rest on. Reading them against the query takes most of the time of an insight, so it
 * is done only for who wants none below a level.
 */
export async function recall(
  gathered: Gathered,
  { reader, ...ports }: EnginePorts,
  question: { readonly task: string; readonly limit: number },
  minConfidence: ConfidenceLevel = 'low',
): Promise<Recalled> {
  const isRead = minConfidence !== 'low' && reader !== undefined
  const { ranked, level, answered } = await conclude(
    gathered,
    isRead ? { ...ports, reader } : ports,
    question,
  )
  const isEnough = RANK[level] >= RANK[minConfidence]
  return { ranked: isEnough ? ranked : [], level, ...(isRead && { answered }) }
}
