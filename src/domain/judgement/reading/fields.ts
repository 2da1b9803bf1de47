import { termsOf } from './terms.js'

/** What two records have to do with each other by their fields. */
export type FieldVerdict =
  /** The same field of the same record, with another value. */
  | 'changed'
  /** The same record, as far as its fields tell. */
  | 'same'
  /** The same answer to the same question. */
  | 'answered'
  /** A field that says which thing it is differs. */
  | 'other'
  /** Their fields do not tell. */
  | 'open'

/** What a field does for its record. */
export type FieldRole =
  /** Says which one of several things it is about. */
  | 'identity'
  /** Says what it is about, in words of its own: the same words mean the same, others need not mean another. */
  | 'topic'
  /** Says how it is with that: a single value. */
  | 'answer'
  /** Says of what sort it is, or whose it is: many things are. */
  | 'sort'
  /** Is a text, so that two records that both have it need not have a thing in common. */
  | 'text'
  /** Says something of the thing. */
  | 'attribute'

export interface Field {
  /** In lower case. */
  readonly value: string
  readonly role: FieldRole
  /** How many words of it tell something, numbers and the like aside; of a text, endless. */
  readonly words: number
}

export type Fields = ReadonlyMap<string, Field>

/** The last word of a field's name that says which one of several things a record is about. */
const IDENTITY =
  /(?:^|[._ -])(?:id|key|name|title|task|ticket|issue|item|line|step|stage|phase|shift|meter|metric|service|config|host|server|person|user|customer|client|project|path|file|url|command|test|chore|deadline|invoice|order|product|type|kind|env|environment|date|at|entity|subject|attribute|property|predicate|relation|setting|parameter|option|variable)$/u

/** Those of them that name an attribute of the thing. */
const ATTRIBUTE = /(?:^|[._ -])(?:attribute|property|predicate|relation|setting|parameter|option|variable)$/u

/** Those of them that only say of what sort a record is. */
const SORT = /(?:^|[._ -])(?:type|kind)$/u

const SORTS = new Set(
  'category tag tags label labels area source origin author language lang confidence importance'.split(' '),
)

const TOPICS = new Set('topic question preference about'.split(' '))

/** Where a name is all that says what a record is about, only the first of them is an answer. */
const ANSWERS = ['value', 'decision', 'answer', 'choice']

/** Fields that announce a sentence, however short. */
const ANNOUNCING = new Set(
  `data text value content message note summary description fact body observation decision reason problem cause fix
  correction comment detail details preference rule lesson learning insight finding statement claim memory remark info
  reminder update warning hint tip log entry todo remember learned error`.split(/\s+/),
)

/** A value has no more words than this that tell something. */
const LONGEST_VALUE = 4
/** Longer texts are not looked at. */
const MOST_CHARACTERS = 60
/** Nor has the answer about an attribute that is named; that about a topic, which may be a person, has one. */
const LONGEST_ANSWER = 3

/** The fields of one record, by key; nested ones are records of their own. */
export function fieldsOf(record: ReadonlyMap<string, string>): Map<string, Field> {
  const names = [...record.keys()].map((key) => key.toLowerCase())
  const longest = names.some((name) => ATTRIBUTE.test(name)) ? LONGEST_ANSWER : 1
  const isNamed = names.some((name) => IDENTITY.test(name) && !SORT.test(name))
  const known = names.some((name) => TOPICS.has(name)) ? ANSWERS : isNamed ? ANSWERS.slice(0, 1) : []
  const isAnswer = (name: string) => known.includes(name)
  const roleOf = (name: string, words: number): FieldRole => {
    if (isAnswer(name) && words <= longest) return 'answer'
    if (TOPICS.has(name) && names.some(isAnswer)) return 'topic'
    if (SORTS.has(name)) return 'sort'
    if (IDENTITY.test(name)) return 'identity'
    return words > LONGEST_VALUE || ANNOUNCING.has(name) ? 'text' : 'attribute'
  }
  return new Map(
    [...record].map(([key, text]) => {
      const name = key.toLowerCase()
      const words = ANNOUNCING.has(name) && !isAnswer(name) ? Number.POSITIVE_INFINITY : wordsIn(text)
      return [key, { value: text.toLowerCase(), role: roleOf(name, words), words }]
    }),
  )
}

/** Does a field say in words of its own what a record is about? Others may say the same in a sentence. */
export function isTopic(key: string, { role }: Field): boolean {
  return role === 'topic' || (role === 'identity' && ATTRIBUTE.test(key.toLowerCase()))
}

function wordsIn(text: string): number {
  if (text.length > MOST_CHARACTERS) return Number.POSITIVE_INFINITY
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
  let tell = false
  for (const [name, field] of a) {
    const { value, role } = field
    const other = b.get(name)
    if (other === undefined || role === 'sort') continue
    if (role !== other.role || role === 'text') tell = true
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
  // The same answer to two questions, or another one to each, is of two things.
  if (answers > 0) return !identified ? 'other' : otherAnswers > 0 ? 'changed' : 'answered'
  // Beside sentences of their own, fields may only say who said it or when.
  if (tell) return 'open'
  // Where several fields changed and none stayed, or one that is no single value, these may be two things of one kind.
  if (changed > 0 && (identified || (changed === 1 && phrases === 0) || (equal > 0 && equal >= changed)))
    return 'changed'
  return identified || (equal > 0 && changed === 0) ? 'same' : 'open'
}

function areOtherPhrases(a: Field, b: Field): boolean {
  if (a.words < 2 || b.words < 2) return false
  const mine = new Set(a.value.split(/\s+/u))
  return !b.value.split(/\s+/u).some((word) => mine.has(word))
}

/** Has a field that both have another value, although they are about the same thing? */
export function fieldChanged(a: Fields, b: Fields): boolean {
  const verdict = compareFields(a, b)
  return (verdict === 'same' || verdict === 'changed') && haveOtherValues(a, b)
}

export interface ChangedField {
  readonly values: readonly [string, string]
  readonly isText: boolean
}

/** The fields of two records with the same fields that have another value; none if they are of different things. */
export function changedFields(a: Fields, b: Fields): ChangedField[] {
  if (a.size !== b.size || compareFields(a, b) === 'other') return []
  const changed: ChangedField[] = []
  for (const [name, { value, role }] of a) {
    const other = b.get(name)
    if (other === undefined) return []
    const isText = role === 'text' || other.role === 'text'
    if (other.value !== value) changed.push({ values: [value, other.value], isText })
  }
  return changed
}

/** Does a field of both, but for texts, hold another value in each? */
export function haveOtherValues(a: Fields, b: Fields): boolean {
  for (const [name, { value, role }] of a) {
    const other = b.get(name)
    if (other === undefined || role === 'sort' || role === 'text' || other.role === 'text') continue
    if (other.value !== value) return true
  }
  return false
}
