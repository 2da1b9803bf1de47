import type { Overlap } from './overlap.js'
import { fieldChanged } from './reading/fields.js'
import type { Part, Reading } from './reading/reading.js'
import { isTelling, type Term } from './reading/terms.js'

/** Words that turn a statement round. */
const NEGATIONS = new Set(
  `not no never none nobody nothing neither nor without cannot instead statt anstatt nicht kein keine keinen keiner nie niemals ohne pas jamais
  sans nunca sin ない ません なし ず`.split(/\s+/),
)
/** Pairs of function words; with the other one of a pair a statement says the opposite. */
const OPPOSITES = new Map(
  'on off/up down/before after/above below/over under/more less/always never/with without/an aus/vor nach/auf ab'
    .split('/')
    .map((pair) => pair.split(' '))
    .flatMap(([one = '', other = '']) => [
      [one, other],
      [other, one],
    ]),
)

/**
 * Does one of two parts say nothing that the other does not say, in the same sense? A part with a further name or value says
 * something else: "back to MySQL, PostgreSQL was too slow" does not agree with "PostgreSQL". For a heading the whole text
 * counts: "office: Berlin" does not agree with "office: Hamburg".
 */
export function inAgreement(a: Reading, b: Reading, { parts }: Overlap): boolean {
  const [p, q] = [saidBy(parts[0], a), saidBy(parts[1], b)]
  if (fieldChanged(a.fields, b.fields) || isNegated(p) !== isNegated(q) || areOpposite(p, q)) return false
  return (isHeld(p, q) && namesNoMore(q, p)) || (isHeld(q, p) && namesNoMore(p, q))
}

/** A single shared word proves no denial: other texts deny it too, or name it as former. */
const MIN_SHARED = 2

/** Does one of two parts have all words of the other, and deny it? `No dogs in the garden` denies `Dogs may run in the garden`. */
export function isDenied({ parts: [p, q], shareOfOne }: Overlap): boolean {
  if (shareOfOne < 1 || isNegated(p) === isNegated(q)) return false
  return sharedBy(p, q) >= MIN_SHARED && (denies(p, q) || denies(q, p))
}

/** Does a word of the other part follow a negation? Otherwise the negation may be about something else. */
function denies({ terms }: Part, { telling }: Part): boolean {
  return terms.some(({ stem }, at) => {
    if (!NEGATIONS.has(stem)) return false
    const next = terms.slice(at + 1).find(isTelling)
    return next !== undefined && telling.has(next.stem)
  })
}

/** How many terms other than values two parts have in common. */
function sharedBy(p: Part, q: Part): number {
  const isPlain = (term: Term | undefined) =>
    term !== undefined && term.kind !== 'value' && term.weight >= 0.5
  return [...p.telling].filter(([stem, term]) => isPlain(term) && isPlain(q.telling.get(stem))).length
}

/** A heading or a topic says nothing by itself. */
function saidBy(part: Part, { whole }: Reading): Part {
  return part.place === 'heading' || part.place === 'topic' ? whole : part
}

function namesNoMore({ telling }: Part, than: Part): boolean {
  for (const { kind, stem } of telling.values())
    if ((kind === 'name' || kind === 'value') && !than.telling.has(stem)) return false
  return true
}

/** Do two texts say the same, apart from words that tell nothing? */
export function sameWords(a: Part, b: Part): boolean {
  const mine = a.terms.filter(isTelling)
  const theirs = b.terms.filter(isTelling)
  const areTheSame = mine.length === theirs.length && mine.every(({ stem }, i) => stem === theirs[i]?.stem)
  return areTheSame && isNegated(a) === isNegated(b) && !areOpposite(a, b)
}

/**
 * Are all terms of `p` in `q`, as often (`the main branch is called main` says more than `the main branch is called master`),
 * and names and values in the same order? From A to B is not from B to A.
 */
function isHeld(p: Part, q: Part): boolean {
  const left = new Map<string, number>()
  for (const { stem } of q.terms) left.set(stem, (left.get(stem) ?? 0) + 1)
  for (const { stem } of p.terms.filter(isTelling)) {
    const count = left.get(stem) ?? 0
    if (count === 0) return false
    left.set(stem, count - 1)
  }
  let at = 0
  const order = [...q.telling.keys()]
  for (const { kind, stem } of p.telling.values()) {
    if (kind !== 'name' && kind !== 'value') continue
    const found = order.indexOf(stem, at)
    if (found === -1) return false
    at = found + 1
  }
  return true
}

/** Has a part an odd number of negations? */
function isNegated({ terms }: Part): boolean {
  const negations = terms.filter(({ stem }, at) => NEGATIONS.has(stem) || isGone(terms, at))
  return negations.length % 2 === 1
}

/** `Yarn is gone` denies yarn; `the milk has gone sour` denies nothing. */
function isGone(terms: readonly Term[], at: number): boolean {
  return terms[at]?.word === 'gone' && IS.has(terms[at - 1]?.word ?? '') && at === terms.length - 1
}

const IS = new Set(['is', 'are'])

function areOpposite(p: Part, q: Part): boolean {
  return hasOpposite(p, q) || hasOpposite(q, p)
}

function hasOpposite(p: Part, q: Part): boolean {
  const mine = new Set(p.terms.map(({ stem }) => stem))
  const theirs = new Set(q.terms.map(({ stem }) => stem))
  for (const stem of mine) {
    const opposite = OPPOSITES.get(stem)
    if (opposite !== undefined && theirs.has(opposite) && !mine.has(opposite) && !theirs.has(stem))
      return true
  }
  return false
}
