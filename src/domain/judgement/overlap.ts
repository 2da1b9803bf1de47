import { isAnnouncing } from './reading/fields.js'
import type { Part, Reading } from './reading/reading.js'
import type { Term, TermKind } from './reading/terms.js'

/** How much two parts have in common. The same in both directions. */
export interface Overlap {
  readonly parts: readonly [Part, Part]
  /** 0..1: the share of the plain words of one part that the other has; of the part with the larger share. */
  readonly held: number
  /** The same of the part with the smaller share. */
  readonly heldByBoth: number
  /** How many values they have in common, at most two. */
  readonly values: number
  /** 1 if a value or a name changed beside a word that stayed; less if one of them stands where the other did. */
  readonly slot: number
}

/** The two parts, one of each payload, that have most in common; undefined if no two have anything. */
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

/** The whole counts too, unless it holds words that only say which thing it is about. */
function withWhole({ whole, parts, identified }: Reading): readonly Part[] {
  return parts.length === 1 || identified ? parts : [whole, ...parts]
}

/**
 * What two clauses say by the way (`by order of the council`) may be the same of very different things. So may what stands
 * under the same heading (`Anna: allergic to nuts`, `Anna: in Hamburg`), unless it is a single value, or beside the same
 * field (`priority: high`). Two topics are compared by their fields.
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

/** There is one of each at a time, however it is described. */
const SINGLE = new Set(
  'current preferred favourite favorite default latest next status state version owner deadline address location'.split(
    ' ',
  ),
)
/** With them a text is a sentence, not a value. */
const VERBS = new Set('is are was were has have had uses use used does did will can'.split(' '))

/** Is a single value all that stands under the heading, which says what it is a value of? */
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

/** One word beside another number may be of anything that has a number of them, unless there is little else to speak of. */
const HALF = 0.5

function overlapOf(p: Part, q: Part): Overlap {
  const mine = sharedOf(p, q)
  const theirs = sharedOf(q, p)
  const values = Math.min(2, mine.values, theirs.values)
  const [held, heldByBoth] =
    mine.share > theirs.share ? [mine.share, theirs.share] : [theirs.share, mine.share]
  const isOfOne = heldByBoth >= HALF || (mine.words > 1 && theirs.words > 1)
  return { parts: [p, q], held, heldByBoth, values, slot: isOfOne ? slotOf(p, q) : 0 }
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
  // Names and values alone say something only together.
  return { share: shared > 1 ? shared / p.telling.size : 0, words, values }
}

/** Ties are broken by the texts, so that the order of the two readings does not matter. */
function compare(x: Overlap, y: Overlap): number {
  return rankOf(x) - rankOf(y) || (keyOf(x) < keyOf(y) ? 1 : -1)
}

function rankOf({ parts: [p, q], held, heldByBoth, values, slot }: Overlap): number {
  const shared = Math.min(2, held * Math.min(p.weight, q.weight))
  return held * shared + 0.3 * heldByBoth + 0.1 * slot + 0.05 * values
}

function keyOf({ parts: [p, q] }: Overlap): string {
  return p.text < q.text ? `${p.text}\n${q.text}` : `${q.text}\n${p.text}`
}

/** A number where the other has a name may as well be of another thing. */
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

const REACH = 2

/** The words of both parts next to which, fillers and other values aside, stands what only the first has; with its kinds. */
function besideChanged(p: Part, q: Part): Map<string, Set<TermKind>> {
  const beside = new Map<string, Set<TermKind>>()
  for (const [at, { kind, stem }] of p.terms.entries()) {
    if ((kind !== 'value' && kind !== 'name') || q.telling.has(stem)) continue
    for (const step of [-1, 1]) {
      const near = nextWord(p, at, step)
      if (near !== undefined && near.weight === 1 && !near.leads && q.telling.has(near.stem))
        beside.set(near.stem, (beside.get(near.stem) ?? new Set()).add(kind))
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
