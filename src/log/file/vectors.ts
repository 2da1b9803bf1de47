import { crc32 } from 'node:zlib'
import { DIMENSIONS } from '../../domain/meaning/nearness.js'
import type { MemoryId } from '../../domain/model.js'
import type { VectorRecord, VectorStore } from '../../graph/embeddings.js'
import { replaceFile } from './disk/durable.js'
import type { Files, OpenFile } from './disk/files.js'
import { Queue } from './disk/queue.js'

const FORMAT = 1
/** A record is the id (`mem_` and a ULID), the bytes of the vector, and the checksum of both. */
const ID_BYTES = 30
const CHECKED_BYTES = ID_BYTES + DIMENSIONS
const SUM_BYTES = 4
export const RECORD_BYTES = CHECKED_BYTES + SUM_BYTES

/** The first line of a file. A file with any other first line has another format or another model, or is damaged. */
export function encodeVectorHeader(identity: string): Buffer {
  return Buffer.from(`${JSON.stringify({ format: FORMAT, vectors: identity })}\n`)
}

export function encodeRecord({ id, vector }: VectorRecord): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES)
  bytes.write(id, 'latin1')
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, DIMENSIONS), ID_BYTES)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, CHECKED_BYTES)), CHECKED_BYTES)
  return bytes
}

/** Undefined if the checksum does not match. The vector is a view of `bytes`, not a copy. */
export function decodeRecord(bytes: Buffer): VectorRecord | undefined {
  if (bytes.readUInt32LE(CHECKED_BYTES) !== crc32(bytes.subarray(0, CHECKED_BYTES))) return undefined
  return {
    id: bytes.toString('latin1', 0, ID_BYTES),
    vector: new Int8Array(bytes.buffer, bytes.byteOffset + ID_BYTES, DIMENSIONS),
  }
}

/** How many records are read or written at once. */
const BATCH_RECORDS = 500

/** The file with the vectors of a graph. */
export interface VectorLocation {
  readonly path: string
  readonly isWritable: boolean
}

/**
 * The vectors of one graph on disk: a header, then records of fixed length, in any order. Writes are not flushed, since a
 * missing vector is computed again from its memory. When the graph moves to another folder, each vector keeps its index.
 */
export class VectorFile implements VectorStore {
  readonly #files: Files
  readonly #header: Buffer
  readonly #onClose: (file: VectorFile) => void
  #location: VectorLocation | undefined
  #file: OpenFile | undefined
  /** Does the file hold vectors of this model, and not of another? */
  #isOurs = false
  /** The number of records in the file. */
  #count = 0
  readonly #queue = new Queue()

  /** `location` is undefined for a graph that is not on disk. */
  constructor(
    files: Files,
    location: VectorLocation | undefined,
    identity: string,
    onClose: (file: VectorFile) => void = () => undefined,
  ) {
    this.#files = files
    this.#location = location
    this.#header = encodeVectorHeader(identity)
    this.#onClose = onClose
  }

  open(
    isWanted: (id: MemoryId) => boolean,
    take: (record: VectorRecord, index: number) => void,
  ): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#location === undefined || this.#files.identify(this.#location.path) === undefined) return
      const seen = new Set<MemoryId>()
      const isNew = ({ id }: VectorRecord) => isWanted(id) && seen.size < seen.add(id).size
      const isClean = await this.#scan(isNew)
      seen.clear()
      if (!isClean && this.#location.isWritable) {
        await this.#replace(this.#recordsWanted(isNew))
        seen.clear()
      }
      await this.#scan((record, index) => {
        if (!isNew(record)) return false
        take(record, index)
        return true
      })
    })
  }

  readNow(index: number, id: MemoryId): Int8Array | undefined {
    const bytes = Buffer.alloc(RECORD_BYTES)
    try {
      this.#file?.readNow(bytes, this.#offset(index))
    } catch {
      return undefined
    }
    const record = decodeRecord(bytes)
    return record?.id === id ? record.vector : undefined
  }

  /** If it rejects, the next call overwrites these records. */
  append(records: readonly VectorRecord[]): Promise<number> {
    return this.#queue.run(async () => {
      if (this.#location === undefined) throw new Error('There is no such graph on disk.')
      if (this.#file === undefined || !this.#isOurs) await this.#replace([])
      const { path } = this.#location
      const file = await this.#files.openToAppend(path, false)
      try {
        if (file.identity().inode !== this.#file?.identity().inode) throw new Error(`${path} was replaced.`)
        if (file.identity().size !== this.#end) await file.truncate(this.#end)
        const bytes = Buffer.concat(records.map(encodeRecord))
        await file.append(bytes)
        if (file.identity().size !== this.#end + bytes.length)
          throw new Error(`${path} is written to by another process.`)
      } finally {
        await file.close()
      }
      const index = this.#count
      this.#count += records.length
      return index
    })
  }

  /**
   * Blocks writes, and resolves to a function that ends this. Call it with the new location of the vectors, which must have
   * the same indexes there, or with undefined when the graph was removed.
   */
  blockWrites(): Promise<(location: VectorLocation | undefined) => Promise<void>> {
    return new Promise((resolve) => {
      void this.#queue.run(
        () =>
          new Promise<void>((release) => {
            resolve((location) => this.#moveTo(location).finally(release))
          }),
      )
    })
  }

  close(): Promise<void> {
    return this.#queue.run(async () => {
      const file = this.#file
      this.#file = undefined
      this.#count = 0
      this.#onClose(this)
      await file?.close()
    })
  }

  async #moveTo(location: VectorLocation | undefined): Promise<void> {
    if (location?.path === this.#location?.path) return
    const before = this.#file
    let next: typeof before
    try {
      const isThere = location !== undefined && this.#files.identify(location.path) !== undefined
      // Vectors are read from the former file until the new one is open.
      if (before !== undefined && isThere) next = await this.#files.openToRead(location.path)
    } finally {
      this.#location = location
      this.#file = next
      if (next === undefined) this.#count = 0
      await before?.close()
    }
  }

  /** Opens the file and calls `take` with its records. Resolves to true if the file is intact and `take` accepted all. */
  async #scan(take: (record: VectorRecord, index: number) => boolean): Promise<boolean> {
    if (this.#location === undefined) return true
    this.#file ??= await this.#files.openToRead(this.#location.path)
    const header = await readFrom(this.#file, 0, this.#header.length)
    this.#isOurs = header.equals(this.#header)
    if (!this.#isOurs) return false
    const { size } = this.#file.identity()
    this.#count = Math.floor((size - header.length) / RECORD_BYTES)
    let isClean = this.#end === size
    let index = 0
    for await (const records of recordsIn(this.#file, header.length, this.#count))
      for (const bytes of records) {
        const record = decodeRecord(bytes)
        if (record === undefined || !take(record, index)) isClean = false
        index++
      }
    return isClean
  }

  /** The wanted records of the current file. */
  async *#recordsWanted(isWanted: (record: VectorRecord) => boolean): AsyncGenerator<VectorRecord> {
    if (this.#file === undefined || !this.#isOurs) return
    for await (const records of recordsIn(this.#file, this.#header.length, this.#count))
      for (const bytes of records) {
        const record = decodeRecord(bytes)
        if (record !== undefined && isWanted(record)) yield record
      }
  }

  /** Replaces the file by one with these records, in this order. */
  async #replace(records: AsyncIterable<VectorRecord> | Iterable<VectorRecord>): Promise<void> {
    if (this.#location === undefined) return
    const { path } = this.#location
    let count = 0
    await replaceFile(this.#files, path, async (file) => {
      let pending = [this.#header]
      for await (const record of records) {
        pending.push(encodeRecord(record))
        count++
        if (pending.length < BATCH_RECORDS) continue
        await file.append(Buffer.concat(pending))
        pending = []
      }
      await file.append(Buffer.concat(pending))
    })
    await this.#file?.close()
    this.#file = await this.#files.openToRead(path)
    this.#isOurs = true
    this.#count = count
  }

  get #end(): number {
    return this.#offset(this.#count)
  }

  #offset(index: number): number {
    return this.#header.length + index * RECORD_BYTES
  }
}

/**
 * Copies the vectors of a graph into its new folder. Overwrites removed vectors with zeros, which are no valid record, so that
 * the others keep their indexes. The next opening removes the gaps.
 */
export async function copyVectors(
  files: Files,
  from: string,
  to: string,
  without: ReadonlySet<MemoryId>,
): Promise<void> {
  if (files.identify(from) === undefined) return
  const file = await files.openToRead(from)
  try {
    const { size } = file.identity()
    const start = await readFrom(file, 0, Math.min(MAX_HEADER_BYTES, size))
    const header = start.subarray(0, start.indexOf('\n') + 1)
    if (header.length === 0) return
    await replaceFile(files, to, async (copy) => {
      await copy.append(header)
      const whole = Math.floor((size - header.length) / RECORD_BYTES)
      for await (const records of recordsIn(file, header.length, whole)) {
        for (const bytes of without.size === 0 ? [] : records) {
          const record = decodeRecord(bytes)
          // The memory of a damaged record is unknown, so it is removed, too.
          if (record === undefined || without.has(record.id)) bytes.fill(0)
        }
        await copy.append(Buffer.concat(records))
      }
    })
  } finally {
    await file.close()
  }
}

const MAX_HEADER_BYTES = 64 * 1024

/** The bytes of the first `count` records behind the header of a file, in batches. */
async function* recordsIn(file: OpenFile, start: number, count: number): AsyncGenerator<readonly Buffer[]> {
  for (let first = 0; first < count; first += BATCH_RECORDS) {
    const length = Math.min(BATCH_RECORDS, count - first)
    const chunk = await readFrom(file, start + first * RECORD_BYTES, length * RECORD_BYTES)
    yield Array.from({ length }, (_, i) => chunk.subarray(i * RECORD_BYTES, (i + 1) * RECORD_BYTES))
  }
}

/** Reads `length` bytes; bytes after the end of the file are zeros, which are no valid record. */
async function readFrom(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await file.read(bytes, position)
  return bytes
}
