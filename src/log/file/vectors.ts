import { crc32 } from 'node:zlib'
import { DIMENSIONS } from '../../domain/meaning/nearness.js'
import type { MemoryId } from '../../domain/model.js'
import { replaceFile } from './disk/durable.js'
import type { Files, OpenFile } from './disk/files.js'

/** The vector of one memory as its file keeps it: the id, the bytes, and the checksum of both. */
export interface VectorRecord {
  readonly id: MemoryId
  readonly vector: Int8Array
}

const FORMAT = 1
/** `mem_` and a ULID. */
const ID_BYTES = 30
const CHECKED_BYTES = ID_BYTES + DIMENSIONS
const SUM_BYTES = 4
export const RECORD_BYTES = CHECKED_BYTES + SUM_BYTES

/** The first line of a file. One that differs in a byte is of another format or of another model, or is damaged. */
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

/** Undefined when the bytes are not what was written. The vector is a part of the bytes, not a copy. */
export function decodeRecord(bytes: Buffer): VectorRecord | undefined {
  if (bytes.readUInt32LE(CHECKED_BYTES) !== crc32(bytes.subarray(0, CHECKED_BYTES))) return undefined
  return {
    id: bytes.toString('latin1', 0, ID_BYTES),
    vector: new Int8Array(bytes.buffer, bytes.byteOffset + ID_BYTES, DIMENSIONS),
  }
}

/** How many records are read or written at once. */
const SOME = 500

/**
 * The vectors of one graph on disk: a header, then records of one length, in any order. What is added is not flushed:
 * a vector follows from its memory and is read again when it is missing.
 */
export class VectorFile {
  readonly #files: Files
  readonly #path: string
  readonly #header: Buffer
  #file: OpenFile | undefined
  /** How many records the file holds. */
  #count = 0

  constructor(files: Files, path: string, identity: string) {
    this.#files = files
    this.#path = path
    this.#header = encodeVectorHeader(identity)
  }

  /**
   * Gives each record with its place to `take`, which says whether it belongs there. Resolves to whether the file holds
   * nothing but records that do; no file holds nothing.
   */
  async open(take: (record: VectorRecord, place: number) => boolean): Promise<boolean> {
    if (this.#files.identify(this.#path) === undefined) return true
    this.#file = await this.#files.openToRead(this.#path)
    const header = await readFrom(this.#file, 0, this.#header.length)
    if (!header.equals(this.#header)) return false
    const { size } = this.#file.identity()
    this.#count = Math.floor((size - header.length) / RECORD_BYTES)
    let isClean = this.#end === size
    for (let start = 0; start < this.#count; start += SOME) {
      const count = Math.min(SOME, this.#count - start)
      const chunk = await readFrom(this.#file, this.#offset(start), count * RECORD_BYTES)
      for (let i = 0; i < count; i++) {
        const record = decodeRecord(chunk.subarray(i * RECORD_BYTES, (i + 1) * RECORD_BYTES))
        if (record === undefined || !take(record, start + i)) isClean = false
      }
    }
    return isClean
  }

  /** The vector at a place. Undefined when it cannot be read there, or is not that of this memory. */
  readNow(place: number, id: MemoryId): Int8Array | undefined {
    const bytes = Buffer.alloc(RECORD_BYTES)
    try {
      this.#file?.readNow(bytes, this.#offset(place))
    } catch {
      return undefined
    }
    const record = decodeRecord(bytes)
    return record?.id === id ? record.vector : undefined
  }

  /** Adds records and resolves to the place of the first. If it rejects, the next one begins where this one did. */
  async append(records: readonly VectorRecord[]): Promise<number> {
    if (this.#file === undefined) await this.replace([])
    const file = await this.#files.openToAppend(this.#path, false)
    try {
      if (file.identity().inode !== this.#file?.identity().inode)
        throw new Error(`${this.#path} was replaced.`)
      if (file.identity().size !== this.#end) await file.truncate(this.#end)
      const bytes = Buffer.concat(records.map(encodeRecord))
      await file.append(bytes)
      if (file.identity().size !== this.#end + bytes.length)
        throw new Error(`${this.#path} is written to by another process.`)
    } finally {
      await file.close()
    }
    const place = this.#count
    this.#count += records.length
    return place
  }

  /** Puts a new file with these records in the place of whatever is there; their places are in their order, from 0. */
  async replace(records: Iterable<VectorRecord>): Promise<void> {
    await this.close()
    let count = 0
    await replaceFile(this.#files, this.#path, async (file) => {
      let pending = [this.#header]
      for (const record of records) {
        pending.push(encodeRecord(record))
        count++
        if (pending.length < SOME) continue
        await file.append(Buffer.concat(pending))
        pending = []
      }
      await file.append(Buffer.concat(pending))
    })
    this.#file = await this.#files.openToRead(this.#path)
    this.#count = count
  }

  async remove(): Promise<void> {
    await this.close()
    await this.#files.remove(this.#path)
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    this.#count = 0
    await file?.close()
  }

  get #end(): number {
    return this.#offset(this.#count)
  }

  #offset(place: number): number {
    return this.#header.length + place * RECORD_BYTES
  }
}

/** As many bytes as asked for: zeros, which are no record, after the end of the file. */
async function readFrom(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await file.read(bytes, position)
  return bytes
}
