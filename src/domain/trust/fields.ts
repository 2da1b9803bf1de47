import type { ContextId, Json, JsonObject, MemoryId } from '../model.js'
import { splitContextId } from '../names.js'

/** The id of a claim: that of a memory, or of a field that was split off it, as `mem_…#/price`. */
export type ClaimId = string

export function claimOfField(memory: MemoryId, field: string): ClaimId {
  return `${memory}#/${encodeURIComponent(field)}`
}

export function memoryOf(id: ClaimId): MemoryId {
  const end = id.indexOf('#')
  return end === -1 ? id : id.slice(0, end)
}

/** Undefined for a claim that is a memory. */
export function fieldOf(id: ClaimId): string | undefined {
  const end = id.indexOf('#')
  return end === -1 ? undefined : decodeURIComponent(id.slice(end + 2))
}

/** What a record says, by its top-level fields. Names are folded; `written` has the original names. */
export interface RecordFields {
  readonly values: ReadonlyMap<string, Json>
  readonly written: ReadonlyMap<string, string>
  /** The names of all fields, in order. */
  readonly order: readonly string[]
  /** The fields whose names say what they hold, in order. */
  readonly slots: readonly string[]
  /** The fields that hold sentences, which are one claim. */
  readonly prose: readonly string[]
  /** The fields that only say when, why or by whom the rest is so. */
  readonly qualifiers: readonly string[]
  /** The slot that names the thing that the record is about. */
  readonly subject: string | undefined
  /** The fields that have the name of the context or of its type. */
  readonly ofContext: readonly string[]
}

/** Names of fields that hold sentences, which may say anything. */
const PROSE = new Set(
  `value text data content message description summary observation fact info detail details remark body statement memory
  finding insight learning lesson update entry log hint tip warning beschreibung nachricht inhalt zusammenfassung beobachtung
  hinweis bemerkung texto contenido mensaje descripcion descripción resumen dato observacion observación texte contenu description
  resume résumé fait remarque`.split(/\s+/),
)
const QUALIFIERS = new Set('date since from until reason why by source note comment'.split(' '))
/** The qualifiers that are the sentence of a record that has no other field. */
const SENTENCES = new Set('reason why note comment'.split(' '))

export function isQualifier(name: string): boolean {
  return QUALIFIERS.has(name)
}

export function fieldsIn(payload: JsonObject, contextId: ContextId): RecordFields {
  const values = new Map<string, Json>()
  const written = new Map<string, string>()
  for (const [name, value] of Object.entries(payload)) {
    const key = folded(name)
    if (values.has(key)) continue
    values.set(key, value)
    written.set(key, name)
  }
  const names = [...values.keys()]
  const { type, name: contextName } = splitContextId(contextId)
  const ofContext = [folded(type), folded(contextName)]
  const isProse = (name: string) => PROSE.has(name) && typeof values.get(name) === 'string'
  const plain = names.filter((name) => !isProse(name) && !QUALIFIERS.has(name))
  // Beside other fields, `value` is a slot.
  const ofValue = plain.length > 0 && isProse('value') ? ['value'] : []
  const slots = names.filter((name) => plain.includes(name) || ofValue.includes(name))
  const prose = names.filter((name) => isProse(name) && !ofValue.includes(name))
  const qualifiers = names.filter((name) => QUALIFIERS.has(name))
  const said = { values, written, order: names, ofContext }
  if (slots.length + prose.length > 0)
    return { ...said, slots, prose, qualifiers, subject: subjectOf(slots, values, ofContext) }
  const sentences = qualifiers.filter((name) => SENTENCES.has(name))
  if (sentences.length === 0)
    return { ...said, slots: qualifiers, prose: [], qualifiers: [], subject: undefined }
  const others = qualifiers.filter((name) => !SENTENCES.has(name))
  return { ...said, slots: [], prose: sentences, qualifiers: others, subject: undefined }
}

/** The first field, if it is a text, unless it is the only one or has the name of the context. */
function subjectOf(
  slots: readonly string[],
  values: ReadonlyMap<string, Json>,
  ofContext: readonly string[],
): string | undefined {
  if (slots.length < 2) return undefined
  const [first] = slots
  return first === undefined || !isName(values.get(first)) || ofContext.includes(first) ? undefined : first
}

function isName(value: Json | undefined): boolean {
  return typeof value === 'string' && /^\s*[^\s\p{N}]/u.test(value)
}

/** `unitPrice` and `unit_price` are one field. */
export function folded(name: string): string {
  return name.replaceAll(/[\s_-]+/gu, '').toLowerCase()
}

/** The claims of a record by their folded fields: its slots, and its prose by the first field of it. */
export function claimsIn({ slots, prose }: RecordFields): string[] {
  return [...slots, ...prose.slice(0, 1)]
}

/** Has a record sentences and nothing else that a claim could be? */
export function isProseOnly({ slots, prose }: RecordFields): boolean {
  return slots.length === 0 && prose.length > 0
}

/** Do two values say the same? A text equals a number only where one of the two is a number in JSON. */
export function agree(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (typeof a === 'number' && typeof b === 'string') return isNumber(b, a)
  if (typeof b === 'number' && typeof a === 'string') return isNumber(a, b)
  return canonical(a) === canonical(b)
}

function isNumber(text: string, value: number): boolean {
  return text.trim() !== '' && Number(text) === value
}

function canonical(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFKC').trim().toLowerCase())
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join(',')}]`
  const entries = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`)
  return `{${entries.sort().join(',')}}`
}

const MEASURE = /^[^\p{L}\p{N}]*\p{N}[\p{N}.,:/ -]*(?:[^\p{L}\p{N}]?\p{L}{1,8}(?:\/\p{L}{1,8})?|%)?$/u
const DATE = /^\p{N}{1,4}\S*(?: \S+){0,3}$/u

/** A number, with or without a unit, a date or a truth value: such values change while the thing stays the same. */
export function isMeasure(value: Json | undefined): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true
  return typeof value === 'string' && (MEASURE.test(value.trim()) || DATE.test(value.trim()))
}
