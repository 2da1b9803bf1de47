import type { Memory } from '../model.js'
import { plainText } from '../text.js'
import { MONTHS } from './asked-time.js'

/** Fields with instructions, the most direct first. */
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

/** The instruction in a memory, if it has a field for one. */
export function instructionOf({ payload }: Pick<Memory, 'payload'>): string | undefined {
  const text = ACTIONABLE.map((name) => payload[name]).find(
    (value) => typeof value === 'string' && value.trim() !== '',
  )
  return text === undefined ? undefined : plainText(text)
}

/** When a memory expired: to the minute, or to the day if it was at midnight. */
export function wasValidUntil({ validUntil = '' }: Pick<Memory, 'validUntil'>): string {
  const [day, time = ''] = validUntil.split('T')
  return `was valid until ${day}${time.startsWith('00:00') ? '' : ` ${time.slice(0, 5)} UTC`}`
}

/** The day from which a planned memory holds. */
export function beginsOn({ validFrom, occurredAt }: Pick<Memory, 'validFrom' | 'occurredAt'>): string {
  return dayOf(validFrom ?? occurredAt)
}

/** `2 May 2026`, in UTC. */
export function dayOf(moment: string): string {
  const [year = '', month = '', day = ''] = moment.slice(0, 10).split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1]?.[0] ?? ''} ${year}`
}

/** The words before the text of a planned memory: from when it will hold. */
export function beginning(memory: Pick<Memory, 'trust' | 'validFrom' | 'occurredAt'>): string {
  return memory.trust.status === 'planned' ? `From ${beginsOn(memory)}: ` : ''
}
