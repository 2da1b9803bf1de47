import type { ConfidenceLevel } from './confidence.js'
import { type Conclusion, conclude, type EnginePorts } from './engine.js'
import type { Gathered } from './evidence.js'
import type { Ranked } from './rank.js'

export interface Recalled extends Pick<Conclusion, 'level'> {
  /** The memories that fit the query best, the best first. */
  readonly ranked: readonly Ranked[]
  /** Does any of them answer the query? Undefined if no level was asked for, so that nothing was read. */
  readonly answered?: boolean
}

const RANK: Readonly<Record<ConfidenceLevel, number>> = { low: 0, medium: 1, high: 2 }

/**
 * The memories that an insight would rest on. Reading them against the query takes most of the time of an insight, so they are
 * read only if a least level is asked for.
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
