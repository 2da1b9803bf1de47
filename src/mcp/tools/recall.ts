import type { components } from '../../client/index.js'
import { NOTHING } from '../../domain/insight/say.js'
import { counted, shortened } from '../../domain/insight/sentences.js'
import { type Asking, dataOf } from './asking.js'
import { lineOf, QUOTES } from './memory-line.js'

type Schemas = components['schemas']
export interface RecallArguments
  extends Pick<Schemas['RecallRequest'], 'query' | 'limit' | 'max_chars' | 'min_confidence' | 'as_of'> {
  /** Types of contexts, and contexts. */
  readonly context_types?: readonly string[]
}
type Recalled = Schemas['RecalledMemory']

/** How much is answered with at most, where that is not said. */
export const RECALL_CHARS = 4_000

/**
 * The memories that fit, as Markdown within `max_chars`. Who asked for a confidence is told when nothing reaches it.
 */
export async function recall(
  { client, graph }: Asking,
  { max_chars: most = RECALL_CHARS, context_types = [], ...question }: RecallArguments,
): Promise<string> {
  const {
    items = [],
    confidence,
    answered,
  } = await dataOf(
    client.POST('/v1/memories', {
      body: { ...question, ...only(context_types), graph_id: await graph(), format: 'json' },
    }),
  )
  const { min_confidence: least } = question
  if (items.length === 0)
    return answered === true && least !== undefined ? tooUnsure(confidence, least) : `${NOTHING}\n`
  const head = `${answered === undefined ? ROUGHLY[confidence] : HEADS[confidence]}\n`
  const all = items.map((item) => lineOf(item, item.text))
  if (total(head, all) <= most) return head + all.join('')
  return withRoom(head, items, most)
}

function only(named: readonly string[]) {
  const context_ids = named.filter((name) => name.includes(':'))
  const types = named.filter((name) => !name.includes(':'))
  return { context_ids, context_types: Object.fromEntries(types.map((type) => [type, []])) }
}

function tooUnsure(confidence: Schemas['ConfidenceLevel'], least: string): string {
  return `Something recorded may answer this, with ${confidence} confidence; ${least} was asked for.\n`
}

const HEADS = {
  high: 'Recalled, the best first. Confidence that this answers it: high.',
  medium: 'Recalled, the best first. Confidence that this answers it: medium; check before you rely on it.',
  low: 'Recalled, the best first. Confidence that this answers it: low; most likely none of it does.',
} as const

/** Nothing was read against the question. */
const ROUGHLY = {
  high: 'Recalled, the best first. By words and meaning alone, confidence that this answers it: high.',
  medium:
    'Recalled, the best first. By words and meaning alone, confidence that this answers it: medium; check.',
  low: 'Recalled, the best first. By words and meaning alone, confidence that this answers it: low; maybe none does.',
} as const

/** Whole memories while there is room, the first that has none shortened if it can be, and how many were left out. */
function withRoom(head: string, items: readonly Recalled[], most: number): string {
  const told: string[] = []
  let room = most - head.length - tail(items.length).length
  let isTried = false
  for (const item of items) {
    let line: string | undefined = lineOf(item, item.text)
    if (line.length > room) {
      const text = isTried ? undefined : shortened(item.text, room - lineOf(item, '').length - QUOTES)
      line = text === undefined ? undefined : lineOf(item, text)
      isTried = true
    }
    if (line === undefined) continue
    told.push(line)
    room -= line.length
  }
  const end = tail(items.length - told.length)
  if (told.length > 0) return head + told.join('') + (told.length < items.length ? end : '')
  return end
}

function tail(leftOut: number): string {
  return `\n${counted(leftOut, 'more was', 'more were')} left out for want of room; a larger max_chars has some.\n`
}

function total(head: string, lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, head.length)
}
