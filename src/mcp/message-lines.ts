import { Readable } from 'node:stream'

/** Far above what a message needs: a payload has at most 64 KiB. */
const LONGEST_LINE = 1024 * 1024
const NEWLINE = 0x0a

interface Refusal {
  readonly jsonrpc: '2.0'
  readonly id: null
  readonly error: { readonly code: number; readonly message: string }
}

/**
 * The lines of `input` that hold one message each. The others would be dropped without a word: they are answered here, and
 * one that is too long is not kept in memory. A last line without an end was not sent whole.
 */
export function messageLines(input: Readable, refuse: (answer: Refusal) => void): Readable {
  return Readable.from(linesOf(input, refuse), { objectMode: false })
}

async function* linesOf(input: Readable, refuse: (answer: Refusal) => void): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    let rest: Buffer = chunk
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const whole =
        length + end > LONGEST_LINE ? undefined : Buffer.concat([...begun, rest.subarray(0, end + 1)])
      rest = rest.subarray(end + 1)
      begun = []
      length = 0
      const mistake = whole === undefined ? TOO_LONG : mistakeIn(whole)
      if (mistake !== undefined) refuse({ jsonrpc: '2.0', id: null, error: mistake })
      else if (whole !== undefined) yield whole
    }
    length += rest.length
    if (length <= LONGEST_LINE) begun.push(rest)
    else begun = []
  }
}

const TOO_LONG = { code: -32600, message: `A message has at most ${LONGEST_LINE} bytes. Nothing was done.` }

function mistakeIn(line: Buffer): Refusal['error'] | undefined {
  const text = line.toString('utf8').trim()
  // Some clients end lines twice.
  if (text === '') return undefined
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) return undefined
    return { code: -32600, message: 'A line holds one message, which is an object. Nothing was done.' }
  } catch {
    return { code: -32700, message: 'The line is not JSON. Nothing was done.' }
  }
}
