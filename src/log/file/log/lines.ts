import type { OpenFile } from '../disk/files.js'

const CHUNK = 256 * 1024
const NEW_LINE = 0x0a

export interface Line {
  readonly offset: number
  /** Without its line feed. */
  readonly bytes: Buffer
  /** Only the last line of a file can lack its line feed. */
  readonly ended: boolean
}

/** The lines of a file from `start` to `end`, some at a time, as they come off the disk. */
export async function* linesOf(
  file: OpenFile,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Line[]> {
  let begun: Buffer[] = []
  let offset = start
  let position = start
  for (;;) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, end - position))
    const chunk = buffer.subarray(0, await file.read(buffer, position))
    if (chunk.length === 0) break
    position += chunk.length
    const lines: Line[] = []
    let from = 0
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, from)) {
      const bytes = joined(begun, chunk.subarray(from, at))
      begun = []
      lines.push({ offset, bytes, ended: true })
      offset += bytes.length + 1
      from = at + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
    if (lines.length > 0) yield lines
  }
  if (begun.length > 0) yield [{ offset, bytes: Buffer.concat(begun), ended: false }]
}

/** The lines from `start` on that come off the disk first: at least one, unless the file ends there. */
export async function linesAt(file: OpenFile, start: number): Promise<readonly Line[]> {
  for await (const lines of linesOf(file, start)) return lines
  return []
}

function joined(begun: readonly Buffer[], last: Buffer): Buffer {
  return begun.length === 0 ? last : Buffer.concat([...begun, last])
}
