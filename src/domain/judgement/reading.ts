import type { Json, JsonObject } from '../model.js'
import { plainText, textOf } from '../text.js'
import { isAnnouncing, isIdentity } from './fields.js'
import { type Term, termsOf } from './terms.js'

/** What the judgement needs to know of one payload: made once, compared many times. */
export interface Reading {
  readonly text: string
  readonly whole: Part
  /** Its clauses and fields, without those that only say which thing it is about; the whole if that is all. */
  readonly parts: readonly Part[]
  /** A field says which thing it is about. */
  readonly identified: boolean
  /** The values of its fields, by their path. */
  readonly fields: ReadonlyMap<string, string>
}

/** A clause or a field, or the whole. */
export interface Part {
  readonly text: string
  readonly terms: readonly Term[]
  /** The terms that tell something, by stem, in reading order. */
  readonly telling: ReadonlyMap<string, Term>
  /** The weight of its plain words together. */
  readonly weight: number
  /** It follows a comma, so that it may only say when, why or by whose order. */
  readonly hangs: boolean
  /** It begins the payload. */
  readonly first: boolean
}

const MOST_PARTS = 24
const SENTENCE = /[.!?](?=\s|$)|[;\n。]|:\s/u
const COMMA = /,(?=\s)|[、，]/u

export function readPayload(payload: JsonObject): Reading {
  const text = textOf(payload)
  const fields = new Map<string, string>()
  const clauses = clausesOf(payload, '', fields)
  const whole = toPart(text, { hangs: false, first: true })
  const parts = clauses
    .slice(0, MOST_PARTS)
    .map(({ text, hangs }, i) => toPart(text, { hangs, first: i === 0 }))
    .filter(({ telling }) => telling.size > 0)
  const identified = [...fields.keys()].some(isIdentity)
  const least = identified ? 1 : 2
  return { text, whole, parts: parts.length >= least ? parts : [whole], identified, fields }
}

interface Clause {
  readonly text: string
  readonly hangs: boolean
}

function clausesOf(payload: JsonObject, path: string, fields: Map<string, string>): Clause[] {
  return Object.entries(payload).flatMap(([key, value]) => {
    const name = key.toLowerCase()
    if (isObject(value)) return clausesOf(value, `${path}${name}.`, fields)
    const text = plainText(value)
    if (text !== '') fields.set(path + name, text.toLowerCase())
    if (isAnnouncing(name)) return split(text)
    // Which thing a record is about is compared by its fields: it is nothing that is said of the thing.
    if (isIdentity(name)) return []
    const label = key.replaceAll('_', ' ')
    return split(text).map((clause) => ({ ...clause, text: `${label} ${clause.text}` }))
  })
}

function split(text: string): Clause[] {
  const clauses = text
    .split(SENTENCE)
    .flatMap((sentence) => sentence.split(COMMA).map((clause, i) => ({ text: clause.trim(), hangs: i > 0 })))
  return clauses.filter(({ text }) => text !== '')
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toPart(text: string, place: Pick<Part, 'hangs' | 'first'>): Part {
  const terms = termsOf(text)
  const telling = new Map<string, Term>()
  let weight = 0
  for (const term of terms) {
    if (term.weight === 0 || telling.has(term.stem)) continue
    telling.set(term.stem, term)
    if (term.kind === 'word') weight += term.weight
  }
  return { text, terms, telling, weight, ...place }
}
