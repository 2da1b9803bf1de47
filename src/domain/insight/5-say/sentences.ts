export const MOST_WORDS = 80
const LONGEST_WORD = 200
const LONGEST_TEXT = 8_000

export function wordCount(text: string): number {
  return text.split(' ').length
}

/** A number with the word for one or for many. */
export function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}

/** At most `most` words, no word longer than a line, and the whole no longer than the contract allows. */
export function shortened(text: string, most = MOST_WORDS): string {
  const all = text.split(' ').map((word) => cut(word, LONGEST_WORD))
  const kept = all.slice(0, most).join(' ')
  return cut(all.length <= most || kept.endsWith('…') ? kept : `${kept}…`, LONGEST_TEXT)
}

/** Shortens a text without cutting a character in two. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
