import { crc32 } from 'node:zlib'
import type { Adapter } from 'lowdb'
import type { Files, OpenFile } from '../disk/files.js'
import { replaceFile } from '../disk/replace.js'
import type { Fence } from '../log/log.js'
import type { LogLine } from '../log/scan.js'
import {
  footerOf,
  headerOf,
  readSnapshotHeader,
  readSnapshotLines,
  type SnapshotHeader,
} from './snapshot-lines.js'

/** All lines of a graph's log up to `through`, oldest first. They are read and written as they go, never all at once. */
export interface Snapshot extends SnapshotHeader {
  readonly lines: () => AsyncIterable<readonly LogLine[]>
}

const CHUNK = 256 * 1024
const NEW_LINE = Buffer.from('\n')
const NEXT = Buffer.from(',\n')

/**
 * What lowdb reads and writes a snapshot through. The file is one JSON document with one line per write, each with its
 * own checksum, and a last line with the checksum of all before it.
 */
export class SnapshotFile implements Adapter<Snapshot> {
  readonly #files: Files
  readonly #path: string
  readonly #fence: Fence

  constructor(files: Files, path: string, fence: Fence) {
    this.#files = files
    this.#path = path
    this.#fence = fence
  }

  async read(): Promise<Snapshot | null> {
    if (this.#files.identify(this.#path) === undefined) return null
    const file = await this.#files.openToRead(this.#path)
    try {
      return { ...(await readSnapshotHeader(file, this.#path)), lines: () => this.#lines() }
    } finally {
      await file.close()
    }
  }

  write(snapshot: Snapshot): Promise<void> {
    return replaceFile(this.#files, this.#path, this.#fence, (file) => writeAll(file, snapshot))
  }

  async *#lines(): AsyncGenerator<readonly LogLine[]> {
    const file = await this.#files.openToRead(this.#path)
    try {
      yield* readSnapshotLines(file, this.#path)
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
    for (const { bytes } of some) await put(count++ === 0 ? NEW_LINE : NEXT, bytes)
  await put(NEW_LINE)
  const footer = footerOf(count, sum)
  await put(footer, NEW_LINE)
  await flush()
}
