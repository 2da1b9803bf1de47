import { crc32 } from 'node:zlib'
import { DIMENSIONS } from '../../../domain/meaning/nearness.js'
import type { MemoryId } from '../../../domain/model.js'

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
