import type { components } from '../../client/index.js'
import { shortened, shortName } from '../../domain/brief/shorten.js'
import { counted } from '../../domain/insight/sentences.js'
import { foldContextId, foldType, splitContextId } from '../../domain/names.js'
import { type Asking, dataOf, orEmpty, Refused, type Told } from './asking.js'
import { factsOf, lineOf, lineWithin } from './memory-line.js'

type Schemas = components['schemas']

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

function contextLine(context: Schemas['ContextSummary']): string {
  const { context_id, memory_count, updated_at } = context
  return `- ${shortName(context_id)}: ${counted(memory_count, 'memory', 'memories')}, last changed ${updated_at.slice(0, 10)}`
}

function listed(head: string, lines: readonly string[], total: number, page: number): string {
  if (total === 0) return `${head}: none.\n`
  const shown = lines.length === 0 ? ['This page is past the end.\n'] : lines.map((line) => `${line}\n`)
  return [`${head}, ${total} in all:\n`, ...shown, ...moreOf('more', total, page, LINES, lines.length)].join(
    '',
  )
}

/** How many are left after a page, unless it is the last or past the end. */
function moreOf(word: string, total: number, page: number, size: number, shown: number): string[] {
  const after = total - (page * size + shown)
  return shown > 0 && after > 0 ? [`${after} ${word} on page ${page + 1} and after.\n`] : []
}

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
  const links = page === 0 ? relationships.slice(0, LINKS) : []
  const shown = found.memories.map((memory) => ({ ...memory, text: shortened(memory.text, MEMORY_CHARS) }))
  const isCut = shown.some(({ text }, i) => text !== found.memories[i]?.text)
  const text = [
    `**${found.context_id}**: ${counted(found.total, 'memory', 'memories')}, the newest first.\n`,
    ...shown.map((memory) => lineWithin(memory, memory.text)),
    isCut ? 'What ends with … is whole with memory_id.\n' : '',
    ...moreOf('older', found.total, page, MEMORIES, shown.length),
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

const STATEMENTS = 20
const MAX_REPLACED = 20
const MAX_SPELLS = 20

/** One memory as a whole, and a page of how it was stated. */
export async function memoryText(
  { client, graph }: Asking,
  memory_id: string,
  page = 0,
  valid_at?: string,
): Promise<Told> {
  const path = { graph_id: await graph(), memory_id }
  const query = { page, page_size: STATEMENTS }
  const then = valid_at === undefined ? {} : { valid_at }
  const [memory, history] = await Promise.all([
    dataOf(client.GET('/v1/memories/{graph_id}/{memory_id}', { params: { path, query: then } })),
    dataOf(client.GET('/v1/memories/{graph_id}/{memory_id}/history', { params: { path, query } })),
  ])
  const statements = history.statements.map(({ event_id, own, source, recorded_at, occurred_at }) => ({
    ...{ event_id, own, source, recorded_at, occurred_at },
  }))
  const supersedes = history.supersedes.slice(0, MAX_REPLACED)
  const superseded_by = history.superseded_by.slice(0, MAX_REPLACED)
  const spells = history.spells.slice(0, MAX_SPELLS)
  const text = [
    lineOf(memory, memory.text),
    ...supersedes.map((it) => `- It replaced ${changeOf(it)}\n`),
    ...superseded_by.map((it) => `- It was replaced by ${changeOf(it)}\n`),
    ...spells.map((it) => `- ${spellText(it)}\n`),
    `${counted(history.total, 'statement', 'statements')} of it:\n`,
    ...statements.map(
      (it) => `- ${it.recorded_at.slice(0, 10)} by ${it.source}${it.own ? '' : `, in ${it.event_id}`}\n`,
    ),
    ...moreOf('more', history.total, page, STATEMENTS, statements.length),
  ].join('')
  const memories = [factsOf(memory, memory.text)]
  return { text, data: { memories, spells, statements, supersedes, superseded_by, total: history.total } }
}

/** When a claim of it stands or stood. */
function spellText({ field, valid_from, valid_to, by }: Schemas['Spell']): string {
  const what = field === undefined ? 'It holds' : `\`${field}\` holds`
  const until = valid_to === undefined ? '' : ` until ${valid_to.slice(0, 10)}`
  return `${what} from ${valid_from.slice(0, 10)}${until}${by === undefined ? '' : `, then ${by}`}`
}

function changeOf({ memory_id, recorded_at, source }: Schemas['Supersession']): string {
  return `${memory_id} on ${recorded_at.slice(0, 10)}, by ${source}`
}
