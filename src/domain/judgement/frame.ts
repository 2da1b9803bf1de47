import type { Part } from './reading.js'
import type { Term } from './terms.js'

/**
 * Are two texts the same but for a plain word in the middle? `We water the roses on Mondays` and `We water the lawn on
 * Mondays` are nearly one text, and yet of two things. A value, a name or the end of a text may well have changed.
 */
export function otherWordInFrame({ terms: mine }: Part, { terms: theirs }: Part): boolean {
  const shorter = Math.min(mine.length, theirs.length)
  let before = 0
  while (before < shorter && mine[before]?.stem === theirs[before]?.stem) before++
  let after = 0
  while (after < shorter - before && mine.at(-1 - after)?.stem === theirs.at(-1 - after)?.stem) after++
  const tells = mine.slice(mine.length - after).some(({ weight }) => weight > 0)
  return (
    tells &&
    isWord(mine.slice(before, mine.length - after)) &&
    isWord(theirs.slice(before, theirs.length - after))
  )
}

const LONGEST = 2

function isWord(gap: readonly Term[]): boolean {
  return gap.length <= LONGEST && gap.some(({ kind }) => kind === 'word')
}
