import { createHash } from 'node:crypto'
import { sixBitAt, threeSixBitIn, toSixBit } from './six-bit.js'

/** Memories are gathered in blocks by their place in the order of recording; a term has one row for each block. */
export const BLOCK = 1024
/** The letters of an entry: 10 bits for the place in the block, 8 for the occurrences, 18 for the length of the memory. */
export const ENTRY = 6
/** The JSON store counts no further either. */
const MOST_COUNTED = 255
/** Longer than any memory of 64 KiB can be. */
const LONGEST = 2 ** 18 - 1
/** Longer than any word; what is longer is known by its hash, since an index takes no keys of any length. */
const LONGEST_TERM = 200

export function blockOf(seq: number): number {
  return Math.floor(seq / BLOCK)
}

/** That a memory of that length holds a term so many times. */
export function entryOf(seq: number, count: number, length: number): string {
  const head = (seq % BLOCK) * 2 ** 8 + Math.min(count, MOST_COUNTED)
  return toSixBit(head, 3) + toSixBit(Math.min(length, LONGEST), 3)
}

/** Place in the block and occurrences, as `placeIn` and `countIn` take them. */
export function headAt(entries: string, at: number): number {
  return sixBitAt(entries, at, 3)
}

/** The same of entries as bytes. */
export function headIn(letters: Uint8Array, at: number): number {
  return threeSixBitIn(letters, at)
}

export function placeIn(head: number): number {
  return head >>> 8
}

export function countIn(head: number): number {
  return head & 255
}

export function lengthAt(entries: string, at: number): number {
  return sixBitAt(entries, at + 3, 3)
}

export function lengthIn(letters: Uint8Array, at: number): number {
  return threeSixBitIn(letters, at + 3)
}

/** Where the entry of a place begins, the entries being in order of recording; -1 when there is none. */
export function findEntry(entries: string, place: number): number {
  let low = 0
  let high = entries.length / ENTRY - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = placeIn(headAt(entries, middle * ENTRY))
    if (found === place) return middle * ENTRY
    if (found < place) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** What a term is called in the database. Stems hold no white space, so that a hash cannot be mistaken for one. */
export function termKey(term: string): string {
  return term.length <= LONGEST_TERM ? term : `# ${createHash('sha256').update(term).digest('hex')}`
}
