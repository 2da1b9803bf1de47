import { isStopWord } from '../search/text-analysis.js'

export const MAX_WORDS = 80
/** A text that is shortened to fewer words says nothing. */
const MIN_WORDS = 5
/** In characters. Keeps an insight of long memories that must be shown within the limit of the contract. */
const MAX_TEXT = 6_000
/** The least share of stop words in English prose, which has about half; elsewhere conditions are not recognized. */
const MIN_STOP_WORDS = 0.2

/** Clauses end at punctuation followed by a space; the punctuation stays with the clause. */
const CLAUSES = /[^,;.!?:—–]+(?:[,;.!?:—–]+(?=\s|$)|[,;.!?:—–]+(?=\S)[^,;.!?:—–]*)*\s*/gu

/** Words that limit or negate a statement: a clause with one of them is never left out. */
const LIMITS =
  /\b(?:but|except|unless|until|only|if|when|while|once|before|after|without|not|never|no|none|nor|neither|cannot|however|although|though|instead|otherwise|provided|as long as|at least|at most|must|may|\w+n['’]t)\b/i

export function wordCount(text: string): number {
  return text.split(/\s+/u).length
}

/** A number with the noun in singular or plural. */
export function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}

/**
 * A text of about `most` words: whole clauses in their order, "…" for omissions. Conditions and negations are never left out,
 * however long the text gets, and a text that is not English prose is not cut at all, unless it has no room as one of `sides`
 * texts that must be shown.
 */
export function abridged(text: string, most = MAX_WORDS, sides = 1): string {
  const longest = Math.floor(MAX_TEXT / sides)
  if (wordCount(text) <= most || !isEnglish(text)) return cutTo(text, longest)
  const clauses = clausesOf(text)
  const end = firstLeftOut(clauses, most)
  return cutTo(end === undefined ? text : joined(clauses, end), longest)
}

/**
 * A text in at most `room` characters, shortened like `abridged`; undefined if that is not possible or would leave next to
 * nothing.
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
      if (wordCount(kept) >= MIN_WORDS) best = kept
      low = end + 1
    }
  }
  return best
}

/** An item with its text, which may be shortened, and its line. */
interface Fitted<Item> {
  readonly item: Item
  readonly text: string
  readonly line: string
}

/**
 * The items whose lines fit into `room` characters together. The first that does not fit is shortened, if that is possible;
 * others that do not are left out. A shortened text has `spare` characters less than there would be room for.
 */
export function fitting<Item>(
  items: readonly Item[],
  room: number,
  textOf: (item: Item) => string,
  lineOf: (item: Item, text: string) => string,
  spare = 0,
): Fitted<Item>[] {
  const fitted: Fitted<Item>[] = []
  let left = room
  let hasShortened = false
  for (const item of items) {
    let text: string | undefined = textOf(item)
    if (lineOf(item, text).length > left) {
      text = hasShortened ? undefined : shortened(text, left - lineOf(item, '').length - spare)
      hasShortened = true
    }
    if (text === undefined) continue
    const line = lineOf(item, text)
    fitted.push({ item, text, line })
    left -= line.length
  }
  return fitted
}

interface Clause {
  readonly clause: string
  readonly words: number
  /** It limits a statement, and is never left out. */
  readonly needed: boolean
}

function clausesOf(text: string): Clause[] {
  return (text.match(CLAUSES) ?? [text]).map((clause) => ({
    clause,
    words: wordCount(clause.trim()),
    needed: LIMITS.test(clause),
  }))
}

/** The index of the first clause without room besides the needed ones; undefined if there is room for all. */
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

/** The clauses before `end`, and the needed ones after it. */
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

/** Does a text limit or negate the statement before it? */
export function isLimiting(text: string): boolean {
  return LIMITS.test(text)
}

/** In characters. */
const MAX_BEGINNING = 300

/** The first words of a text in one line, for quoting a task. */
export function beginningOf(text: string, most: number): string {
  const words = text.trim().split(/\s+/u)
  const start = words.slice(0, most).join(' ')
  return words.length > most && start.length <= MAX_BEGINNING ? `${start}…` : cutTo(start, MAX_BEGINNING)
}

function isEnglish(text: string): boolean {
  const words = text.toLowerCase().split(/\s+/u)
  return words.filter((word) => isStopWord(word)).length >= MIN_STOP_WORDS * words.length
}

/** Shortens a text without cutting a character in two. */
function cutTo(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
