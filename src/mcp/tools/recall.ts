import type { components } from '../../client/index.js'
import { NOTHING } from '../../domain/insight/say.js'
import { counted, fitting } from '../../domain/insight/sentences.js'
import { type Asking, dataOf, orEmpty, type Told } from './asking.js'
import { factsOf, lineOf, QUOTES } from './memory-line.js'

type Schemas = components['schemas']
interface RecallArguments
  extends Pick<
    Schemas['RecallRequest'],
    'query' | 'limit' | 'max_chars' | 'min_confidence' | 'as_of' | 'valid_at'
  > {
  /** Types of contexts, and contexts. */
  readonly context_types?: readonly string[]
}
type Recalled = Schemas['RecalledMemory']

/** How much is answered with at most, where that is not said. */
export const RECALL_CHARS = 4_000

/**
 * The memories that fit, as Markdown within `max_chars`. Where most likely nothing answers, only the nearest are told, unless
 * it was said how many or how sure.
 */
export async function recall({ client, graph }: Asking, given: RecallArguments): Promise<Told> {
  const { max_chars: most = RECALL_CHARS, context_types = [], ...question } = given
  const { limit, min_confidence: least } = question
  const body = { ...question, ...only(context_types), graph_id: await graph(), format: 'json' as const }
  const {
    items = [],
    confidence,
    answered,
  } = await orEmpty(dataOf(client.POST('/v1/memories', { body })), NONE)
  if (items.length === 0) {
    const note = answered === true && least !== undefined ? tooUnsure(confidence, least) : NOTHING
    return { text: `${note}\n`, data: { note, confidence, memories: [] } }
  }
  const isQuiet = confidence === 'low' && limit === undefined && least === undefined
  const head = isQuiet ? NEAREST : headOf(confidence, answered !== undefined)
  const shown = withRoom(`${head}\n`, isQuiet ? items.slice(0, MAX_NEAREST) : items, most)
  const note = [head, OUTDATED, shown.tail.trim()].filter((part) => part !== '').join(' ')
  return { text: shown.text, data: { note, confidence, memories: shown.memories } }
}

const NONE: Schemas['RecallResult'] = { items: [], items_found: 0, confidence: 'low' }

const NEAREST = 'Probably nothing recorded answers this. The nearest, by words and meaning alone:'
const MAX_NEAREST = 2
/** The text says it of each. */
const OUTDATED = 'A memory may be outdated.'

function only(named: readonly string[]) {
  const context_ids = named.filter((name) => name.includes(':'))
  const types = named.filter((name) => !name.includes(':'))
  return { context_ids, context_types: Object.fromEntries(types.map((type) => [type, []])) }
}

function tooUnsure(confidence: Schemas['ConfidenceLevel'], least: string): string {
  return `Something recorded may answer this, with ${confidence} confidence; ${least} was asked for.`
}

function headOf(confidence: Schemas['ConfidenceLevel'], isRead: boolean): string {
  const how = isRead ? 'Confidence' : 'By words and meaning alone, confidence'
  return `Recalled, the best first. ${how} that this answers it: ${CAUTIONS[confidence]}.`
}

const CAUTIONS = {
  high: 'high',
  medium: 'medium; check before you rely on it',
  low: 'low; maybe none does',
} as const

/** Whole memories as far as they fit, the first that does not shortened if it can be, and how many were left out. */
function withRoom(head: string, items: readonly Recalled[], most: number) {
  const lines = items.map((item) => lineOf(item, item.text))
  const isAll = lines.reduce((sum, line) => sum + line.length, head.length) <= most
  const room = most - head.length - (isAll ? 0 : tail(items.length).length)
  const told = fitting(items, room, ({ text }) => text, lineOf, QUOTES)
  const memories = told.map(({ item, text }) => factsOf(item, text))
  const text = head + told.map(({ line }) => line).join('')
  const end = memories.length < items.length ? tail(items.length - memories.length) : ''
  return { text: memories.length > 0 ? text + end : end.trimStart(), tail: end, memories }
}

function tail(leftOut: number): string {
  return `\n${counted(leftOut, 'more was', 'more were')} left out for want of room; a larger max_chars has some.\n`
}
