import { type Term, termsOf } from './terms.js'

/** What a text says to have changed: `CI was migrated from CircleCI to GitHub Actions`. */
export interface Announced {
  /** The stems of what it speaks of. */
  readonly subject: ReadonlySet<string>
  /** The last word of what it speaks of, before anything that says which one: `lunch` in `the school lunch for 7B`. */
  readonly head: string
  /** Whose it is: `my`, `their`; the empty word where it does not say so. */
  readonly whose: string
  readonly became: Became
  /** What was so until now, if it says so. */
  readonly from: readonly Term[]
  /** What is so from now on; empty where it is told by what it took the place of. */
  readonly to: readonly Term[]
}

/** What became of a thing; `now` where it is only said how it is. */
export type Became = 'renamed' | 'rewritten' | 'moved' | 'migrated' | 'upgraded' | 'counted' | 'taken' | 'now'

/**
 * What the first clause of a text announces; undefined if nothing, or if it only asks for a change, denies it or makes it
 * depend on something.
 */
export function announcedIn(clause: string): Announced | undefined {
  if (clause.length > LONGEST_CLAUSE || !SIGN.test(clause) || UNREAL.test(clause)) return undefined
  const plain = clause.replace(FURTHER, '')
  for (const [became, form] of FORMS) {
    const { subject, from = '', to = '' } = form.exec(plain)?.groups ?? {}
    if (subject === undefined) continue
    const about = termsOf(subject).filter((term) => term.weight > 0 && !PROPERTIES.has(term.word))
    const head = termsOf(subject.split(WHICH, 1)[0] ?? '').findLast(saysWhat)
    if (head === undefined || !about.some(saysWhat)) return undefined
    return {
      subject: new Set(about.map(({ stem }) => stem)),
      head: head.stem,
      whose: whoseIn(subject),
      became,
      from: termsOf(from).filter(({ weight }) => weight > 0),
      to: lastOf(termsOf(plain), to).filter(({ weight }) => weight > 0),
    }
  }
  return undefined
}

/** A longer clause says more than one thing. */
export const LONGEST_CLAUSE = 240
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

const WHOSE = /\b(?:my|your|his|her|their|our|other)\b|(?<!\p{L})\p{L}+['’]s\b/giu

/** Whose a clause says that something is; what is ours is told without saying so as well. */
export function whoseIn(text: string): string {
  return (text.toLowerCase().match(WHOSE) ?? []).filter((word) => word !== 'our').join(' ')
}

const VERBS: Readonly<Record<Exclude<Became, 'taken' | 'now'>, string>> = {
  renamed: 'renamed',
  rewritten: 'rewritten',
  moved: 'moved|relocated|postponed|rescheduled|brought forward',
  migrated: 'migrated|switched',
  upgraded: 'upgraded|downgraded|updated|bumped',
  counted: 'raised|increased|lowered|reduced|cut|shortened|extended|changed|shrunk|scaled|grown',
}
const HAS = '(?:(?:is|are|was|were|has|have|had|been|got|now|just|finally|recently|meanwhile) )*'
const FORMS: readonly (readonly [Became, RegExp])[] = [
  ...Object.entries(VERBS).flatMap(([became, verbs]) => {
    const into = became === 'rewritten' ? 'in' : '(?:to|into|onto)'
    const change = `(?:from (?<from>.{1,60}?) )?(?:over )?${into} (?<to>.{1,60})$`
    return [
      /** `We raised the rate limit to 250`, `Jonas has moved the standup to 10:00`. */
      String.raw`^(?:(?:the|our|my) )??(?:\p{L}+ ){0,3}?${HAS}(?:${verbs}) (?!(?:from|to|into|onto|over|in|by|for|with)\b)(?<subject>.{1,60}?) ${change}`,
      /** `The standup was moved to 10:00`, `The standup has moved to 10:00`. */
      `^(?<subject>.{1,80}?) ${HAS}(?:${verbs}) ${change}`,
    ].map((form) => [became as Became, new RegExp(form, 'iu')] as const)
  }),
  /** `Tomas took over the billing service from Priya`. */
  ['taken', /^.{1,40}? (?:has taken|took|takes) over (?<subject>.{1,60}?) from (?<from>.{1,40})$/iu],
  /** `We replaced Algolia with Meilisearch for the search`. */
  [
    'taken',
    /^(?:(?:we|they|i) )?(?:have )?replaced (?<from>.{1,40}?) with .{1,40}? (?:for|in) (?<subject>.{1,60})$/iu,
  ],
  /** `Google Places was replaced by Loqate for the address lookup`. */
  [
    'taken',
    new RegExp(
      `^(?<from>.{1,40}?) ${HAS}replaced (?:by|with) .{1,40}? (?:for|in) (?<subject>.{1,60})$`,
      'iu',
    ),
  ],
  /** `Redis now listens on 6390`. */
  ['now', /^(?<subject>.{1,80}?) now (?<to>\p{L}+ .{1,60})$/iu],
]
const SIGN = new RegExp(String.raw`\b(?:now|over|replaced|${Object.values(VERBS).join('|')})\b`, 'iu')
/** Nothing has changed by a question, a plan or a condition, nor by what did not happen. */
const UNREAL =
  /^(?:is|are|was|were|do|does|did|has|have|had|who|what|when|where|which|why|how)\b|\b(?:can|could|should|shall|may|might|must|will|would|if|once|unless|until|when|whether|before|not|no|never|nobody|none|neither|nothing|cannot|almost|nearly|hardly|plan|plans|planned|propose|proposed|want|wants|wanted|asked)\b|n['’]t\b/iu
const MONTH = 'january|february|march|april|may|june|july|august|september|october|november|december'
/** What follows says something else, or when: `and added a second node`, `last week`. */
const FURTHER = new RegExp(
  String.raw` (?:(?:and|but|because|since|after|so|as|while) .*|(?:last|this) (?:week|month|year|morning|night)|yesterday|today|now|in (?:${MONTH}|20\d\d))$`,
  'iu',
)
/** What follows says which one it is. */
const WHICH = / (?:in|on|at|for|of|with|to|from|by) /iu
/** They say of what kind something is, and are often left out: `membership costs 180`, `the membership fee was raised`. */
const PROPERTIES = new Set('fee price cost setting threshold size amount level'.split(' '))
