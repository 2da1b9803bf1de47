import type { Json, JsonObject, Memory } from '../../model.js'
import { labelled, plainText } from '../../text.js'
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

/** What a memory says, as sentences: each field with its name, its dates resolved. */
export function statementOf({ payload, occurredAt }: Said): string {
  return resolveDates(sentencesOf(payload).join(' '), occurredAt)
}

/** The same with what to do first and in its own words, as an instruction. */
export function adviceOf({ payload, occurredAt }: Said): string {
  const field = ACTIONABLE.find((name) => isText(fieldOf(payload, name)))
  if (field === undefined) return statementOf({ payload, occurredAt })
  const rest = Object.fromEntries(Object.entries(payload).filter(([name]) => name !== field))
  const action = sentence(plainText(payload[field] ?? ''))
  return resolveDates([action, ...sentencesOf(rest)].join(' '), occurredAt)
}

/** How much a memory tells what to do: 1 says it in a field of its own, less in passing, least not at all. */
export function actionability({ payload, text, eventKind }: Memory): number {
  if (ACTIONABLE.some((field) => isText(fieldOf(payload, field)))) return 1
  if (INSTRUCTION.test(text)) return 0.9
  return eventKind === 'decision' || eventKind === 'feedback' ? 0.8 : 0.55
}

function sentencesOf(payload: JsonObject): string[] {
  const topic = fieldOf(payload, 'topic')
  const rest = Object.entries(payload).filter(([name]) => name !== 'topic' || !isText(topic))
  const sentences = rest.map(([name, value]) => labelled(name, value)).filter((part) => part !== '')
  if (!isText(topic)) return sentences.map(sentence)
  const [first = '', ...others] = sentences
  const [opening] = rest
  // A topic opens what has no name of its own; before a named field it stands by itself.
  const opens = opening !== undefined && plainText(opening[1]) === first
  return (opens ? [`${plainText(topic)}: ${first}`, ...others] : [plainText(topic), ...sentences]).map(
    sentence,
  )
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]['"”’)]?$/u.test(upper) ? upper : `${upper}.`
}

function fieldOf(payload: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(payload, field) ? payload[field] : undefined
}
