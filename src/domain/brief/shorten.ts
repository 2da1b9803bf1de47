import { abridged, isLimiting } from '../insight/sentences.js'

/** How many words of a memory a brief shows, unless conditions and negations need more. */
const MAX_WORDS = 30
/** Conditions and negations are kept up to this length. */
const LONGEST = 400
const LONGEST_NAME = 60
/** A text is cut at a clause or a word only if at least this share of the length is used. */
const MIN_FILL = 0.4

/**
 * A text of at most `most` characters, or of at most `LONGEST` where less would leave out a condition or a negation: whole
 * clauses of it, if possible, and "…" where something was left out.
 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const whole = abridged(text, MAX_WORDS)
  if (whole.length <= most) return whole
  const kept = beginning(whole, most)
  if (!isLimiting(whole.slice(kept.length))) return `${kept} …`
  return whole.length <= LONGEST ? whole : `${beginning(whole, LONGEST)} …`
}

/** The id of a context, or its beginning. */
export function shortName(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${beginning(name, LONGEST_NAME)} …`
}

/** The beginning of a text, with room for " …": up to the end of a clause or of a word, if that is not far back. */
function beginning(text: string, most: number): string {
  const room = text.slice(0, Math.max(0, most - 2))
  const clause = [...room.matchAll(/[,;.!?:—–](?=\s)/gu)].at(-1)?.index ?? 0
  const end = [clause, room.lastIndexOf(' ')].find((at) => at >= MIN_FILL * most) ?? room.length
  return room
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/(?<![\s,;:—–])[\s,;:—–]+$/u, '')
}
