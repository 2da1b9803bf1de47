import type { OpenFile } from '../disk/files.js'
import {
  decodeLine,
  type FrameHead,
  hasUnwrittenSector,
  headOf,
  isBlank,
  isCutShort,
  isIntact,
} from './frame.js'
import { type Line, linesOf } from './lines.js'

/** One intact line of a log and its place in it. */
export interface LogLine extends FrameHead {
  readonly offset: number
  /** Without its line feed. */
  readonly bytes: Buffer
}

interface LogScan {
  /** What the first line says; undefined when even that is not intact. */
  readonly header: unknown
  readonly lastSeq: number
  /** The length of the intact part. */
  readonly size: number
  readonly ending: Ending
}

export type Ending =
  | { readonly kind: 'whole' }
  /** The last write did not reach the disk in full, so it was never acknowledged. */
  | { readonly kind: 'torn'; readonly bytes: number }
  /** Something that had been flushed is no longer what it was, or may no longer be. */
  | { readonly kind: 'broken'; readonly why: string }

/**
 * Reads a log from its header on, gives its intact lines to `visit`, and says how it ends. `after` is the record
 * that comes before the first one of the log, which the header knows.
 */
export async function scanLog(
  file: OpenFile,
  afterOf: (header: unknown) => number,
  visit: (lines: readonly LogLine[]) => void | Promise<void>,
): Promise<LogScan> {
  let header: unknown
  let lastSeq = 0
  let size = 0
  let tail: Tail | undefined
  for await (const lines of linesOf(file)) {
    const good: LogLine[] = []
    for (const line of lines) {
      if (tail !== undefined) {
        tail.add(line)
        continue
      }
      const head = line.ended && isIntact(line.bytes) ? headOf(line.bytes) : undefined
      if (size === 0 && head === undefined && line.ended && isIntact(line.bytes)) {
        header = decodeLine(line.bytes)
        lastSeq = afterOf(header)
      } else if (size > 0 && head !== undefined && head.seq === lastSeq + 1) {
        lastSeq += head.count
        good.push({ ...head, offset: line.offset, bytes: line.bytes })
      } else {
        tail = new Tail(size === 0 ? undefined : lastSeq)
        tail.add(line)
        continue
      }
      size = line.offset + line.bytes.length + 1
    }
    if (good.length > 0) await visit(good)
  }
  if (size === 0 && tail === undefined) return { header, lastSeq, size, ending: broken('the file is empty') }
  return { header, lastSeq, size, ending: tail?.ending() ?? { kind: 'whole' } }
}

/** What follows the last intact line: is it only what a crash leaves behind? */
class Tail {
  readonly #lastSeq: number | undefined
  #first: Line | undefined
  #bytes = 0
  #lines = 0
  #flushedLater = false
  #unwritten = false
  #blank = true

  constructor(lastSeq: number | undefined) {
    this.#lastSeq = lastSeq
  }

  add(line: Line): void {
    this.#first ??= line
    this.#lines++
    this.#bytes += line.bytes.length + (line.ended ? 1 : 0)
    this.#blank &&= !line.ended && isBlank(line.bytes)
    this.#unwritten ||= hasUnwrittenSector(line.bytes)
    const flushed = line.ended && isIntact(line.bytes) ? headOf(line.bytes)?.flushed : undefined
    if (flushed !== undefined && flushed > (this.#lastSeq ?? 0)) this.#flushedLater = true
  }

  ending(): Ending {
    if (this.#lastSeq === undefined || this.#first === undefined) return broken('the header cannot be read')
    if (this.#flushedLater)
      return broken('a record does not match its checksum, and records that were flushed later follow it')
    const cut = this.#lines === 1 && !this.#first.ended && isCutShort(this.#first.bytes)
    if (cut || this.#blank || this.#unwritten) return { kind: 'torn', bytes: this.#bytes }
    return broken(
      isIntact(this.#first.bytes) && this.#first.ended
        ? `record ${this.#lastSeq + 1} is missing before this one`
        : 'a complete record does not match its checksum',
    )
  }
}

function broken(why: string): Ending {
  return { kind: 'broken', why }
}
