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
const INSTRUCTION =
  /\b(?:must|should|shall|never|always|only|do not|don't|need(?:s|ed)? to|has to|have to|use|set|keep|call|ask|wait|run|check|avoid|reject|switch|rotate|instead)\b/i

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

/** How much a memory tells what to do: 1 says it in a field of its own, less in passing, least not at all. */
export function actionability({ payload, text, eventKind }: Memory): number {
  if (ACTIONABLE.some((field) => isText(fieldOf(payload, field)))) return 1
  if (INSTRUCTION.test(text)) return 0.9
  return eventKind === 'decision' || eventKind === 'feedback' ? 0.8 : 0.55
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function fieldOf(payload: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(payload, field) ? payload[field] : undefined
}
