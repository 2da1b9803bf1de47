import { type Term, termsOf } from './terms.js'

/** What a clause says to have changed: `CI was migrated from CircleCI to GitHub Actions`. */
export interface Announced {
  /** The stems of what it speaks of, in reading order. */
  readonly subject: ReadonlySet<string>
  readonly became: Became
  /** What was so until now, if it says so. */
  readonly from: readonly Term[]
  /** What is so from now on; empty where it is told by what it took the place of. */
  readonly to: readonly Term[]
}

/** What became of a thing; `now` where it is only said how it is. */
export type Became = keyof typeof VERBS

const VERBS = {
  renamed: 'renamed',
  rewritten: 'rewritten|ported|converted',
  moved: 'moved|relocated',
  switched: 'switched|migrated',
  counted:
    'upgraded|downgraded|updated|raised|increased|lowered|reduced|cut|bumped|shortened|extended|changed|shrunk|scaled|grown|postponed|rescheduled|brought forward',
  taken: 'took over|takes over|has taken over',
  replaced: 'replaced',
  now: 'now',
} as const
const KINDS = Object.keys(VERBS) as Became[]

const oneOf = (...kinds: readonly Became[]) => kinds.map((kind) => `(?<${kind}>${VERBS[kind]})`).join('|')
const CHANGED = `(?:${oneOf('renamed', 'rewritten', 'moved', 'switched', 'counted')})`
const HAS = '(?:(?:is|are|was|were|has|have|had|been|got|now|just|finally|recently|meanwhile) )*'
const FROM_TO = '(?:from (?<from>.{1,60}?) )?(?:over )?(?:to|in|into|onto) (?<to>.{1,60})$'
const FORMS = [
  /** `We raised the rate limit to 250`, `Jonas has moved the standup to 10:00`. */
  String.raw`^(?:(?:the|our|my) )??(?:\p{L}+ ){0,3}?${HAS}${CHANGED} (?!from\b|to\b|over\b|in\b)(?<subject>.{1,60}?) ${FROM_TO}`,
  /** `The standup was moved to 10:00`, `The standup has moved to 10:00`. */
  `^(?<subject>.{1,80}?) ${HAS}${CHANGED} ${FROM_TO}`,
  /** `Tomas took over the billing service from Priya`. */
  `^.{1,40}? ${oneOf('taken')} (?<subject>.{1,60}?) from (?<from>.{1,40})$`,
  /** `We replaced Algolia with Meilisearch for the search`, `Google Places was replaced by Loqate for the address lookup`. */
  `^(?:(?:we|they|i) )?(?:have )?${oneOf('replaced')} (?<from>.{1,40}?) with .{1,40}? (?:for|in) (?<subject>.{1,60})$`,
  `^(?<from>.{1,40}?) ${HAS}${oneOf('replaced')} (?:by|with) .{1,40}? (?:for|in) (?<subject>.{1,60})$`,
  /** `Redis now listens on 6390`. */
  String.raw`^(?<subject>.{1,80}?) ${oneOf('now')} (?<to>\p{L}+ .{1,60})$`,
].map((form) => new RegExp(form, 'iu'))
const SIGN = new RegExp(String.raw`\b(?:${Object.values(VERBS).join('|')})\b`, 'iu')
const MONTH = 'january|february|march|april|may|june|july|august|september|october|november|december'
/** What follows says something else, or when: `and added a second node`, `last week`. */
const FURTHER = new RegExp(
  String.raw` (?:(?:and|but|because|since|after|so|as|while) .*|(?:last|this) (?:week|month|year|morning|night)|yesterday|today|now|in (?:${MONTH}|20\d\d))$`,
  'iu',
)
const NOT = /\b(?:not|no|never|cannot)\b|n['’]t\b/iu
/** They say of what kind something is, and are often left out: `membership costs 180`, `the membership fee was raised`. */
const PROPERTIES = new Set('fee price cost setting threshold limit size amount level job'.split(' '))
/** A longer clause says more than one thing. */
export const LONGEST_CLAUSE = 240

/** What a clause announces; undefined if nothing, or if it denies something. */
export function announcedIn(clause: string): Announced | undefined {
  if (clause.length > LONGEST_CLAUSE || !SIGN.test(clause) || isNegative(clause)) return undefined
  const plain = clause.replace(/\s+/gu, ' ').replace(FURTHER, '')
  for (const form of FORMS) {
    const groups = form.exec(plain)?.groups
    const became = KINDS.find((kind) => groups?.[kind] !== undefined)
    const { subject = '', from = '', to = '' } = groups ?? {}
    if (became === undefined) continue
    const about = termsOf(subject).filter((term) => term.weight > 0 && !PROPERTIES.has(term.word))
    if (!about.some(saysWhat)) return undefined
    return {
      subject: new Set(about.map(({ stem }) => stem)),
      became,
      from: termsOf(from).filter(({ weight }) => weight > 0),
      to: lastOf(termsOf(plain), to).filter(({ weight }) => weight > 0),
    }
  }
  return undefined
}

export function isNegative(clause: string): boolean {
  return NOT.test(clause)
}

/** The least weight of a word or a name that says of what a text speaks: `time` does not. */
const SAYS_WHAT = 0.5

export function saysWhat({ kind, weight }: Term): boolean {
  return kind !== 'value' && weight >= SAYS_WHAT
}

/** The terms of what a clause ends with: by itself its first word would begin a sentence, and a name is told by its capital. */
export function lastOf(terms: readonly Term[], end: string): Term[] {
  const count = termsOf(end).length
  return count === 0 ? [] : terms.slice(-count)
}
