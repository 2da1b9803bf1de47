import { queryTerms } from './analysis.js'
import { type Ranked, rank } from './insight/rank.js'
import type { Knowledge, Scope } from './knowledge.js'

export interface RecallQuery {
  readonly query: string
  readonly scope?: Scope
  readonly limit: number
}

/** How many more candidates than wanted are looked at, since ranking may reorder them. */
const BREADTH = 4

/** The memories that fit a query best, the best first. */
export async function recall(knowledge: Knowledge, { query, scope, limit }: RecallQuery): Promise<Ranked[]> {
  const terms = queryTerms(query)
  const retrieved = await knowledge.retrieve({ terms, limit: limit * BREADTH, ...(scope && { scope }) })
  return rank(retrieved).slice(0, limit)
}

/** Recalled memories as a Markdown list, ready for a prompt. */
export function toMarkdown(ranked: readonly Ranked[]): string {
  return ranked
    .map(({ memory }) => {
      const { status, confidence } = memory.trust
      const flag = status === 'current' ? '' : `, ${status}`
      const facts = `${memory.occurredAt.slice(0, 10)}, ${memory.source}, confidence ${confidence.toFixed(2)}${flag}`
      return `- **${memory.contextId}** (${facts}): ${memory.text}\n`
    })
    .join('')
}
