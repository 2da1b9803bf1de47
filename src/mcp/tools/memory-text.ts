import type { components } from '../../client/index.js'
import { counted } from '../../domain/insight/sentences.js'
import { type Asking, dataOf, type Told } from './asking.js'
import { factsOf, lineOf } from './memory-line.js'

type Schemas = components['schemas']

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
  const after = history.total - (page * STATEMENTS + statements.length)
  const text = [
    lineOf(memory, memory.text),
    ...supersedes.map((it) => `- It replaced ${changeOf(it)}\n`),
    ...superseded_by.map((it) => `- It was replaced by ${changeOf(it)}\n`),
    ...spells.map((it) => `- ${spellText(it)}\n`),
    `${counted(history.total, 'statement', 'statements')} of it:\n`,
    ...statements.map(
      (it) => `- ${it.recorded_at.slice(0, 10)} by ${it.source}${it.own ? '' : `, in ${it.event_id}`}\n`,
    ),
    after > 0 && statements.length > 0 ? `${after} more on page ${page + 1} and after.\n` : '',
  ].join('')
  const facts = factsOf(memory, memory.text)
  return {
    text,
    data: { memories: [facts], spells, statements, supersedes, superseded_by, total: history.total },
  }
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
