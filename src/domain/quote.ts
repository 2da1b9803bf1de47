const LONGEST_QUOTE = 60
/** What JSON leaves as it is and a terminal or a reader's eye does not: controls, formats, odd separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** What a client sent, safe to be repeated in a sentence: in quotes, on one line, escaped and not too long. */
export function quote(text: string): string {
  const start = [...text.slice(0, 2 * LONGEST_QUOTE + 1)]
  const shown = start.length > LONGEST_QUOTE ? `${start.slice(0, LONGEST_QUOTE).join('')}…` : text
  return JSON.stringify(shown).replace(UNSEEN, escaped)
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
