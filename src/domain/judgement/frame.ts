import { sameWords } from './agreement.js'
import type { Part, Reading } from './reading/reading.js'
import { isTelling, type Term } from './reading/terms.js'

/**
 * Are two texts the same but for a plain word in the middle? `We water the roses on Mondays` and `We water the lawn on
 * Mondays` are nearly one text, but about two things. Another value, name or end may be a change of the same thing.
 */
export function otherWordInFrame(a: Part, b: Part): boolean {
  const { after, gaps } = frameOf(a.terms, b.terms)
  return tells(after) && gaps.every((gap) => gap.length <= MAX_GAP && gap.some(({ kind }) => kind === 'word'))
}

/**
 * Does a clause of one text say of somebody else what the other text says, and no clause the same? `Jonas has moved away; Mia
 * looks after the hens` has all words of `Jonas looks after the hens`.
 */
export function saidOfAnother(a: Reading, b: Reading): boolean {
  return isSaidOfAnother(a, b) || isSaidOfAnother(b, a)
}

function isSaidOfAnother({ parts: [said, ...more] }: Reading, { parts }: Reading): boolean {
  if (said === undefined || more.length > 0 || parts.length < 2) return false
  return (
    parts.some(({ terms }) => hasOtherSubject(said.terms, terms)) &&
    !parts.some((part) => sameWords(said, part))
  )
}

function hasOtherSubject(mine: readonly Term[], theirs: readonly Term[]): boolean {
  const { before, after, gaps } = frameOf(mine, theirs)
  if (before.length > 0 || after.filter(isTelling).length < MIN_SAID) return false
  return gaps.every(
    (gap) => tells(gap) && gap.length <= MAX_GAP && gap.every(({ kind, leads }) => leads || kind === 'name'),
  )
}

/** In terms that tell something. */
const MIN_SAID = 2
/** In terms. */
const MAX_GAP = 2

interface Frame {
  readonly before: readonly Term[]
  readonly after: readonly Term[]
  /** The terms between `before` and `after` in each text. */
  readonly gaps: readonly [readonly Term[], readonly Term[]]
}

/** The terms that two texts begin and end with alike. */
function frameOf(mine: readonly Term[], theirs: readonly Term[]): Frame {
  const shorter = Math.min(mine.length, theirs.length)
  let before = 0
  while (before < shorter && mine[before]?.stem === theirs[before]?.stem) before++
  let after = 0
  while (after < shorter - before && mine.at(-1 - after)?.stem === theirs.at(-1 - after)?.stem) after++
  const between = (terms: readonly Term[]) => terms.slice(before, terms.length - after)
  return {
    before: mine.slice(0, before),
    after: mine.slice(mine.length - after),
    gaps: [between(mine), between(theirs)],
  }
}

function tells(terms: readonly Term[]): boolean {
  return terms.some(isTelling)
}
