import { listOf } from '../groups.js'
import type { ContextId, JsonObject, Memory } from '../model.js'
import { labelled, presentOf } from '../text.js'

/** A memory as it is read and shown: its subject, and parts of at most a sentence or a field. */
export interface Claim {
  readonly memory: Memory
  /** `patient bed 3 (Mr Olsen)`. */
  readonly subject: string
  readonly parts: readonly Part[]
  /** All parts together. */
  readonly text: string
}

interface Part {
  readonly text: string
  /** The text between this part and the one before it. */
  readonly joint: string
}

/** The most characters of a first line. A longer text is read part by part; the parts that answer are shown. */
export const MAX_LEAD_CHARACTERS = 200
const MAX_NAMES = 3
const MAX_NAME_CHARACTERS = 40
/** Fields that name the subject of a context. */
const NAMING = ['name', 'title', 'customer', 'patient', 'client', 'guest', 'person', 'employee', 'student']
/** A space after the end of a sentence, before a character that can begin one. */
const SENTENCE_BREAK = /(?<=[.!?…]["'”’)\]]{0,2})\s(?=["'“‘¿¡([]?[\p{Lu}\p{Lo}\p{N}])|(?<=[。！？])/u

const NO_WORD = /[^\p{L}\p{N}]/u

export function claimOf(memory: Memory, names: readonly string[] = []): Claim {
  const parts = partsOf(presentOf(memory.payload, memory.trust.replaced ?? []))
  const text = joined(parts)
  return { memory, subject: subjectOf(memory.contextId, names), parts, text }
}

/** The names that standing memories give the subjects of their contexts. */
export function namesOf(memories: readonly Memory[]): ReadonlyMap<ContextId, readonly string[]> {
  const names = new Map<ContextId, string[]>()
  for (const { contextId, payload, trust } of [...memories].sort((a, b) => a.seq - b.seq)) {
    if (trust.status === 'superseded') continue
    for (const field of NAMING) {
      const name = payload[field]
      if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME_CHARACTERS) continue
      const known = listOf(names, contextId)
      if (!known.includes(name)) known.push(name)
    }
  }
  return names
}

/** The text of a claim, after its subject, unless the text names the subject. */
export function shown({ subject, memory }: Pick<Claim, 'subject' | 'memory'>, text: string): string {
  return namesItsSubject(text, memory.contextId) ? text : `${subject}: ${text}`
}

/** The texts that the reader reads: a short claim as a whole, a long one part by part. */
export function readings(claim: Claim): readonly string[] {
  return textsOf(claim).map((text) => `${claim.subject}: ${text}`)
}

/** One of the readings, as it is shown. */
export function shownReading(claim: Claim, part: number): string {
  return shown(claim, textsOf(claim)[part] ?? claim.text)
}

function textsOf({ text, parts }: Claim): readonly string[] {
  return text.length <= MAX_LEAD_CHARACTERS ? [text] : parts.map((part) => part.text)
}

/** As many parts as have room: from `best` on, then those before it. "…" marks omissions. */
export function excerpt(claim: Claim, best: number, room = MAX_LEAD_CHARACTERS): string {
  const { parts, text } = claim
  const left = room - (shown(claim, text).length - text.length)
  if (text.length <= left) return text
  let [first, last] = [best, best]
  const cut = (from: number, to: number) =>
    `${from > 0 ? '… ' : ''}${joined(parts.slice(from, to + 1))}${to < parts.length - 1 ? ' …' : ''}`
  while (last < parts.length - 1 && cut(first, last + 1).length <= left) last++
  while (first > 0 && cut(first - 1, last).length <= left) first--
  return shortenedTo(cut(first, last), left)
}

export function shortenedTo(text: string, room: number): string {
  if (text.length <= room) return text
  const start = text.slice(0, room - 1)
  const end = start.lastIndexOf(' ')
  return `${start.slice(0, end > room / 2 ? end : undefined).replace(/[\ud800-\udbff]$/, '')}…`
}

function subjectOf(contextId: ContextId, names: readonly string[]): string {
  const place = contextId.replaceAll(/[_:]/g, ' ')
  const folded = place.toLowerCase()
  const others = names.filter((name) => !folded.includes(name.toLowerCase())).slice(0, MAX_NAMES)
  return others.length === 0 ? place : `${place} (${others.join(', ')})`
}

function namesItsSubject(text: string, contextId: ContextId): boolean {
  const words = new Set(text.toLowerCase().split(NO_WORD))
  const name = contextId.slice(contextId.indexOf(':') + 1)
  return name.split(NO_WORD).some((word) => word.length > 2 && words.has(word))
}

function partsOf(payload: JsonObject): Part[] {
  const fields = Object.entries(payload)
    .map(([key, value]) => labelled(key, value))
    .filter((text) => text !== '')
  return fields.flatMap((field) =>
    field
      .split(SENTENCE_BREAK)
      .filter((text) => text !== '')
      .map((text, i) => ({ text, joint: i === 0 ? '; ' : ' ' })),
  )
}

function joined(parts: readonly Part[]): string {
  return parts.map(({ text, joint }, i) => (i === 0 ? text : `${joint}${text}`)).join('')
}
