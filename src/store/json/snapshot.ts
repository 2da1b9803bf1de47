import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Adapter } from 'lowdb'
import type { Files, OpenFile } from './files.js'
import { headOf, isIntact } from './frames.js'
import { type Line, linesOf } from './lines.js'
import type { LogLine } from './scan.js'
import { Broken, Fatal } from './trouble.js'

export const SNAPSHOT_FORMAT = 1

/** All lines of a graph's log up to `through`, oldest first. They are read and written as they go, never all at once. */
export interface Snapshot {
  readonly graph: string
  readonly through: number
  readonly lines: () => AsyncIterable<readonly LogLine[]>
}

const CHUNK = 256 * 1024
const NEW_LINE = Buffer.from('\n')
const NEXT = Buffer.from(',\n')

/**
 * What lowdb reads and writes a snapshot through. The file is one JSON document with one line per write, each with its
 * own checksum, and a last line with the checksum of all before it. A new one replaces the old one in one step: it is
 * flushed under another name, renamed, and the folder is flushed.
 */
export class SnapshotFile implements Adapter<Snapshot> {
  readonly #files: Files
  readonly #path: string
  readonly #fence: () => boolean

  constructor(files: Files, path: string, fence: () => boolean) {
    this.#files = files
    this.#path = path
    this.#fence = fence
  }

  async read(): Promise<Snapshot | null> {
    if (this.#files.identify(this.#path) === undefined) return null
    const file = await this.#files.openToRead(this.#path)
    try {
      for await (const lines of linesOf(file)) {
        const first = lines[0]
        if (first === undefined) break
        return { ...this.#header(first), lines: () => this.#lines() }
      }
    } finally {
      await file.close()
    }
    throw new Broken(this.#path, 0, 'the file is empty')
  }

  async write({ graph, through, lines }: Snapshot): Promise<void> {
    const temporary = `${this.#path}.tmp`
    await this.#files.remove(temporary)
    const file = await this.#files.openToAppend(temporary, true)
    try {
      await writeAll(file, { graph, through, lines })
      await flushed(file, temporary)
    } catch (error) {
      await this.#files.remove(temporary).catch(() => undefined)
      throw error
    } finally {
      await file.close()
    }
    if (!this.#fence()) throw new Fatal('Another process has taken over the data folder.')
    await this.#files.rename(temporary, this.#path)
    await flushedFolder(this.#files, dirname(this.#path))
  }

  /** Every line is checked on its own, so that damage can be pointed at, and all together at the end. */
  async *#lines(): AsyncGenerator<readonly LogLine[]> {
    const file = await this.#files.openToRead(this.#path)
    try {
      let sum = 0
      let lastSeq = 0
      let count = 0
      let through = 0
      let previous: Line | undefined
      for await (const lines of linesOf(file)) {
        const good: LogLine[] = []
        for (const line of lines) {
          if (previous === undefined) through = this.#header(line).through
          else {
            sum = crc32(NEW_LINE, crc32(previous.bytes, sum))
            if (previous.offset > 0) {
              const frame = this.#frame(previous, lastSeq, line)
              lastSeq += frame.count
              count++
              good.push(frame)
            }
          }
          previous = line
        }
        if (good.length > 0) yield good
      }
      if (lastSeq !== through) throw new Broken(this.#path, 0, `it ends at record ${lastSeq}, not ${through}`)
      const footer = previous === undefined ? undefined : footerOf(count, sum)
      if (previous === undefined || !previous.ended || !footer?.equals(previous.bytes))
        throw new Broken(this.#path, previous?.offset ?? 0, 'the last line does not match what it closes')
    } finally {
      await file.close()
    }
  }

  #header(line: Line): { graph: string; through: number } {
    let header: unknown
    try {
      header = JSON.parse(`${line.bytes.toString()}]}`)
    } catch {
      throw new Broken(this.#path, 0, 'the header cannot be read')
    }
    if (!isHeader(header)) throw new Broken(this.#path, 0, 'the header cannot be read')
    if (header.format > SNAPSHOT_FORMAT)
      throw new Broken(
        this.#path,
        0,
        `its format is ${header.format} and this program knows ${SNAPSHOT_FORMAT}: a newer Loregraph wrote it`,
      )
    const { graph, through } = header
    if (!headerOf(graph, through).equals(line.bytes))
      throw new Broken(this.#path, 0, 'the header is not as it was written')
    return { graph, through }
  }

  #frame(line: Line, lastSeq: number, next: Line): LogLine {
    const last = !next.ended || next.bytes[0] === 0x5d
    const bytes = last ? line.bytes : line.bytes.subarray(0, -1)
    const head = isIntact(bytes) ? headOf(bytes) : undefined
    if (head === undefined || (!last && line.bytes.at(-1) !== 0x2c))
      throw new Broken(this.#path, line.offset, 'a record does not match its checksum')
    if (head.seq !== lastSeq + 1)
      throw new Broken(this.#path, line.offset, `record ${lastSeq + 1} is missing before this one`)
    return { ...head, offset: line.offset, bytes }
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
  await put(headerOf(graph, through))
  for await (const some of lines())
    for (const { bytes } of some) await put(count++ === 0 ? NEW_LINE : NEXT, bytes)
  await put(NEW_LINE)
  const footer = footerOf(count, sum)
  await put(footer, NEW_LINE)
  await flush()
}

/** A flush that fails leaves nobody knowing what is on disk. */
export async function flushed(file: OpenFile, path: string): Promise<void> {
  try {
    await file.datasync()
  } catch (error) {
    throw new Fatal(`Flushing ${path} failed.`, { cause: error })
  }
}

export async function flushedFolder(files: Files, path: string): Promise<void> {
  try {
    await files.syncFolder(path)
  } catch (error) {
    throw new Fatal(`Flushing the folder ${path} failed.`, { cause: error })
  }
}

function headerOf(graph: string, through: number): Buffer {
  return Buffer.from(JSON.stringify({ format: SNAPSHOT_FORMAT, graph, through, lines: [] }).slice(0, -2))
}

function footerOf(count: number, sum: number): Buffer {
  return Buffer.from(`],"count":${count},"crc32":"${sum.toString(16).padStart(8, '0')}"}`)
}

function isHeader(value: unknown): value is { format: number; graph: string; through: number } {
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
