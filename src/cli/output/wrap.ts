/** The text in lines of at most `width` columns, broken at spaces; a longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/u).filter((it) => it !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || columnsOf(longer) <= width) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

/** A label beside the lines of a text that hang from it. */
export function hang(label: string, text: string, width: number): string {
  const indent = ' '.repeat(columnsOf(label))
  return text
    .split('\n')
    .flatMap((line) => wrap(line, Math.max(20, width - indent.length)))
    .map((line, i) => (i === 0 ? label : indent) + line)
    .join('\n')
}

/** Characters of two columns: most of East Asia, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u
const NARROWER = /\p{M}/u

function columnsOf(text: string): number {
  let columns = 0
  for (const letter of text) columns += WIDE.test(letter) ? 2 : NARROWER.test(letter) ? 0 : 1
  return columns
}
