import { crc32 } from 'node:zlib'
import { DIMENSIONS } from '../../domain/meaning/nearness.js'
import type { MemoryId } from '../../domain/model.js'
import type { VectorRecord, VectorStore } from '../../graph/embeddings.js'
import { replaceFile } from './disk/durable.js'
import type { Files, OpenFile } from './disk/files.js'

const FORMAT = 1
/** A record is the id (`mem_` and a ULID), the bytes of the vector, and the checksum of both. */
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

/** Where the vectors of a graph are now. */
export interface VectorPlace {
  readonly path: string
  /** Whether anything may be written there. */
  readonly isOurs: boolean
}

/**
 * The vectors of one graph on disk: a header, then records of one length, in any order. What is added is not flushed: a
 * vector is derived from its memory and is computed again when it is missing. When the graph moves to another folder, its
 * vectors keep their places in the new file.
 */
export class VectorFile implements VectorStore {
  readonly #files: Files
  readonly #header: Buffer
  readonly #closed: (file: VectorFile) => void
  #place: VectorPlace | undefined
  #file: OpenFile | undefined
  /** How many records the file holds. */
  #count = 0
  #queue: Promise<unknown> = Promise.resolve()

  /** `place` is undefined for a graph that is not on disk; `closed` is called when nothing is read from it any more. */
  constructor(
    files: Files,
    place: VectorPlace | undefined,
    identity: string,
    closed: (file: VectorFile) => void = () => undefined,
  ) {
    this.#files = files
    this.#place = place
    this.#header = encodeVectorHeader(identity)
    this.#closed = closed
  }

  open(
    isWanted: (id: MemoryId) => boolean,
    take: (record: VectorRecord, place: number) => void,
  ): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#place === undefined || this.#files.identify(this.#place.path) === undefined) return
      const seen = new Set<MemoryId>()
      const isNew = ({ id }: VectorRecord) => isWanted(id) && seen.size < seen.add(id).size
      if ((await this.#scan(isNew)) || !this.#place.isOurs) seen.clear()
      else {
        seen.clear()
        await this.#replace(this.#wanted(isNew))
        seen.clear()
      }
      await this.#scan((record, place) => {
        if (!isNew(record)) return false
        take(record, place)
        return true
      })
    })
  }

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

  /** If it rejects, the next one begins where this one did. */
  append(records: readonly VectorRecord[]): Promise<number> {
    return this.#inTurn(async () => {
      if (this.#place === undefined) throw new Error('There is no such graph on disk.')
      if (this.#file === undefined) await this.#replace([])
      const { path } = this.#place
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
      const place = this.#count
      this.#count += records.length
      return place
    })
  }

  /**
   * Resolves when nothing is written, and keeps it so until what it gives is called: with where the vectors are from then on,
   * at the same places, or with undefined when the graph is gone.
   */
  hold(): Promise<(place: VectorPlace | undefined) => Promise<void>> {
    return new Promise((resolve) => {
      void this.#inTurn(
        () =>
          new Promise<void>((over) => {
            resolve((place) => this.#moveTo(place).finally(over))
          }),
      )
    })
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      const file = this.#file
      this.#file = undefined
      this.#count = 0
      this.#closed(this)
      await file?.close()
    })
  }

  async #moveTo(place: VectorPlace | undefined): Promise<void> {
    if (place?.path === this.#place?.path) return
    const before = this.#file
    this.#file = undefined
    this.#place = place
    try {
      if (before === undefined || place === undefined || this.#files.identify(place.path) === undefined)
        this.#count = 0
      else this.#file = await this.#files.openToRead(place.path)
    } finally {
      await before?.close()
    }
  }

  /**
   * Opens the file and gives `take` its records; `take` says whether one belongs there. Resolves to whether the file holds
   * nothing else.
   */
  async #scan(take: (record: VectorRecord, place: number) => boolean): Promise<boolean> {
    if (this.#place === undefined) return true
    this.#file ??= await this.#files.openToRead(this.#place.path)
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

  /** The records of the file as it is that are wanted. */
  async *#wanted(isWanted: (record: VectorRecord) => boolean): AsyncGenerator<VectorRecord> {
    const file = this.#file
    if (file === undefined || !(await readFrom(file, 0, this.#header.length)).equals(this.#header)) return
    for (let start = 0; start < this.#count; start += SOME) {
      const count = Math.min(SOME, this.#count - start)
      const chunk = await readFrom(file, this.#offset(start), count * RECORD_BYTES)
      for (let i = 0; i < count; i++) {
        const record = decodeRecord(chunk.subarray(i * RECORD_BYTES, (i + 1) * RECORD_BYTES))
        if (record !== undefined && isWanted(record)) yield record
      }
    }
  }

  /** Puts a new file with these records where another one may be; their places are in their order, from 0. */
  async #replace(records: AsyncIterable<VectorRecord> | Iterable<VectorRecord>): Promise<void> {
    if (this.#place === undefined) return
    const { path } = this.#place
    let count = 0
    await replaceFile(this.#files, path, async (file) => {
      let pending = [this.#header]
      for await (const record of records) {
        pending.push(encodeRecord(record))
        count++
        if (pending.length < SOME) continue
        await file.append(Buffer.concat(pending))
        pending = []
      }
      await file.append(Buffer.concat(pending))
    })
    await this.#file?.close()
    this.#file = await this.#files.openToRead(path)
    this.#count = count
  }

  get #end(): number {
    return this.#offset(this.#count)
  }

  #offset(place: number): number {
    return this.#header.length + place * RECORD_BYTES
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => undefined)
    return done
  }
}

/**
 * Copies the vectors of a graph into its new folder, with zeros, which are no record, in the place of those that go: all others
 * keep their places. The next opening removes the gaps.
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
    const start = await readFrom(file, 0, Math.min(LONGEST_HEADER, size))
    const header = start.subarray(0, start.indexOf('\n') + 1)
    if (header.length === 0) return
    await replaceFile(files, to, async (copy) => {
      await copy.append(header)
      const whole = Math.floor((size - header.length) / RECORD_BYTES)
      for (let at = 0; at < whole; at += SOME) {
        const count = Math.min(SOME, whole - at)
        const chunk = await readFrom(file, header.length + at * RECORD_BYTES, count * RECORD_BYTES)
        for (let i = 0; i < count; i++) {
          const bytes = chunk.subarray(i * RECORD_BYTES, (i + 1) * RECORD_BYTES)
          const record = without.size === 0 ? undefined : decodeRecord(bytes)
          // Whose vector a damaged one is cannot be known.
          if (without.size > 0 && (record === undefined || without.has(record.id))) bytes.fill(0)
        }
        await copy.append(chunk)
      }
    })
  } finally {
    await file.close()
  }
}

const LONGEST_HEADER = 64 * 1024

/** As many bytes as asked for: zeros, which are no record, after the end of the file. */
async function readFrom(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await file.read(bytes, position)
  return bytes
}
