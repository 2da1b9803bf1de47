import type { components } from '../../client/index.js'
import { shortName } from '../../domain/brief/shorten.js'
import { counted } from '../../domain/insight/sentences.js'
import { foldType } from '../../domain/names.js'
import { type Asking, dataOf, orEmpty, Refused, type Told } from './asking.js'
import { contextText } from './context-text.js'
import { memoryText } from './memory-text.js'

interface BrowseArguments {
  readonly type?: string
  readonly q?: string
  readonly context_id?: string
  readonly memory_id?: string
  readonly page?: number
  /** For a context and a memory. */
  readonly valid_at?: string
}

/** With a line above and one below, at most 50 lines. */
const LINES = 45

/** Memories have no colon in their id, and are asked for as contexts all the same. */
const MEMORY = /^mem_\w+$/

/** The types, the contexts of one, those that match, one context or one memory; a page at a time. */
export async function browse(
  asking: Asking,
  { type, q, context_id, memory_id, page = 0, valid_at }: BrowseArguments,
): Promise<Told> {
  if ([type, q, context_id, memory_id].filter((given) => given !== undefined).length > 1)
    throw new Refused('Give one of type, q, context_id and memory_id, or none of them.')
  const memory = memory_id ?? (MEMORY.test(context_id ?? '') ? context_id : undefined)
  if (memory !== undefined) return memoryText(asking, memory, page, valid_at)
  if (context_id !== undefined) return contextText(asking, context_id, page, valid_at)
  const { client } = asking
  const graph_id = await asking.graph()
  const query = { page, page_size: LINES }
  if (type !== undefined) {
    const path = { graph_id, context_type: foldType(type, 'type') }
    const asked = client.GET('/v1/contexts/{graph_id}/{context_type}', { params: { path, query } })
    const { contexts, total } = await orEmpty(dataOf(asked), { contexts: [], ...NONE })
    const text = listed(`Contexts of type ${type}`, contexts.map(contextLine), total, page)
    return { text, data: { contexts, total } }
  }
  const params = { path: { graph_id }, query: { ...query, ...(q !== undefined && { q }) } }
  const {
    contexts = [],
    context_types = [],
    total,
  } = await orEmpty(dataOf(client.GET('/v1/contexts/{graph_id}', { params })), NONE)
  if (q !== undefined) {
    const text = listed('Contexts whose names match', contexts.map(contextLine), total, page)
    return { text, data: { contexts, total } }
  }
  const types = context_types.map((it) => `- ${it.context_type}: ${counted(it.count, 'context', 'contexts')}`)
  return {
    text: listed(`Types of contexts in ${graph_id}`, types, total, page),
    data: { context_types, total },
  }
}

const NONE = { total: 0, page: 0, page_size: LINES }

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
