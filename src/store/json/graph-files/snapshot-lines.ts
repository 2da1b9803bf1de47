import { crc32 } from 'node:zlib'
import { Broken } from '../disk/errors.js'
import type { OpenFile } from '../disk/files.js'
import { headOf, isIntact } from '../log/frame.js'
import { type Line, linesOf } from '../log/lines.js'
import type { LogLine } from '../log/scan.js'

export const SNAPSHOT_FORMAT = 1

export interface SnapshotHeader {
  readonly graph: string
  readonly through: number
}

const NEW_LINE = Buffer.from('\n')

/** What the first line of a snapshot says; `path` is named if it will not do. */
export async function readSnapshotHeader(file: OpenFile, path: string): Promise<SnapshotHeader> {
  for await (const [first] of linesOf(file)) if (first !== undefined) return headerIn(first, path)
  throw new Broken(path, 0, 'the file is empty')
}

/** Every line is checked on its own, so that damage can be pointed at, and all together at the end. */
export async function* readSnapshotLines(file: OpenFile, path: string): AsyncGenerator<readonly LogLine[]> {
  let sum = 0
  let lastSeq = 0
  let count = 0
  let through = 0
  let previous: Line | undefined
  for await (const lines of linesOf(file)) {
    const good: LogLine[] = []
    for (const line of lines) {
      if (previous === undefined) through = headerIn(line, path).through
      else {
        sum = crc32(NEW_LINE, crc32(previous.bytes, sum))
        if (previous.offset > 0) {
          const frame = frameIn(previous, lastSeq, line, path)
          lastSeq += frame.count
          count++
          good.push(frame)
        }
      }
      previous = line
    }
    if (good.length > 0) yield good
  }
  if (lastSeq !== through) throw new Broken(path, 0, `it ends at record ${lastSeq}, not ${through}`)
  const footer = previous === undefined ? undefined : footerOf(count, sum)
  if (previous === undefined || !previous.ended || !footer?.equals(previous.bytes))
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
  if (header.format > SNAPSHOT_FORMAT)
    throw new Broken(
      path,
      0,
      `its format is ${header.format} and this program knows ${SNAPSHOT_FORMAT}: a newer Loregraph wrote it`,
    )
  const { graph, through } = header
  if (!headerOf({ graph, through }).equals(line.bytes))
    throw new Broken(path, 0, 'the header is not as it was written')
  return { graph, through }
}

function frameIn(line: Line, lastSeq: number, next: Line, path: string): LogLine {
  const last = !next.ended || next.bytes[0] === 0x5d
  const bytes = last ? line.bytes : line.bytes.subarray(0, -1)
  const head = isIntact(bytes) ? headOf(bytes) : undefined
  if (head === undefined || (!last && line.bytes.at(-1) !== 0x2c))
    throw new Broken(path, line.offset, 'a record does not match its checksum')
  if (head.seq !== lastSeq + 1)
    throw new Broken(path, line.offset, `record ${lastSeq + 1} is missing before this one`)
  return { ...head, offset: line.offset, bytes }
}

export function headerOf({ graph, through }: SnapshotHeader): Buffer {
  return Buffer.from(JSON.stringify({ format: SNAPSHOT_FORMAT, graph, through, lines: [] }).slice(0, -2))
}

export function footerOf(count: number, sum: number): Buffer {
  return Buffer.from(`],"count":${count},"crc32":"${sum.toString(16).padStart(8, '0')}"}`)
}

function isHeader(value: unknown): value is SnapshotHeader & { format: number } {
  if (typeof value !== 'object' || value === null) return false
  return (
    'format' in value &&
    typeof value.format === 'number' &&
    'graph' in value &&
    typeof value.graph === 'string' &&
    'through' in value &&
    typeof value.through === 'number'
  )
}
