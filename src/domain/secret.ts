import { crc32 } from 'node:zlib'

/** `lore_`, 256 random bits and a checksum over them: scanners can tell one from other text, and so can we. */
export const SECRET = /^lore_[A-Za-z0-9_-]{48}$/

const PREFIX = 'lore_'
const RANDOM_BYTES = 32
/** CRC-32 finds every change within 32 bits, hence every single wrong character. */
const CHECKSUM_BYTES = 4

/** Makes a secret of bytes from a source fit for cryptography. */
export function makeSecret(randomBytes: (size: number) => Uint8Array): string {
  const random = randomBytes(RANDOM_BYTES)
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32BE(crc32(random))
  return PREFIX + Buffer.concat([random, checksum]).toString('base64url')
}

/**
 * Whether a text that has the form of a secret cannot be one, because its checksum is wrong. Of a text of another form
 * nothing can be said: its owner may have chosen it.
 */
export function isMistyped(secret: string): boolean {
  if (!SECRET.test(secret)) return false
  const bytes = Buffer.from(secret.slice(PREFIX.length), 'base64url')
  return bytes.readUInt32BE(RANDOM_BYTES) !== crc32(bytes.subarray(0, RANDOM_BYTES))
}
