import { termsOf } from './terms.js'

/** How two records are related, by their fields. */
type FieldVerdict =
  /** The same field of the same record, with another value. */
  | 'changed'
  /** The same record, by the fields that both have. */
  | 'same'
  /** A field that identifies the thing differs. */
  | 'other'
  /** Their fields leave it open. */
  | 'open'

/** The role of a field in its record. */
type FieldRole =
  /** Says which one of several things the record is about. */
  | 'identity'
  /** A text: two records that both have the field need not be about one thing. */
  | 'text'
  /** Any other property of the thing. */
  | 'attribute'

export interface Field {
  /** In lower case. */
  readonly value: string
  readonly role: FieldRole
  /** How many content words it has, without numbers and the like; infinite for a text. */
  readonly words: number
}

export type Fields = ReadonlyMap<string, Field>

/** Last words of the names of identity fields. */
const IDENTITY =
  /(?:^|[._ -])(?:id|key|name|title|task|ticket|issue|item|line|step|stage|phase|shift|meter|metric|service|config|host|server|person|user|customer|client|project|path|file|url|command|test|chore|deadline|invoice|order|product|type|kind|env|environment|date|at|entity|subject|attribute|property|predicate|relation|setting|parameter|option|variable)$/u

/** Fields that announce a sentence, however short. */
const ANNOUNCING = new Set(
  `data text value content message note summary description fact body observation decision reason problem cause fix
  correction comment detail details preference rule lesson learning insight finding statement claim memory remark info
  reminder update warning hint tip log entry todo remember learned error`.split(/\s+/),
)

/** A value has at most this many content words. */
const MAX_VALUE_WORDS = 4

/** A field of a record, by its key. */
export function toField(key: string, text: string): Field {
  const name = key.toLowerCase()
  const words = ANNOUNCING.has(name) ? Number.POSITIVE_INFINITY : wordsIn(text)
  const role = IDENTITY.test(name) ? 'identity' : words > MAX_VALUE_WORDS ? 'text' : 'attribute'
  return { value: text.toLowerCase(), role, words }
}

function wordsIn(text: string): number {
  return termsOf(text).filter(({ kind }) => kind === 'word' || kind === 'name').length
}

export function compareFields(a: Fields, b: Fields): FieldVerdict {
  let equal = 0
  let changed = 0
  let phrases = 0
  let identified = false
  let hasText = false
  for (const [name, field] of a) {
    const other = b.get(name)
    if (other === undefined) continue
    const isEqual = field.value === other.value
    if (field.role !== other.role || field.role === 'text') hasText = true
    else if (field.role === 'identity') {
      if (!isEqual) return 'other'
      identified = true
    } else if (isEqual) equal++
    else {
      changed++
      if (areOtherPhrases(field, other)) phrases++
    }
  }
  // In records with sentences, the other fields may only say who said it or when.
  if (hasText) return 'open'
  // If several fields changed and none stayed, or a phrase changed, these may be two things of one kind.
  if (changed > 0 && (identified || (changed === 1 && phrases === 0) || (equal > 0 && equal >= changed)))
    return 'changed'
  return identified || (equal > 0 && changed === 0) ? 'same' : 'open'
}

function areOtherPhrases(a: Field, b: Field): boolean {
  if (a.words < 2 || b.words < 2) return false
  const mine = new Set(a.value.split(/\s+/u))
  return !b.value.split(/\s+/u).some((word) => mine.has(word))
}
