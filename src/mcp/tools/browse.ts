import type { components } from '../../client/index.js'
import { shortName } from '../../domain/brief/shorten.js'
import { counted } from '../../domain/insight/sentences.js'
import { type Asking, dataOf, Refused } from './asking.js'
import { contextText } from './context-text.js'

export interface BrowseArguments {
  readonly type?: string
  readonly q?: string
  readonly context_id?: string
  readonly page?: number
}

/** With a line above and one below, at most 50 lines. */
const LINES = 45

/** The types, the contexts of one, those that match, or one context; a page at a time. */
export async function browse(
  asking: Asking,
  { type, q, context_id, page = 0 }: BrowseArguments,
): Promise<string> {
  if ([type, q, context_id].filter((given) => given !== undefined).length > 1)
    throw new Refused('Give one of type, q and context_id, or none of them.')
  if (context_id !== undefined) return contextText(asking, context_id, page)
  const { client } = asking
  const graph_id = await asking.graph()
  const query = { page, page_size: LINES }
  if (type !== undefined) {
    const path = { graph_id, context_type: type }
    const { contexts, total } = await dataOf(
      client.GET('/v1/contexts/{graph_id}/{context_type}', { params: { path, query } }),
    )
    return listed(`Contexts of type ${type}`, contexts.map(contextLine), total, page)
  }
  const params = { path: { graph_id }, query: { ...query, ...(q !== undefined && { q }) } }
  const {
    contexts = [],
    context_types = [],
    total,
  } = await dataOf(client.GET('/v1/contexts/{graph_id}', { params }))
  if (q !== undefined) return listed('Contexts whose names match', contexts.map(contextLine), total, page)
  const types = context_types.map((it) => `- ${it.context_type}: ${counted(it.count, 'context', 'contexts')}`)
  return listed(`Types of contexts in ${graph_id}`, types, total, page)
}

function contextLine(context: components['schemas']['ContextSummary']): string {
  const { context_id, memory_count, updated_at } = context
  return `- ${shortName(context_id)}: ${counted(memory_count, 'memory', 'memories')}, last changed ${updated_at.slice(0, 10)}`
}

function listed(head: string, lines: readonly string[], total: number, page: number): string {
  if (total === 0) return `${head}: none.\n`
  const after = total - (page * LINES + lines.length)
  const more = lines.length > 0 && after > 0 ? [`${after} more on page ${page + 1} and after.`] : []
  const past = lines.length === 0 ? ['This page is past the end.'] : []
  return `${[`${head}, ${total} in all:`, ...lines, ...past, ...more].join('\n')}\n`
}
