import { Readable, type Writable } from 'node:stream'
import type { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { changedNumbers, scanJson } from '../domain/events/json-mistakes.js'
import { withoutNullArguments } from './check-arguments.js'

interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
  /** Resolves when the process that started this one is gone. */
  readonly parentExited: Promise<void>
}

/** MCP over stdio, both protocol versions; resolves when the client has disconnected. Only messages are written to stdout. */
export async function serveLines(
  make: () => McpServer,
  { stdin, stdout, parentExited }: Streams,
  failed: (error: unknown) => void,
): Promise<void> {
  const lines = messageLines(stdin, (answer) => void stdout.write(`${JSON.stringify(answer)}\n`))
  const ended = new Promise<void>((resolve) => {
    lines.once('close', resolve)
    stdout.once('error', () => resolve())
    stdout.once('close', () => resolve())
  })
  const served = serveStdio(make, {
    transport: new StdioServerTransport(lines, stdout),
    onerror: failed,
  })
  await Promise.race([ended, parentExited])
  await served.close()
  stdin.destroy()
}

/** Far above what a message needs: a payload has at most 64 KiB. */
const LONGEST_LINE = 1024 * 1024
const NEWLINE = 0x0a

interface Refusal {
  readonly jsonrpc: '2.0'
  readonly id: string | number | null
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
      if (mistake !== undefined) refuse(mistake)
      else if (whole !== undefined)
        yield NULL_ARGUMENTS.test(whole.toString('latin1')) ? withArguments(whole) : whole
    }
    length += rest.length
    if (length <= LONGEST_LINE) begun.push(rest)
    else begun = []
  }
}

const NULL_ARGUMENTS = /"arguments"\s*:\s*null/

function withArguments(line: Buffer): Buffer {
  return Buffer.from(`${JSON.stringify(withoutNullArguments(JSON.parse(line.toString('utf8'))))}\n`)
}

const TOO_LONG = refusal(-32600, `A message has at most ${LONGEST_LINE} bytes.`)

function mistakeIn(line: Buffer): Refusal | undefined {
  const text = line.toString('utf8').trim()
  // Some clients end lines twice.
  if (text === '') return undefined
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return refusal(-32700, 'The line is not JSON.')
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return refusal(-32600, 'A line holds one message, which is an object.')
  const [changed] = scanJson(text).longNumbers ? changedNumbers(text) : []
  if (changed === undefined) return undefined
  return refusal(-32602, `${changed.path} ${changed.message}.`, idOf(message))
}

function idOf(message: object): Refusal['id'] {
  const id = 'id' in message ? message.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function refusal(code: number, why: string, id: Refusal['id'] = null): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message: `${why} Nothing was done.` } }
}
