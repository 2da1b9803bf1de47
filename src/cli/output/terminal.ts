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
