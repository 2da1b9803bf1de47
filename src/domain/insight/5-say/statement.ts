import type { Json, JsonObject, Memory } from '../../model.js'
import { labelled, plainText, textOf } from '../../text.js'
import { resolveDates } from './dates.js'

/** Fields that hold something to act on, the most direct first. */
const ACTIONABLE = [
  'recommendation',
  'fix',
  'resolution',
  'decision',
  'rule',
  'action',
  'advice',
  'instruction',
  'lesson',
]

type Said = Pick<Memory, 'payload' | 'occurredAt'>

/** What a memory says, word for word; a relative date gets its date in brackets. */
export function statementOf({ payload, occurredAt }: Said): string {
  return resolveDates(textOf(payload), occurredAt)
}

/** The same with what to do first, on a line of its own. */
export function adviceOf({ payload, occurredAt }: Said): string {
  const field = ACTIONABLE.find((name) => isText(fieldOf(payload, name)))
  if (field === undefined) return statementOf({ payload, occurredAt })
  const rest = Object.entries(payload)
    .filter(([name]) => name !== field)
    .map(([name, value]) => labelled(name, value))
  return [plainText(payload[field] ?? ''), ...rest]
    .filter((part) => part !== '')
    .map((part) => resolveDates(part, occurredAt))
    .join('\n')
}

/** Of a memory that has expired: when that was, to the minute, and to the day where it was at midnight. */
export function wasValidUntil({ validUntil = '' }: Pick<Memory, 'validUntil'>): string {
  const [day, time = ''] = validUntil.split('T')
  return `was valid until ${day}${time.startsWith('00:00') ? '' : ` ${time.slice(0, 5)} UTC`}`
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function fieldOf(payload: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(payload, field) ? payload[field] : undefined
}
