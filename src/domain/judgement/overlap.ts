import { addTo } from '../groups.js'
import { isAnnouncing } from './reading/fields.js'
import type { Part, Reading } from './reading/reading.js'
import type { Term, TermKind } from './reading/terms.js'

/** How much two parts have in common. The same in both directions. */
export interface Overlap {
  readonly parts: readonly [Part, Part]
  /** 0..1: how much of the plain words of a part the other part has too; the larger of the two parts' shares. */
  readonly shareOfOne: number
  /** The smaller of the two shares. */
  readonly shareOfBoth: number
  /** How many values they have in common, at most two. */
  readonly values: number
  /** 1 if a value or a name changed beside a shared word; less if a value is where the other part has a name. */
  readonly slot: number
}

/** The two parts, one of each payload, that have most in common; undefined if no two parts share a word. */
export function bestOverlap(a: Reading, b: Reading): Overlap | undefined {
  if (!touch(a.whole, b.whole)) return undefined
  let best: Overlap | undefined
  for (const p of withWhole(a)) {
    for (const q of withWhole(b)) {
      if (!touch(p, q) || proveNothing(p, q, a, b)) continue
      const overlap = overlapOf(p, q)
      if (best === undefined || compare(overlap, best) > 0) best = overlap
    }
  }
  return best
}

/** The parts to compare, with the whole, unless the whole has words that only identify the thing. */
function withWhole({ whole, parts, identified }: Reading): readonly Part[] {
  return parts.length === 1 || identified ? parts : [whole, ...parts]
}

/**
 * Does the overlap of two parts prove nothing? Different things may have the same asides (`by order of the council`), the same
 * heading (`Anna: allergic to nuts`, `Anna: in Hamburg`), unless it heads a single value, and the same labels (`priority: high`).
 * Topics are compared by their fields.
 */
function proveNothing(p: Part, q: Part, a: Reading, b: Reading): boolean {
  const places = [p.place, q.place]
  if (places.every((place) => place === 'topic')) return true
  if (places.every((place) => place === 'heading')) return !(headsValue(p, a) && headsValue(q, b))
  if (places.includes('heading')) return true
  if (places.every((place) => place === 'label')) return p.text.toLowerCase() === q.text.toLowerCase()
  const wholes = [p === a.whole, q === b.whole]
  if (places.includes('aside')) return wholes.includes(true) || places.every((place) => place === 'aside')
  return wholes.includes(true) && isArranged(a) && isArranged(b)
}

function isArranged({ parts }: Reading): boolean {
  return parts.some(({ place }) => place === 'heading' || place === 'label')
}

/** Things that have one value at a time, however it is described. */
const SINGLE = new Set(
  'current preferred favourite favorite default latest next status state version owner deadline address location'.split(
    ' ',
  ),
)
/** A text with one of these is a sentence, not a value. */
const VERBS = new Set('is are was were has have had uses use used does did will can'.split(' '))

/** Is there only a single value under the heading? */
function headsValue(heading: Part, { parts }: Reading): boolean {
  if (isAnnouncing(heading.text.toLowerCase())) return false
  if (heading.terms.some(({ word }) => SINGLE.has(word))) return true
  const beneath = parts.filter(({ place }) => place !== 'heading').flatMap(({ terms }) => terms)
  if (beneath.some(({ word }) => VERBS.has(word))) return false
  return beneath.filter(({ kind }) => kind === 'word' || kind === 'name').length <= 1
}

function touch(p: Part, q: Part): boolean {
  const [fewer, more] = p.telling.size < q.telling.size ? [p, q] : [q, p]
  for (const stem of fewer.telling.keys()) if (more.telling.has(stem)) return true
  return false
}

/** A single shared word beside a changed number counts only if both parts share at least this much. */
const HALF = 0.5

function overlapOf(p: Part, q: Part): Overlap {
  const mine = sharedOf(p, q)
  const theirs = sharedOf(q, p)
  const values = Math.min(2, mine.values, theirs.values)
  const [shareOfOne, shareOfBoth] =
    mine.share > theirs.share ? [mine.share, theirs.share] : [theirs.share, mine.share]
  const isOfOne = shareOfBoth >= HALF || (mine.words > 1 && theirs.words > 1)
  return { parts: [p, q], shareOfOne, shareOfBoth, values, slot: isOfOne ? slotOf(p, q) : 0 }
}

interface Shared {
  readonly share: number
  readonly words: number
  readonly values: number
}

function sharedOf(p: Part, q: Part): Shared {
  let weight = 0
  let words = 0
  let values = 0
  let shared = 0
  for (const [stem, term] of p.telling) {
    if (!q.telling.has(stem)) continue
    shared++
    if (term.kind === 'word') {
      weight += term.weight
      words++
    } else if (term.kind === 'value') values++
  }
  if (p.weight > 0) return { share: weight / p.weight, words, values }
  // Without plain words, at least two names or values must be shared.
  return { share: shared > 1 ? shared / p.telling.size : 0, words, values }
}

/** Ties are broken by the texts, so that the order of the readings does not matter. */
function compare(x: Overlap, y: Overlap): number {
  return rankOf(x) - rankOf(y) || (keyOf(x) < keyOf(y) ? 1 : -1)
}

function rankOf({ parts: [p, q], shareOfOne, shareOfBoth, values, slot }: Overlap): number {
  const shared = Math.min(2, shareOfOne * Math.min(p.weight, q.weight))
  return shareOfOne * shared + 0.3 * shareOfBoth + 0.1 * slot + 0.05 * values
}

function keyOf({ parts: [p, q] }: Overlap): string {
  return p.text < q.text ? `${p.text}\n${q.text}` : `${q.text}\n${p.text}`
}

/** A number in the place of a name may be about another thing. */
const UNLIKE = 0.5

function slotOf(p: Part, q: Part): number {
  const [mine, theirs] = [besideChanged(p, q), besideChanged(q, p)]
  let best = 0
  for (const [stem, kinds] of mine) {
    const others = theirs.get(stem)
    if (others !== undefined) best = Math.max(best, [...kinds].some((kind) => others.has(kind)) ? 1 : UNLIKE)
  }
  return best
}

/** In terms. */
const REACH = 2

/** The shared words next to which, apart from fillers and values, `p` has a value or name that `q` lacks; with the kinds of these. */
function besideChanged(p: Part, q: Part): Map<string, Set<TermKind>> {
  const beside = new Map<string, Set<TermKind>>()
  for (const [at, { kind, stem }] of p.terms.entries()) {
    if ((kind !== 'value' && kind !== 'name') || q.telling.has(stem)) continue
    for (const step of [-1, 1]) {
      const near = nextWord(p, at, step)
      if (near !== undefined && near.weight === 1 && !near.leads && q.telling.has(near.stem))
        addTo(beside, near.stem, kind)
    }
  }
  return beside
}

function nextWord({ terms }: Part, from: number, step: number): Term | undefined {
  for (let at = from + step; Math.abs(at - from) <= REACH; at += step) {
    const term = terms[at]
    if (term?.kind === 'word') return term
  }
  return undefined
}
