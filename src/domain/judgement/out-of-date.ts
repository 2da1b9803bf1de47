import {
  type Announced,
  type Became,
  isNegative,
  LONGEST_CLAUSE,
  lastOf,
  saysWhat,
} from './reading/announced.js'
import type { Part } from './reading/reading.js'
import { type Term, termsOf } from './reading/terms.js'

/**
 * Does a text announce that what a clause of another says has changed, which is all that the clause says? `CI was migrated
 * to GitHub Actions` leaves nothing of `CI runs on CircleCI`, and all of `CI takes 14 minutes`.
 */
export function isOutOfDate({ text, terms, telling }: Part, change: Announced): boolean {
  if (text.length > LONGEST_CLAUSE || isNegative(text)) return false
  if (![...change.subject].every((stem) => telling.has(stem))) return false
  if (change.from.length > 0) return wasFormer(terms, change)
  if (change.to.some(isValue)) return hadOtherValue(terms, change)
  return hadOtherName(text.replace(/\s+/gu, ' '), terms, change)
}

/** Is a text about something else than what is announced? Where it is said how something is now, its last word tells. */
export function isOfAnother({ subject, became }: Announced, telling: Part['telling']): boolean {
  const stems = became === 'now' ? [...subject].slice(-1) : [...subject]
  return !stems.every((stem) => telling.has(stem))
}

/** Words that join a value to what it is a value of, or say of what kind it is. */
const JOINING = stemsOf(
  termsOf(
    'uses runs listens set kept needs lasts expires starts takes stored hosted sent processed handled deployed managed built written url address port version name host domain',
  ),
)

/** What is said beside these. */
function restOf(terms: readonly Term[], ...known: readonly ReadonlySet<string>[]): Term[] {
  return terms.filter(
    (term) =>
      (isValue(term) || saysWhat(term)) &&
      !JOINING.has(term.stem) &&
      !known.some((stems) => stems.has(term.stem)),
  )
}

/** It says what was so until now, and one word more at most: `Payments are processed by Stripe`. */
function wasFormer(terms: readonly Term[], { subject, from }: Announced): boolean {
  const said = stemsOf(terms)
  const rest = restOf(terms, subject, stemsOf(from))
  return from.every(({ stem }) => said.has(stem)) && rest.length <= 1 && rest.every(saysWhat)
}

/** It has a single value, of the same kind as the new one. */
function hadOtherValue(terms: readonly Term[], { subject, to }: Announced): boolean {
  const [value, ...others] = to.filter(isValue)
  if (value === undefined || others.length > 0) return false
  if (restOf(to, stemsOf(terms)).some(saysWhat)) return false
  if (isRunning(terms, subject, value)) return true
  const [former, ...more] = restOf(terms, subject, stemsOf(to))
  if (former === undefined || more.length > 0 || !isValue(former)) return false
  return shapeOf(former) === shapeOf(value) && spans(terms) === spans(to)
}

const RUNS = new Set(['run', 'runs', 'use', 'uses'])

/** `Search runs on Meilisearch 1.6`: the version of what was upgraded, whatever runs on it. */
function isRunning(terms: readonly Term[], subject: ReadonlySet<string>, value: Term): boolean {
  const [thing, version] = terms.slice(-2)
  if (subject.size !== 1 || thing === undefined || version === undefined) return false
  const areVersions = [value, version].every((term) => shapeOf(term) === 'version')
  return areVersions && subject.has(thing.stem) && terms.some(({ word }) => RUNS.has(word))
}

const VERSION = /^v?\p{N}+(?:\.\p{N}+)+$|^v\p{N}/u
const SPAN = /^(?:millisecond|second|minut|hour|dai|week|month|year)$/u

function shapeOf({ stem }: Term): 'time' | 'version' | 'number' | 'word' {
  if (stem.includes(':')) return 'time'
  if (VERSION.test(stem)) return 'version'
  return /^\p{N}/u.test(stem) ? 'number' : 'word'
}

function spans(terms: readonly Term[]): boolean {
  return terms.some(({ stem }) => SPAN.test(stem))
}

const IS = '(?:is|are|was|were)'
const MADE = `(?:uses?|${IS} (?:written|built|made|based) (?:in|on|with|of))`
const WHERE = `(?:(?:runs?|lives?|go|goes|${IS}) (?:on|in|at|to)|${IS} (?:hosted|sent|processed|handled|stored|kept|deployed|managed|run) (?:in|on|by|with|to|at))`
/** There is but one such place, whatever it is called. */
const KEPT = `(?:(?:sits?|lies|hangs?|${IS} (?:stored|kept|hosted|saved|filed|located|archived)) (?:in|on|at|under|behind|next to)|${IS} (?:under|behind|next to))`
const said = (link: string) => new RegExp(`^(.{1,80}?) ${link} (.{1,60})$`, 'iu')
/** How it was told what a thing is called, what it is made of, or where it is, before that changed. */
const TOLD: Readonly<Partial<Record<Became, RegExp>>> = {
  renamed: said(`${IS}(?: called| named)?`),
  rewritten: said(MADE),
  moved: said(`(?:${KEPT}|${WHERE})`),
  switched: said(`(?:${KEPT}|${MADE}|${WHERE})`),
}
const IS_KEPT = said(KEPT)
/** A tool may be written without a capital. */
const USES = / uses? /iu
/** Somebody is moved to a team, a town or a desk. */
const SOMEBODY = /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)? (?:is|was) (?:in|on|at) /u
const MOST_NAMED = 5

/** It says what the thing is called, what it is made of or where it is, and nothing more. */
function hadOtherName(text: string, terms: readonly Term[], { subject, became, to }: Announced): boolean {
  const [, before, end] = TOLD[became]?.exec(text) ?? []
  if (before === undefined || end === undefined || SOMEBODY.test(text)) return false
  const named = lastOf(terms, end)
  const former = named.filter(({ weight }) => weight > 0)
  // `The shop is in Elm Street` does not say what it is called.
  if (became === 'renamed' && former.length < named.length) return false
  if (former.length > MOST_NAMED || to.length > MOST_NAMED) return false
  if (restOf(termsOf(before), subject).length > 0 || restOf(former, stemsOf(to)).length === 0) return false
  if ((became === 'moved' || became === 'switched') && IS_KEPT.test(text)) return true
  const areNames = (some: readonly Term[]) =>
    became === 'renamed' || some.every(({ kind }) => kind !== 'word')
  return areNames(to) && (areNames(former) || USES.test(text))
}

function isValue({ kind }: Term): boolean {
  return kind === 'value'
}

function stemsOf(terms: readonly Term[]): ReadonlySet<string> {
  return new Set(terms.map(({ stem }) => stem))
}
