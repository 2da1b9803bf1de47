import { fitting } from '../insight/sentences.js'
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
  const standing = items.filter(({ status }) => status !== 'superseded' && status !== 'expired')
  const fitted = fitting(standing, maxChars - HEAD.length, ({ text }) => clean(text), lineOf)
  const text = HEAD + fitted.map(({ line }) => line).join('')
  return {
    text: fitted.length === 0 ? undefined : text.trimEnd(),
    shown: fitted.map(({ item }) => item.memory_id),
  }
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
