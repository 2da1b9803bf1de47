import type { Json, JsonObject, Replaced } from './model.js'

/** Fields that only say "here it comes": their value stands without the name. */
const PLAIN = new Set([
  'data',
  'text',
  'value',
  'content',
  'message',
  'note',
  'summary',
  'description',
  'fact',
  'body',
])

/** A payload of any shape as one line of text, its field names as light context. */
export function textOf(payload: JsonObject): string {
  return Object.entries(payload)
    .map(([key, value]) => labelled(key, value))
    .filter((part) => part !== '')
    .join('; ')
}

/** One field: its value, behind its name unless the name says nothing. */
export function labelled(key: string, value: Json): string {
  const text = plainText(value)
  const label = PLAIN.has(key) ? '' : oneLine(key.replaceAll('_', ' '))
  return text === '' || label === '' ? text : `${label}: ${text}`
}

export function plainText(value: Json): string {
  if (value === null) return ''
  if (typeof value === 'string') return oneLine(value)
  if (isObject(value)) return textOf(value)
  if (!Array.isArray(value)) return String(value)
  return value
    .map(plainText)
    .filter((part) => part !== '')
    .join(', ')
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Most texts are one line already, and seeing that is far quicker than writing them anew. */
const ONE_LINE = /^(?:[!-~]+(?: [!-~]+)*)?$/

/** Control characters count as white space: some of them, such as U+0085, break lines. */
function oneLine(text: string): string {
  if (ONE_LINE.test(text)) return text
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** A payload with what stands now in place of what was replaced. */
export function presentOf(payload: JsonObject, replaced: readonly Replaced[]): JsonObject {
  if (replaced.length === 0) return payload
  const present = Object.fromEntries(replaced.map(({ field, by, value = `see ${by}` }) => [field, value]))
  return { ...payload, ...present }
}
