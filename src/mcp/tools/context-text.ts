import { shortened, shortName } from '../../domain/brief/shorten.js'
import { counted } from '../../domain/insight/sentences.js'
import { foldContextId, splitContextId } from '../../domain/names.js'
import { type Asking, dataOf, type Told } from './asking.js'
import { factsOf, lineWithin } from './memory-line.js'

/** Two lines a memory; with the links and what is said around both, at most 50 lines. */
const MEMORIES = 15
const LINKS = 15
const MEMORY_CHARS = 400

/** One context: a page of its memories, the newest first, and its links. */
export async function contextText(
  { client, graph }: Asking,
  context: string,
  page = 0,
  valid_at?: string,
): Promise<Told> {
  const { type, name } = splitContextId(foldContextId(context, 'context_id'))
  const path = { graph_id: await graph(), context_type: type, name }
  const query = { page, page_size: MEMORIES, ...(valid_at !== undefined && { valid_at }) }
  const [found, { relationships }] = await Promise.all([
    dataOf(client.GET('/v1/contexts/{graph_id}/{context_type}/{name}', { params: { path, query } })),
    dataOf(client.GET('/v1/contexts/{graph_id}/{context_type}/{name}/relationships', { params: { path } })),
  ])
  const after = found.total - (page * MEMORIES + found.memories.length)
  const links = page === 0 ? relationships.slice(0, LINKS) : []
  const shown = found.memories.map((memory) => ({ ...memory, text: shortened(memory.text, MEMORY_CHARS) }))
  const isCut = shown.some(({ text }, i) => text !== found.memories[i]?.text)
  const text = [
    `**${found.context_id}**: ${counted(found.total, 'memory', 'memories')}, the newest first.\n`,
    ...shown.map((memory) => lineWithin(memory, memory.text)),
    isCut ? 'What ends with … is whole with memory_id.\n' : '',
    after > 0 && found.memories.length > 0 ? `${after} older on page ${page + 1} and after.\n` : '',
    links.length > 0 ? 'Links, with how many memories state each:\n' : '',
    ...links.map((it) => `- ${VERBS[it.kind][it.direction]} ${shortName(it.context_id)} (${it.weight})\n`),
    page === 0 && relationships.length > LINKS ? `${relationships.length - LINKS} more links.\n` : '',
  ].join('')
  return {
    text,
    data: {
      context_id: found.context_id,
      memories: shown.map((memory) => factsOf(memory, memory.text)),
      relationships: links.map(({ kind, direction, context_id, weight }) => ({
        kind,
        direction,
        context_id,
        weight,
      })),
      total: found.total,
    },
  }
}

const VERBS = {
  reinforcement: { outgoing: 'confirms', incoming: 'is confirmed by' },
  extension: { outgoing: 'builds on', incoming: 'is built on by' },
  contradiction: { outgoing: 'contradicts', incoming: 'is contradicted by' },
  'related-to': { outgoing: 'has to do with', incoming: 'is referred to by' },
} as const
