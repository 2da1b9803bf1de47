import type { Json, JsonObject, Memory } from '../model.js'
import { plainText } from '../text.js'

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

/** What a memory says to do, where a field of it holds that. */
export function instructionOf({ payload }: Pick<Memory, 'payload'>): string | undefined {
  const field = ACTIONABLE.find((name) => isText(fieldOf(payload, name)))
  return field === undefined ? undefined : plainText(payload[field] ?? '')
}

/** Of a memory that has expired: when that was, to the minute, and to the day where it was at midnight. */
export function wasValidUntil({ validUntil = '' }: Pick<Memory, 'validUntil'>): string {
  const [day, time = ''] = validUntil.split('T')
  return `was valid until ${day}${time.startsWith('00:00') ? '' : ` ${time.slice(0, 5)} UTC`}`
}

/** Of a memory that is planned: the day from which it holds. */
export function beginsOn({ validFrom, occurredAt }: Pick<Memory, 'validFrom' | 'occurredAt'>): string {
  return dayOf(validFrom ?? occurredAt)
}

/** `2 May 2026`, in UTC. */
export function dayOf(moment: string): string {
  const [year = '', month = '', day = ''] = moment.slice(0, 10).split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function fieldOf(payload: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(payload, field) ? payload[field] : undefined
}

/** What stands before the text of a memory that is planned: from when it will hold. */
export function beginning(memory: Pick<Memory, 'trust' | 'validFrom' | 'occurredAt'>): string {
  return memory.trust.status === 'planned' ? `From ${beginsOn(memory)}: ` : ''
}
