import type { Readable, Writable } from 'node:stream'

/** Where a command reads and writes, and what the other end can show. */
export interface Terminal {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** How wide text on stdout may be. */
  readonly columns: number
  /** Whether stdout may be coloured: it is a terminal, and NO_COLOR is not set. */
  readonly coloured: boolean
  /** Whether stderr is a terminal. */
  readonly watched: boolean
}

const COLOURS = { green: 32, yellow: 33, red: 31, bold: 1, dim: 2 } as const

export function paint(terminal: Terminal, colour: keyof typeof COLOURS, text: string): string {
  return terminal.coloured ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text
}

/** Text from elsewhere must not steer the terminal: its control characters are shown, not sent. */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (letter) =>
    /\s/u.test(letter) ? ' ' : '\ufffd',
  )
}

/** As wide as the widest label and a gap. */
export const LABEL = 12

/** Lines of text beside a label, none of which can steer the terminal. */
export function labelled(terminal: Terminal, label: string, text: string): string {
  const lines = text.split('\n').map(harmless).join('\n')
  const hung = hang(label.padEnd(LABEL), lines, terminal.columns)
  return label === '' ? hung : hung.replace(label, paint(terminal, 'bold', label))
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

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
