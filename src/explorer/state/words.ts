import type { Memory, RecordedEvent } from './types.js'

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const MINUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const NUMBER = new Intl.NumberFormat('en-GB')

export const day = (at: string): string => DAY.format(new Date(at))
export const minute = (at: string): string => `${MINUTE.format(new Date(at))} UTC`
export const month = (at: string): string => MONTH.format(new Date(at))
export const number = (value: number): string => NUMBER.format(value)

export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`
}

export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`
}

/** Names are folded; people read spaces more easily. */
export const readable = (name: string): string => name.replaceAll('_', ' ')

/** What is said of a memory beside its text. */
export const STATUS: Readonly<Record<Memory['status'] | 'disputed', string>> = {
  current: 'Stands',
  disputed: 'Disputed',
  superseded: 'Replaced',
  stale: 'Stale',
  planned: 'Planned',
  expired: 'Expired',
}

export const standing = (memory: Memory): Memory['status'] | 'disputed' =>
  memory.status === 'current' && memory.disputed_by.length > 0 ? 'disputed' : memory.status

export const EFFECTS: Readonly<Record<RecordedEvent['bears_on'][number]['effect'], string>> = {
  supersedes: 'would replace',
  disputes: 'would contradict, and leave standing,',
  reinforces: 'would confirm',
  extends: 'would build on',
  late: 'would stand before',
  noted: 'would be noted beside, and change nothing of,',
}

export const KINDS = {
  reinforcement: { out: 'confirms', into: 'is confirmed by' },
  extension: { out: 'builds on', into: 'is built on by' },
  contradiction: { out: 'contradicts', into: 'is contradicted by' },
  'related-to': { out: 'has to do with', into: 'has to do with' },
} as const
