import type { ContextFilter, Knowledge } from '../search/knowledge.js'
import type { EnginePorts } from './1-analyse/ports.js'
import { find } from './3-rank/find.js'
import { type Ranked, worthwhile } from './3-rank/rank.js'

export interface RecallQuery {
  readonly query: string
  readonly scope?: ContextFilter
  readonly limit: number
  /** The meaning of the query; left out if it was not read. */
  readonly vector?: Int8Array
}

/** The memories that fit a query best, the best first. */
export async function recall(
  knowledge: Knowledge,
  ports: EnginePorts,
  { query, scope, vector, limit }: RecallQuery,
): Promise<readonly Ranked[]> {
  const { ranked } = await find(knowledge, ports, { text: query, scope, vector, limit })
  return worthwhile(ranked, limit)
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
