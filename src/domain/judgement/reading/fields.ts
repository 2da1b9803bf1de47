import { termsOf } from './terms.js'

/** How two records are related, by their fields. */
type FieldVerdict =
  /** The same field of the same record, with another value. */
  | 'changed'
  /** The same record, by the fields that both have. */
  | 'same'
  /** The same answer to the same question. */
  | 'answered'
  /** A field that identifies the thing differs. */
  | 'other'
  /** Their fields do not tell. */
  | 'open'

/** The role of a field in its record. */
type FieldRole =
  /** Says which one of several things the record is about. */
  | 'identity'
  /** Says in free words what the record is about: the same words mean the same thing, other words need not mean another. */
  | 'topic'
  /** The single value that the record gives for its topic or identity. */
  | 'answer'
  /** Says of what sort the thing is, or whose, which many things share. */
  | 'sort'
  /** A text: two records that both have the field need not be about one thing. */
  | 'text'
  /** Any other property of the thing. */
  | 'attribute'

export interface Field {
  /** In lower case. */
  readonly value: string
  readonly role: FieldRole
  /** How many of its words tell something, without numbers and the like; infinite for a text. */
  readonly words: number
}

export type Fields = ReadonlyMap<string, Field>

/** Last words of the names of identity fields. */
const IDENTITY =
  /(?:^|[._ -])(?:id|key|name|title|task|ticket|issue|item|line|step|stage|phase|shift|meter|metric|service|config|host|server|person|user|customer|client|project|path|file|url|command|test|chore|deadline|invoice|order|product|type|kind|env|environment|date|at|entity|subject|attribute|property|predicate|relation|setting|parameter|option|variable)$/u

/** The identity fields that name an attribute of the thing. */
const ATTRIBUTE = /(?:^|[._ -])(?:attribute|property|predicate|relation|setting|parameter|option|variable)$/u

/** The identity fields that only name a sort. */
const SORT = /(?:^|[._ -])(?:type|kind)$/u

const SORTS = new Set(
  'category tag tags label labels area source origin author language lang confidence importance'.split(' '),
)

const TOPICS = new Set('topic question preference about'.split(' '))

/** In a record with an identity but no topic, only the first of these is an answer. */
const ANSWERS = ['value', 'decision', 'answer', 'choice']

/** Fields that announce a sentence, however short. */
const ANNOUNCING = new Set(
  `data text value content message note summary description fact body observation decision reason problem cause fix
  correction comment detail details preference rule lesson learning insight finding statement claim memory remark info
  reminder update warning hint tip log entry todo remember learned error`.split(/\s+/),
)

/** A value has at most this many telling words. */
const MAX_VALUE_WORDS = 4
/** Words of longer texts are not counted. */
const MAX_CHARACTERS = 60
/** An answer about a named attribute has at most this many; one about a topic, which may be a person, has one. */
const MAX_ANSWER_WORDS = 3

/** The fields of one record, by key; nested objects are records of their own. */
export function fieldsOf(record: ReadonlyMap<string, string>): Map<string, Field> {
  const names = [...record.keys()].map((key) => key.toLowerCase())
  const longest = names.some((name) => ATTRIBUTE.test(name)) ? MAX_ANSWER_WORDS : 1
  const isNamed = names.some((name) => IDENTITY.test(name) && !SORT.test(name))
  const known = names.some((name) => TOPICS.has(name)) ? ANSWERS : isNamed ? ANSWERS.slice(0, 1) : []
  const isAnswer = (name: string) => known.includes(name)
  const roleOf = (name: string, words: number): FieldRole => {
    if (isAnswer(name) && words <= longest) return 'answer'
    if (TOPICS.has(name) && names.some(isAnswer)) return 'topic'
    if (SORTS.has(name)) return 'sort'
    if (IDENTITY.test(name)) return 'identity'
    return words > MAX_VALUE_WORDS || ANNOUNCING.has(name) ? 'text' : 'attribute'
  }
  return new Map(
    [...record].map(([key, text]) => {
      const name = key.toLowerCase()
      const words = ANNOUNCING.has(name) && !isAnswer(name) ? Number.POSITIVE_INFINITY : wordsIn(text)
      return [key, { value: text.toLowerCase(), role: roleOf(name, words), words }]
    }),
  )
}

/** Does a field say in free words what a record is about? Another record may say it in a sentence. */
export function isTopic(key: string, { role }: Field): boolean {
  return role === 'topic' || (role === 'identity' && ATTRIBUTE.test(key.toLowerCase()))
}

function wordsIn(text: string): number {
  if (text.length > MAX_CHARACTERS) return Number.POSITIVE_INFINITY
  return termsOf(text).filter(({ kind }) => kind === 'word' || kind === 'name').length
}

/** A word before a colon that only announces what follows. */
export function isAnnouncing(word: string): boolean {
  return ANNOUNCING.has(word)
}

export function compareFields(a: Fields, b: Fields): FieldVerdict {
  let equal = 0
  let changed = 0
  let phrases = 0
  let identified = false
  let answers = 0
  let otherAnswers = 0
  let hasText = false
  for (const [name, field] of a) {
    const { value, role } = field
    const other = b.get(name)
    if (other === undefined || role === 'sort') continue
    if (role !== other.role || role === 'text') hasText = true
    else if (role === 'identity' || role === 'topic') {
      if (value === other.value) identified ||= !SORT.test(name)
      else if (role === 'identity') return 'other'
    } else if (role === 'answer') {
      answers++
      if (value !== other.value) otherAnswers++
    } else {
      if (value === other.value) equal++
      else {
        changed++
        if (areOtherPhrases(field, other)) phrases++
      }
    }
  }
  // Answers are comparable only if both have the same identity or topic.
  if (answers > 0) return !identified ? 'other' : otherAnswers > 0 ? 'changed' : 'answered'
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

/** Do two records about the same thing differ in a field that both have? */
export function fieldChanged(a: Fields, b: Fields): boolean {
  const verdict = compareFields(a, b)
  return (verdict === 'same' || verdict === 'changed') && haveOtherValues(a, b)
}

/** Do two records differ in a field that both have, apart from texts? */
export function haveOtherValues(a: Fields, b: Fields): boolean {
  for (const [name, { value, role }] of a) {
    const other = b.get(name)
    if (other === undefined || role === 'sort' || role === 'text' || other.role === 'text') continue
    if (other.value !== value) return true
  }
  return false
}
