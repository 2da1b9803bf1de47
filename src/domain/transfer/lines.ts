import { Failure } from '../failure.js'

/** Far more than the longest event has. */
export const MAX_LINE_BYTES = 1_048_576

const LINE_FEED = 0x0a

/**
 * The lines of a stream of bytes without their line feeds, some at a time; never more of it is held than one line and
 * what has just come in. Lines are counted from 1.
 *
 * ```ts
 * for await (const lines of linesOf(createReadStream('graph.ndjson'))) …
 * ```
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<readonly string[]> {
  let rest: Uint8Array[] = []
  let restLength = 0
  let line = 1
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1
    if (end > 0) {
      const block = joined([...rest, chunk.subarray(0, end)])
      const lines = decode(block, line, maxBytes)
      yield lines
      line += lines.length
      rest = []
      restLength = 0
    }
    if (end < chunk.length) rest.push(chunk.slice(end))
    restLength += chunk.length - end
    if (restLength > maxBytes) throw tooLong(line, maxBytes)
  }
  if (restLength > 0) yield decode(joined(rest), line, maxBytes)
}

/** The lines of a block that ends with a whole one. */
function decode(block: Uint8Array, first: number, maxBytes: number): string[] {
  const lines = (textIn(block) ?? notUtf8(block, first)).split('\n')
  if (lines.at(-1) === '') lines.pop()
  lines.forEach((line, i) => {
    // A character has at least one byte, so that only lines that may be too long are measured.
    if (line.length * 3 > maxBytes && Buffer.byteLength(line) > maxBytes) throw tooLong(first + i, maxBytes)
  })
  return lines
}

function notUtf8(block: Uint8Array, first: number): never {
  const lines = Buffer.from(block).toString('latin1').split('\n')
  const index = lines.findIndex((line) => textIn(Buffer.from(line, 'latin1')) === undefined)
  throw invalidLine(first + index, '', 'must be UTF-8')
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
}

function tooLong(line: number, maxBytes: number): Error {
  return invalidLine(line, '', `must have at most ${maxBytes} bytes`)
}

/** What is wrong with a line, or with a place in it: a sentence that names the line, and a pointer to the place. */
export function invalidLine(line: number, place: string, message: string, cause?: unknown): Failure {
  const where = place === '' ? `Line ${line}` : `Line ${line}: ${place}`
  const detail = /^[A-Z]/.test(message) ? `${where}: ${message}` : `${where} ${message}.`
  return new Failure('invalid_import', `${detail} Nothing was imported.`, {
    errors: [{ path: `/body/${line}${place}`, message }],
    ...(cause !== undefined && { cause }),
  })
}

/** Another failure, found in a line whose fields it knows as those below `/body`. */
export function failureInLine(line: number, failure: Failure): Failure {
  const [first] = failure.errors
  const place = first?.path.replace(/^\/body/, '') ?? ''
  return invalidLine(line, place, first?.message ?? failure.message, failure)
}

const PLACE = /^\/body\/(\d+)(.*)$/s

/** The same for what a store found to be wrong with the events as a whole, at a place that `lineOf` gave it. */
export function namingLine(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'invalid_import' || error.message.startsWith('Line '))
    return error
  const [first] = error.errors
  const [, line, place = ''] = PLACE.exec(first?.path ?? '') ?? []
  if (first === undefined || line === undefined) return error
  const sentence = `${first.message.charAt(0).toUpperCase()}${first.message.slice(1)}.`
  return invalidLine(Number(line), place, sentence, error)
}
