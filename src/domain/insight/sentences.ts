import { isStopWord } from '../search/text-analysis.js'

export const MOST_WORDS = 80
/** What is shortened to fewer words than this says nothing. */
const LEAST_WORDS = 5
/** The contract's limit for an insight is far above what any answer needs; the memories that must be told may reach it. */
const LONGEST_TEXT = 6_000
/** In English prose about half of the words are stop words; with fewer, conditions cannot be told from the rest. */
const LEAST_ENGLISH = 0.2

/** Clauses end at punctuation followed by a space; the punctuation stays with the clause. */
const CLAUSES = /[^,;.!?:—–]+(?:[,;.!?:—–]+(?=\s|$)|[,;.!?:—–]+(?=\S)[^,;.!?:—–]*)*\s*/gu

/** Words that limit or turn around what is said: a clause with one of them is never left out. */
const LIMITS =
  /\b(?:but|except|unless|until|only|if|when|while|once|before|after|without|not|never|no|none|nor|neither|cannot|however|although|though|instead|otherwise|provided|as long as|at least|at most|must|may|\w+n['’]t)\b/i

export interface Abridged {
  readonly text: string
  /** Was anything left out? */
  readonly cut: boolean
}

export function wordCount(text: string): number {
  return text.split(/\s+/u).length
}

/** A number with the word for one or for many. */
export function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}

/**
 * A text of about `most` words: whole clauses of it in their order, "…" where some were left out. No condition or
 * negation is left out, however long that makes it, and what cannot be read as English prose is not cut at all, unless it
 * has no room as one of `sides` that must be told.
 */
export function abridged(text: string, most = MOST_WORDS, sides = 1): Abridged {
  const longest = Math.floor(LONGEST_TEXT / sides)
  if (wordCount(text) <= most || !isEnglish(text)) return cutTo(text, longest)
  const clauses = clausesOf(text)
  const end = firstLeftOut(clauses, most)
  if (end === undefined) return cutTo(text, longest)
  return { text: cutTo(joined(clauses, end), longest).text, cut: true }
}

/**
 * A text in at most `room` characters, shortened as `abridged` does it; undefined where that cannot be, or would leave
 * next to nothing.
 */
export function shortened(text: string, room: number): string | undefined {
  if (!isEnglish(text)) return undefined
  const clauses = clausesOf(text)
  let best: string | undefined
  for (let [low, high] = [1, clauses.length - 1]; low <= high; ) {
    const end = (low + high) >> 1
    const kept = joined(clauses, end)
    if (kept.length > room) high = end - 1
    else {
      if (wordCount(kept) >= LEAST_WORDS) best = kept
      low = end + 1
    }
  }
  return best
}

interface Clause {
  readonly clause: string
  readonly words: number
  /** It limits what is said, and is never left out. */
  readonly needed: boolean
}

function clausesOf(text: string): Clause[] {
  return (text.match(CLAUSES) ?? [text]).map((clause) => ({
    clause,
    words: wordCount(clause.trim()),
    needed: LIMITS.test(clause),
  }))
}

/** The first clause for which there is no room beside those that are needed; undefined if there is room for all. */
function firstLeftOut(clauses: readonly Clause[], most: number): number | undefined {
  let left = most
  for (const { words, needed } of clauses) if (needed) left -= words
  for (const [i, { words, needed }] of clauses.entries()) {
    if (needed) continue
    if (i > 0 && words > left) return i
    left -= words
  }
  return undefined
}

/** The clauses before `end`, and of the others those that are needed. */
function joined(clauses: readonly Clause[], end: number): string {
  let out = ''
  let gap = false
  for (const [i, { clause, needed }] of clauses.entries()) {
    if (i >= end && !needed) gap = true
    else {
      out += gap ? `${out === '' || /\s$/u.test(out) ? '' : ' '}… ${clause}` : clause
      gap = false
    }
  }
  return gap ? `${out.trimEnd()} …` : out
}

/** Does a text limit or turn around what was said before it? */
export function isLimiting(text: string): boolean {
  return LIMITS.test(text)
}

/** The first words of a text in one line, for quoting a task. */
export function beginningOf(text: string, most: number): string {
  const words = text.trim().split(/\s+/u)
  const start = words.slice(0, most).join(' ')
  const { text: kept, cut } = cutTo(start, 300)
  return words.length > most && !cut ? `${kept}…` : kept
}

function isEnglish(text: string): boolean {
  const words = text.toLowerCase().split(/\s+/u)
  return words.filter((word) => isStopWord(word)).length >= LEAST_ENGLISH * words.length
}

/** Shortens a text without cutting a character in two. */
function cutTo(text: string, longest: number): Abridged {
  if (text.length <= longest) return { text, cut: false }
  return { text: `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`, cut: true }
}
