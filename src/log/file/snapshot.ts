import { crc32 } from 'node:zlib'
import type { Adapter } from 'lowdb'
import { replaceFile } from './disk/durable.js'
import { Broken } from './disk/errors.js'
import type { Files, OpenFile } from './disk/files.js'
import { checkFormat, FORMAT, hasFields } from './frame.js'
import { firstLineOf, frameIn, type Line, type LogLine, linesOf } from './scan.js'

/** All lines of a graph's log up to `through`, oldest first. Lines are streamed, never all in memory. */
export interface Snapshot {
  readonly graph: string
  readonly through: number
  readonly lines: () => AsyncIterable<readonly LogLine[]>
}

const CHUNK = 256 * 1024
const NEW_LINE = Buffer.from('\n')
const SEPARATOR = Buffer.from(',\n')
const COMMA = 0x2c
const CLOSING_BRACKET = 0x5d

/**
 * The lowdb adapter for snapshots. The file is one JSON document with one line per group of records, each with its own
 * checksum, and a last line with the checksum of all lines before it.
 */
export class SnapshotFile implements Adapter<Snapshot> {
  readonly #files: Files
  readonly #path: string

  constructor(files: Files, path: string) {
    this.#files = files
    this.#path = path
  }

  async read(): Promise<Snapshot | null> {
    if (this.#files.identify(this.#path) === undefined) return null
    const file = await this.#files.openToRead(this.#path)
    try {
      const { inode } = file.identity()
      const first = await firstLineOf(file)
      if (first === undefined) throw new Broken(this.#path, 0, 'the file is empty')
      const { graph, through } = headerIn(first, this.#path)
      return { graph, through, lines: () => this.#lines(inode) }
    } finally {
      await file.close()
    }
  }

  write(snapshot: Snapshot): Promise<void> {
    return replaceFile(this.#files, this.#path, (file) => writeAll(file, snapshot))
  }

  async *#lines(inode: number): AsyncGenerator<readonly LogLine[]> {
    const file = await this.#files.openToRead(this.#path)
    try {
      if (file.identity().inode !== inode) throw new Error(`${this.#path} was replaced while it was read.`)
      yield* readLines(file, this.#path)
    } finally {
      await file.close()
    }
  }
}

async function writeAll(file: OpenFile, { graph, through, lines }: Snapshot): Promise<void> {
  let sum = 0
  let count = 0
  let pending: Buffer[] = []
  let length = 0
  const put = async (...parts: Buffer[]) => {
    for (const part of parts) {
      sum = crc32(part, sum)
      length += part.length
      pending.push(part)
    }
    if (length >= CHUNK) await flush()
  }
  const flush = async () => {
    await file.append(Buffer.concat(pending))
    pending = []
    length = 0
  }
  await put(headerOf({ graph, through }))
  for await (const some of lines())
    for (const { bytes } of some) await put(count++ === 0 ? NEW_LINE : SEPARATOR, bytes)
  await put(NEW_LINE)
  await put(footerOf(count, sum), NEW_LINE)
  await flush()
}

/** Checks each line, so that an error names the damaged one, and the checksum of all lines at the end. */
async function* readLines(file: OpenFile, path: string): AsyncGenerator<readonly LogLine[]> {
  let sum = 0
  let lastSeq = 0
  let count = 0
  let through = 0
  let previous: Line | undefined
  for await (const lines of linesOf(file)) {
    const intact: LogLine[] = []
    for (const line of lines) {
      if (previous === undefined) through = headerIn(line, path).through
      else {
        sum = crc32(NEW_LINE, crc32(previous.bytes, sum))
        if (previous.offset > 0) {
          const frame = checkedFrame(previous, lastSeq, line, path)
          lastSeq += frame.count
          count++
          intact.push(frame)
        }
      }
      previous = line
    }
    if (intact.length > 0) yield intact
  }
  if (lastSeq !== through) throw new Broken(path, 0, `it ends at record ${lastSeq}, not ${through}`)
  const footer = previous === undefined ? undefined : footerOf(count, sum)
  if (previous === undefined || !previous.isEnded || !footer?.equals(previous.bytes))
    throw new Broken(path, previous?.offset ?? 0, 'the last line does not match what it closes')
}

function headerIn(line: Line, path: string): SnapshotHeader {
  let header: unknown
  try {
    header = JSON.parse(`${line.bytes.toString()}]}`)
  } catch {
    throw new Broken(path, 0, 'the header cannot be read')
  }
  if (!isHeader(header)) throw new Broken(path, 0, 'the header cannot be read')
  checkFormat(path, header.format)
  if (!headerOf(header).equals(line.bytes)) throw new Broken(path, 0, 'the header is not as it was written')
  return header
}

interface SnapshotHeader extends Pick<Snapshot, 'graph' | 'through'> {
  readonly format: number
}

function isHeader(value: unknown): value is SnapshotHeader {
  return hasFields(value, { format: 'number', graph: 'string', through: 'number' })
}

function checkedFrame(line: Line, lastSeq: number, followingLine: Line, path: string): LogLine {
  const isLast = !followingLine.isEnded || followingLine.bytes[0] === CLOSING_BRACKET
  const frame = frameIn(isLast ? line : withoutComma(line))
  if (frame === undefined || (!isLast && line.bytes.at(-1) !== COMMA))
    throw new Broken(path, line.offset, 'a record does not match its checksum')
  if (frame.seq !== lastSeq + 1)
    throw new Broken(path, line.offset, `record ${lastSeq + 1} is missing before this one`)
  return frame
}

/** A line of a snapshot as it is in a log. */
export function withoutComma(line: Line): Line {
  return line.bytes.at(-1) === COMMA ? { ...line, bytes: line.bytes.subarray(0, -1) } : line
}

function headerOf({ graph, through }: Pick<Snapshot, 'graph' | 'through'>): Buffer {
  return Buffer.from(JSON.stringify({ format: FORMAT, graph, through, lines: [] }).slice(0, -2))
}

function footerOf(count: number, sum: number): Buffer {
  return Buffer.from(`],"count":${count},"crc32":"${sum.toString(16).padStart(8, '0')}"}`)
}
