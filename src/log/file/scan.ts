import { Broken } from './disk/errors.js'
import type { Files, OpenFile } from './disk/files.js'
import {
  decodeLine,
  type FrameHead,
  hasUnwrittenSector,
  headOf,
  isBlank,
  isCutShort,
  isIntact,
} from './frame.js'

const CHUNK = 256 * 1024
const NEW_LINE = 0x0a

export interface Line {
  readonly offset: number
  /** Without its line feed. */
  readonly bytes: Buffer
  /** Only the last line of a file can lack its line feed. */
  readonly isEnded: boolean
}

/** The lines of a file from `start` to `end`, in the batches in which they are read. */
export async function* linesOf(
  file: OpenFile,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Line[]> {
  let partial: Buffer[] = []
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
      const bytes = concatParts(partial, chunk.subarray(from, at))
      partial = []
      lines.push({ offset, bytes, isEnded: true })
      offset += bytes.length + 1
      from = at + 1
    }
    if (from < chunk.length) partial.push(chunk.subarray(from))
    if (lines.length > 0) yield lines
  }
  if (partial.length > 0) yield [{ offset, bytes: Buffer.concat(partial), isEnded: false }]
}

/** As `linesOf`, but opens the file and closes it at the end. */
export async function* linesIn(
  files: Files,
  path: string,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Line[]> {
  const file = await files.openToRead(path)
  try {
    yield* linesOf(file, start, end)
  } finally {
    await file.close()
  }
}

/** The first line of a file; undefined when it is empty. */
export async function firstLineOf(file: OpenFile): Promise<Line | undefined> {
  for await (const [first] of linesOf(file)) return first
  return undefined
}

function concatParts(partial: readonly Buffer[], last: Buffer): Buffer {
  return partial.length === 0 ? last : Buffer.concat([...partial, last])
}

/** A frame, which is an intact line of a log. */
export interface LogLine extends FrameHead {
  readonly offset: number
  /** Without its line feed. */
  readonly bytes: Buffer
}

/** The frame in a line; undefined if the line is damaged, or holds something else. */
export function frameIn({ offset, bytes }: Line): LogLine | undefined {
  const head = isIntact(bytes) ? headOf(bytes) : undefined
  return head && { ...head, offset, bytes }
}

export interface LogScan {
  readonly lastSeq: number
  /** The length of the intact part. */
  readonly size: number
  /** The length of a last write that did not reach the disk in full, so it was never acknowledged; 0 if there is none. */
  readonly tornBytes: number
}

/**
 * Reads a log, and calls `visit` with its intact lines. `readHeader` returns the position before the first record of the log.
 * Throws `Broken` if a flushed record is damaged, or may be.
 */
export async function scanLog(
  files: Files,
  path: string,
  readHeader: (header: unknown) => number,
  visit: (lines: readonly LogLine[]) => void | Promise<void>,
): Promise<LogScan> {
  let lastSeq = 0
  let size = 0
  let tail: Tail | undefined
  for await (const lines of linesIn(files, path)) {
    const intact: LogLine[] = []
    for (const line of lines) {
      const frame = line.isEnded ? frameIn(line) : undefined
      if (tail !== undefined) {
        tail.add(line, frame)
        continue
      }
      if (size === 0 && frame === undefined && line.isEnded && isIntact(line.bytes)) {
        lastSeq = readHeader(decodeLine(line.bytes))
      } else if (size > 0 && frame?.seq === lastSeq + 1) {
        lastSeq += frame.count
        intact.push(frame)
      } else {
        tail = new Tail(line, lastSeq)
        tail.add(line, frame)
        continue
      }
      size = line.offset + line.bytes.length + 1
    }
    if (intact.length > 0) await visit(intact)
  }
  const why = size === 0 ? noHeader(tail) : tail?.damage()
  if (why !== undefined) throw new Broken(path, size, why)
  return { lastSeq, size, tornBytes: tail?.bytes ?? 0 }
}

function noHeader(tail: Tail | undefined): string {
  return tail === undefined ? 'the file is empty' : 'the header cannot be read'
}

/** The lines after the last intact one. Decides whether they are an interrupted write or damage. */
class Tail {
  readonly #first: Line
  readonly #lastSeq: number
  bytes = 0
  #lines = 0
  #isBeforeFlushed = false
  #isUnwritten = false
  #isBlank = true

  constructor(first: Line, lastSeq: number) {
    this.#first = first
    this.#lastSeq = lastSeq
  }

  add(line: Line, frame: LogLine | undefined): void {
    this.#lines++
    this.bytes += line.bytes.length + (line.isEnded ? 1 : 0)
    this.#isBlank &&= !line.isEnded && isBlank(line.bytes)
    this.#isUnwritten ||= hasUnwrittenSector(line.bytes)
    if (frame !== undefined && frame.flushed > this.#lastSeq) this.#isBeforeFlushed = true
  }

  /** Describes the damage; undefined for an interrupted write. */
  damage(): string | undefined {
    if (this.#isBeforeFlushed)
      return 'a record does not match its checksum, and records that were flushed later follow it'
    const isCut = this.#lines === 1 && !this.#first.isEnded && isCutShort(this.#first.bytes)
    if (isCut || this.#isBlank || this.#isUnwritten) return undefined
    return this.#first.isEnded && isIntact(this.#first.bytes)
      ? `record ${this.#lastSeq + 1} is missing before this one`
      : 'a complete record does not match its checksum'
  }
}
