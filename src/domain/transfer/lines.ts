import { invalidLine } from './invalid-line.js'

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
  const lines = decodeText(block, () => decodeEach(block, first)).split('\n')
  if (lines.at(-1) === '') lines.pop()
  lines.forEach((line, i) => {
    // A character has at least one byte, so that only lines that may be too long are measured.
    if (line.length * 3 > maxBytes && Buffer.byteLength(line) > maxBytes) throw tooLong(first + i, maxBytes)
  })
  return lines
}

/** Finds the line that is not UTF-8. */
function decodeEach(block: Uint8Array, first: number): never {
  let line = first
  for (let at = 0; at < block.length; line++) {
    const feed = block.indexOf(LINE_FEED, at)
    const end = feed < 0 ? block.length : feed
    decodeText(block.subarray(at, end), () => {
      throw invalidLine(line, '', 'must be UTF-8')
    })
    at = end + 1
  }
  throw invalidLine(line, '', 'must be UTF-8')
}

function decodeText(bytes: Uint8Array, otherwise: () => never): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return otherwise()
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
}

function tooLong(line: number, maxBytes: number): Error {
  return invalidLine(line, '', `must have at most ${maxBytes} bytes`)
}
