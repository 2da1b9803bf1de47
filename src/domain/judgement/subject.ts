import type { Part, Reading } from './reading/reading.js'
import type { Term } from './reading/terms.js'

const ARTICLES = new Set(
  'the a an our my your his her their its this that der die das ein eine le la les un une el los las una'.split(
    ' ',
  ),
)
/** Words that continue a subject: `the price of milk`. */
const OF = new Set('of for von für des de du del の'.split(' '))

/** Words that continue a subject if the verb follows: `Deploys to staging are frozen`. */
const WITHIN = new Set('to in on at with from by'.split(' '))
const BE = new Set('is are was were has have'.split(' '))
/** In terms: how far ahead the verb is looked for. */
const REACH = 4

/**
 * Do two texts begin with different subjects? `The kitchen is closed on Mondays` and `The sauna is closed on Mondays` differ
 * only in their subject. `task 12` and `task 13` are different subjects, too.
 */
export function subjectsDiffer(a: Reading, b: Reading): boolean {
  if (isOfOther(a, b) || isOfOther(b, a)) return true
  const mine = subjectOf(a)
  const theirs = subjectOf(b)
  return (
    (lacks(mine, b.whole) && lacks(theirs, a.whole)) || (isOther(mine, b.whole) && isOther(theirs, a.whole))
  )
}

const ARTICLE = /^(?:the|our|my|a)\s+/iu
const OWNED = /^((?:[\p{L}\p{N}-]+\s+){0,2}[\p{L}\p{N}-]+)['’]s\s+([\p{L}-]+)/iu

/** Is the subject of `a` something that belongs to the subject of `b`? Anna's sister is not Anna. */
function isOfOther(a: Reading, b: Reading): boolean {
  const [, owner = '', owned = ''] = OWNED.exec(textOf(a).replace(ARTICLE, '')) ?? []
  if (owner === '') return false
  const beginning = textOf(b).replace(ARTICLE, '').toLowerCase()
  return (
    beginning.startsWith(`${owner.toLowerCase()} `) &&
    !b.whole.text.toLowerCase().includes(owned.toLowerCase())
  )
}

function textOf({ whole, parts }: Reading): string {
  return (parts[0] ?? whole).text
}

interface Subject {
  readonly terms: readonly Term[]
  /** A function word follows, so that a number at the end belongs to the subject. */
  readonly ends: boolean
}

function lacks({ terms }: Subject, other: Part): boolean {
  return terms.some(({ kind, stem }) => kind !== 'value' && !other.telling.has(stem))
}

const VERSION = /^v|\./u

/** Does the subject end with a number that the other text does not have? A version is a state, not part of a name. */
function isOther({ terms, ends }: Subject, other: Part): boolean {
  const last = terms.at(-1)
  return (
    ends &&
    terms.length > 1 &&
    last?.kind === 'value' &&
    !VERSION.test(last.stem) &&
    !other.telling.has(last.stem)
  )
}

/** The terms before the first function word; none if the text begins with one, such as `From` or `We`. */
function subjectOf({ whole, parts }: Reading): Subject {
  const { terms } = parts[0] ?? whole
  const subject: Term[] = []
  for (const [at, term] of terms.entries()) {
    if (term.kind !== 'filler') subject.push(term)
    else if (!continues(terms, at)) return { terms: subject, ends: true }
  }
  return { terms: subject, ends: false }
}

function continues(terms: readonly Term[], at: number): boolean {
  const { stem = '' } = terms[at] ?? {}
  const before = terms[at - 1]
  if (at > 0 && WITHIN.has(stem)) return terms.slice(at + 1, at + 1 + REACH).some(({ word }) => BE.has(word))
  return (
    OF.has(stem) ||
    (ARTICLES.has(stem) && (before === undefined || OF.has(before.stem) || WITHIN.has(before.stem)))
  )
}
