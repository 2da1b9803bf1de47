import type { JsonObject } from '../../model.js'
import { isObject, plainText, textOf } from '../../text.js'
import { type Field, type Fields, fieldsOf, isTopic } from './fields.js'
import { SENTENCE_END, type Term, termsOf } from './terms.js'

/** A payload as the judgement compares it: made once, compared many times. */
export interface Reading {
  readonly text: string
  readonly whole: Part
  /** Its clauses and fields, without the fields that only identify the thing; the whole if there are no others. */
  readonly parts: readonly Part[]
  /** A field says which thing the payload is about. */
  readonly identified: boolean
  /** Its fields, by their path. */
  readonly fields: Fields
}

/** A clause or a field, or the whole. */
export interface Part {
  readonly text: string
  readonly terms: readonly Term[]
  /** The terms that tell something, by stem, in reading order. */
  readonly telling: ReadonlyMap<string, Term>
  /** The weight of its plain words together. */
  readonly weight: number
  readonly place: Place
  /** The part begins the payload. */
  readonly first: boolean
}

/** Where a part stands in its payload, which says how much it proves. */
type Place =
  | 'text'
  /** After a comma: it may only say when, why or by whose order. */
  | 'aside'
  /** Before a colon: it may only say what the text after it is about. */
  | 'heading'
  /** A field that says what the record is about, together with its answer. */
  | 'topic'
  /** A field beside a text. */
  | 'label'

const MAX_PARTS = 24
const SENTENCE = new RegExp(String.raw`(${SENTENCE_END}|[;\n。]|:\s)`, 'u')
const COMMA = /,(?=\s)|[、，]/u

export function readPayload(payload: JsonObject): Reading {
  const text = textOf(payload)
  const fields = new Map<string, Field>()
  const clauses = clausesOf(payload, '', fields)
  const whole = toPart({ text, place: 'text' }, true)
  const parts = clauses
    .slice(0, MAX_PARTS)
    .map((clause, i) => toPart(clause, i === 0))
    .filter(({ telling }) => telling.size > 0)
  const identified = [...fields.values()].some(({ role }) => role === 'identity' || role === 'topic')
  const least = identified ? 1 : 2
  return { text, whole, parts: parts.length >= least ? parts : [whole], identified, fields }
}

type Clause = Pick<Part, 'text' | 'place'>

function clausesOf(payload: JsonObject, path: string, fields: Map<string, Field>): Clause[] {
  const texts = Object.entries(payload).flatMap(([key, value]): [string, string][] => {
    const text = isObject(value) ? '' : plainText(value)
    return text === '' ? [] : [[key, text]]
  })
  const record = new Map(texts)
  const own = fieldsOf(record)
  const tells = [...own.values()].some(({ role }) => role === 'text')
  const answers = texts.filter(([key]) => own.get(key)?.role === 'answer').map(([, text]) => text)
  return Object.entries(payload).flatMap(([key, value]) => {
    const name = `${path}${key.toLowerCase()}`
    if (isObject(value)) return clausesOf(value, `${name}.`, fields)
    const [text, field] = [record.get(key), own.get(key)]
    if (text === undefined || field === undefined) return []
    fields.set(name, field)
    const { role } = field
    if (role === 'text') return split(text)
    if (isTopic(key, field)) return [{ text: [text, ...answers].join(' '), place: 'topic' }]
    // Identities and answers are compared as fields.
    if (role !== 'attribute') return []
    const label = key.replaceAll('_', ' ')
    return split(text).map((clause) => ({
      text: `${label} ${clause.text}`,
      place: tells ? 'label' : clause.place,
    }))
  })
}

function split(text: string): Clause[] {
  const sentences = text.split(SENTENCE)
  const clauses = sentences.flatMap((sentence, i) => {
    // Every second element is the punctuation after a sentence.
    if (i % 2 === 1) return []
    const isHeading = sentences[i + 1]?.startsWith(':') ?? false
    return sentence.split(COMMA).map((clause, j): Clause => {
      const place = isHeading ? 'heading' : j > 0 ? 'aside' : 'text'
      return { text: clause.trim(), place }
    })
  })
  return clauses.filter(({ text }) => text !== '')
}

function toPart({ text, place }: Clause, first: boolean): Part {
  const terms = termsOf(text)
  const telling = new Map<string, Term>()
  let weight = 0
  for (const term of terms) {
    if (term.weight === 0 || telling.has(term.stem)) continue
    telling.set(term.stem, term)
    if (term.kind === 'word') weight += term.weight
  }
  return { text, terms, telling, weight, place, first }
}
