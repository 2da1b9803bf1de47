import { CODE_WORDS } from '../../../domain/meaning/nearness.js'

const WORD = 4
export const CODE_BYTES = WORD * CODE_WORDS

/** A code as it is kept: the lowest byte of each number first, whatever machine wrote it. */
export function codeToBytes(code: Uint32Array): Buffer {
  const bytes = Buffer.alloc(CODE_BYTES)
  for (let word = 0; word < CODE_WORDS; word++) bytes.writeUInt32LE(code[word] ?? 0, WORD * word)
  return bytes
}

/** Reads the code that begins at `offset` into `code`. */
export function readCode(bytes: Buffer, offset: number, code: Uint32Array): void {
  for (let word = 0; word < CODE_WORDS; word++) code[word] = bytes.readUInt32LE(offset + WORD * word)
}
