import { changedFields } from './fields.js'
import type { Part, Reading } from './reading.js'
import { sameRole } from './subject.js'
import type { Term } from './terms.js'

/**
 * Are two texts the same but for a plain word in the middle? `We water the roses on Mondays` and `We water the lawn on
 * Mondays` are nearly one text, and yet of two things. A value, a name or the end of a text may well have changed.
 */
export function otherWordInFrame(a: Part, b: Part): boolean {
  const { after, gaps } = frameOf(a, b)
  return tells(after) && gaps.every((gap) => gap.length <= LONGEST && gap.some(({ kind }) => kind === 'word'))
}

/**
 * Do two records say the same but for one thing, or for who fills a role? `The office is in Berlin` and `The office is in
 * Hamburg` do, and so do `Lea speaks French` and `Lea speaks Dutch`: this alone does not tell whether both can be so.
 */
export function differInOne(a: Reading, b: Reading): boolean {
  if (a.fields.size > 1 || b.fields.size > 1) return changedFields(a.fields, b.fields) === 1
  if (sameRole(a, b)) return a.text !== b.text
  const frame = frameOf(a.whole, b.whole)
  return (
    tells(frame.before) &&
    frame.gaps.every((gap) => gap.length <= LONGEST && tells(gap)) &&
    !frame.gaps.every((gap) => isWhichOne(gap, frame))
  )
}

/** `Build 51 failed` and `Build 52 failed` are of two builds. */
function isWhichOne(gap: readonly Term[], { before, after }: Frame): boolean {
  return tells(after) && before.at(-1)?.kind !== 'filler' && gap.every(({ kind }) => kind === 'value')
}

const LONGEST = 2

interface Frame {
  readonly before: readonly Term[]
  readonly after: readonly Term[]
  /** What stands between them in each. */
  readonly gaps: readonly [readonly Term[], readonly Term[]]
}

/** What two texts begin and end with alike. */
function frameOf({ terms: mine }: Part, { terms: theirs }: Part): Frame {
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
  return terms.some(({ weight }) => weight > 0)
}
