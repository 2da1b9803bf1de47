import { shortened } from '../insight/sentences.js'
import type { Status } from '../model.js'
import { HEAD, MAY_BE_OUTDATED } from './own-words.js'

/** A recalled memory, with the field names of the contract. */
export interface RecalledItem {
  readonly memory_id: string
  readonly context_id: string
  readonly text: string
  readonly source: string
  readonly status: Status
  readonly occurred_at: string
  readonly recorded_at: string
  readonly valid_from?: string
  readonly disputed_by: readonly string[]
}

const MAX_NAME_CHARS = 80

/**
 * Formats memories as a text of at most `maxChars` characters, and returns the ids of those it holds. Skips superseded and
 * expired memories. Shortens the first that does not fit, if possible, and skips others that do not fit.
 */
export function formatMemories(
  items: readonly RecalledItem[],
  maxChars: number,
): { readonly text: string | undefined; readonly shown: readonly string[] } {
  const shown: string[] = []
  let text = HEAD
  let isShortened = false
  for (const item of items) {
    if (item.status === 'superseded' || item.status === 'expired') continue
    const room = maxChars - text.length
    let line: string | undefined = lineOf(item, clean(item.text))
    if (line.length > room) {
      line = isShortened ? undefined : shorterLine(item, room)
      isShortened = true
    }
    if (line === undefined) continue
    text += line
    shown.push(item.memory_id)
  }
  return { text: shown.length === 0 ? undefined : text.trimEnd(), shown }
}

function shorterLine(item: RecalledItem, room: number): string | undefined {
  const text = shortened(clean(item.text), room - lineOf(item, '').length)
  return text === undefined ? undefined : lineOf(item, text)
}

function lineOf(
  { context_id, source, status, occurred_at, recorded_at, valid_from, disputed_by }: RecalledItem,
  text: string,
): string {
  const [of, recorded] = [dayOf(occurred_at), dayOf(recorded_at)]
  const name = context_id.length > MAX_NAME_CHARS ? `${context_id.slice(0, MAX_NAME_CHARS - 1)}…` : context_id
  const facts = [
    ...(of === recorded ? [] : [`of ${of}`]),
    `recorded ${recorded} by ${source}`,
    ...(status === 'planned' ? [`holds from ${dayOf(valid_from ?? occurred_at)}`] : []),
    ...(status === 'stale' ? ['builds on something that was replaced'] : []),
    ...(disputed_by.length > 0 ? ['disputed'] : []),
    MAY_BE_OUTDATED,
  ]
  return `- **${clean(name)}** (${facts.join(', ')}): ${text}\n`
}

function dayOf(moment: string): string {
  return moment.slice(0, 10)
}

/** A memory is one line, whatever its text holds. */
function clean(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}
