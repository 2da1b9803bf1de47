import { isNegated } from './agreement.js'
import { type Announced, LONGEST_CLAUSE, lastOf, saysWhat, whoseIn } from './reading/announced.js'
import type { Part } from './reading/reading.js'
import { type Term, termsOf } from './reading/terms.js'

/**
 * Does a text announce that what another says has changed, which is all that it says of its subject? `CI was migrated to
 * GitHub Actions` leaves nothing of `CI runs on CircleCI`, and all of `CI takes 14 minutes`.
 */
export function isOutOfDate(clause: Part, change: Announced): boolean {
  const { text, terms, telling } = clause
  if (text.length > LONGEST_CLAUSE || isNegated(clause) || whoseIn(text) !== change.whose) return false
  if (![...change.subject].every((stem) => telling.has(stem))) return false
  if (change.from.length > 0) return wasFormer(terms, change)
  if (change.became === 'upgraded') return hadOtherVersion(terms, change)
  if (change.became === 'counted') return hadOtherAmount(terms, change)
  if (change.to.some(isValue)) return change.became === 'moved' && hadOtherTime(terms, change)
  return hadOtherName(text, terms, change)
}

/** Is a text about something else than what is announced? Where only `now` says that it changed, its head is enough. */
export function isOfAnother({ subject, head, became }: Announced, telling: Part['telling']): boolean {
  return !(became === 'now' ? [head] : [...subject]).every((stem) => telling.has(stem))
}

/** What somebody does with what is his, and what is done for something by what serves it. */
const HOLDS = stemsOf(
  termsOf(
    'owns leads manages maintains teaches coaches drives handles processes handled processed managed hosted',
  ),
)

/** It says what was so until now, and nothing else: `Payments are processed by Stripe`, `Priya owns the billing service`. */
function wasFormer(terms: readonly Term[], { subject, from, to }: Announced): boolean {
  const said = stemsOf(terms)
  if (!from.every(({ stem }) => said.has(stem)) || to.some(({ stem }) => said.has(stem))) return false
  return restOf(terms, subject, stemsOf(from), HOLDS, LINKS).length === 0
}

const LINKS = stemsOf(termsOf('runs uses costs takes lasts expires needs allows starts happens'))

/** It has one number, of the same unit: `CI takes 14 minutes`, `CI was cut to 9 minutes`. */
function hadOtherAmount(terms: readonly Term[], { subject, to }: Announced): boolean {
  const [value, unit, ...more] = to
  if (value?.kind !== 'value' || unit === undefined || more.some(isValue)) return false
  const at = terms.findIndex(isValue)
  const rest = restOf(terms, subject, stemsOf(to), LINKS).filter((term) => term !== terms[at])
  return terms[at]?.stem !== value.stem && terms[at + 1]?.stem === unit.stem && rest.length === 0
}

/** It has the same thing with another number: `The API uses Node 18`, `Upgraded the API to Node 22`. */
function hadOtherVersion(terms: readonly Term[], { subject, head, to }: Announced): boolean {
  const version = to.at(-1)
  const thing = to.length > 1 ? to[0]?.stem : head
  if (version?.kind !== 'value' || to.length > 2) return false
  const at = terms.findIndex(({ stem }) => stem === thing)
  const former = terms[at + 1]
  if (at < 0 || former?.kind !== 'value' || former.stem === version.stem) return false
  return restOf(terms, subject, stemsOf([...to, former]), LINKS).length === 0
}

const CLOCK = /^\p{N}{1,2}:\p{N}{2}$/u
const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/u

/** It has one time of the same kind, of the clock or of the week. */
function hadOtherTime(terms: readonly Term[], { subject, to }: Announced): boolean {
  const [time, ...more] = to
  const [former, ...others] = restOf(terms, subject, LINKS)
  if (time === undefined || former === undefined || more.length > 0 || others.length > 0) return false
  return [CLOCK, WEEKDAY].some((kind) => kind.test(time.word) && kind.test(former.word))
}

const IS = '(?:is|are|was|were)'
const said = (link: string) => new RegExp(`^(.{1,80}?) ${link} (.{1,60})$`, 'iu')
const KEPT = `(?:(?:sits?|lies|hangs?|${IS} (?:stored|kept|saved|filed|archived)) (?:in|on|under|behind|next to)|${IS} (?:under|behind|next to))`
/** How it is told what a thing is called, what it is written in, where it is kept, or on what it runs. */
const TOLD: Readonly<Partial<Record<Announced['became'], RegExp>>> = {
  renamed: said(`${IS} (?:called|named)`),
  rewritten: said(`${IS} written in`),
  moved: said(KEPT),
  migrated: said(`(?:runs? on|${IS} hosted on|${KEPT})`),
}
const MOST_NAMED = 5

/** It says only that, and of a name only that it is another. */
function hadOtherName(text: string, terms: readonly Term[], { subject, became, to }: Announced): boolean {
  const [, before, end] = TOLD[became]?.exec(text) ?? []
  if (before === undefined || end === undefined) return false
  const former = lastOf(terms, end).filter(({ weight }) => weight > 0)
  if (former.length > MOST_NAMED || to.length > MOST_NAMED) return false
  if (restOf(termsOf(before), subject).length > 0 || restOf(former, stemsOf(to)).length === 0) return false
  if (became === 'moved' || became === 'renamed') return !former.some(isValue)
  return [...former, ...to].every(({ kind }) => kind !== 'word')
}

/** What is said beside these. */
function restOf(terms: readonly Term[], ...known: readonly ReadonlySet<string>[]): Term[] {
  return terms.filter(
    (term) => (isValue(term) || saysWhat(term)) && !known.some((stems) => stems.has(term.stem)),
  )
}

function isValue({ kind }: Term): boolean {
  return kind === 'value'
}

function stemsOf(terms: readonly Term[]): ReadonlySet<string> {
  return new Set(terms.map(({ stem }) => stem))
}
