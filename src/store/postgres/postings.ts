import { createHash } from 'node:crypto'

/** Memories are gathered in blocks by their place in the order of recording; a term has one row for each block. */
export const BLOCK = 1024

/** Place in the block (2 bytes), occurrences (1) and length of the memory (3): a full block fits a page of the database. */
export const ENTRY = 6
/** The JSON store counts no further either. */
const MOST_COUNTED = 255
/** Longer than any word; what is longer is known by its hash, since an index takes no keys of any length. */
const LONGEST = 200

export function blockOf(seq: number): number {
  return Math.floor(seq / BLOCK)
}

/** One entry as bytes, added to the end of `into`. */
export function putEntry(into: number[], seq: number, count: number, length: number): void {
  const place = seq % BLOCK
  into.push(
    place >>> 8,
    place & 255,
    Math.min(count, MOST_COUNTED),
    (length >>> 16) & 255,
    (length >>> 8) & 255,
    length & 255,
  )
}

/** Gives every entry of a block, in order. */
export function eachEntry(
  block: number,
  entries: Uint8Array,
  visit: (seq: number, count: number, length: number) => void,
): void {
  const first = block * BLOCK
  for (let i = 0; i + ENTRY <= entries.length; i += ENTRY) {
    const place = ((entries[i] ?? 0) << 8) | (entries[i + 1] ?? 0)
    const length = ((entries[i + 3] ?? 0) << 16) | ((entries[i + 4] ?? 0) << 8) | (entries[i + 5] ?? 0)
    visit(first + place, entries[i + 2] ?? 0, length)
  }
}

/** The entries of a block without those of some memories. */
export function withoutEntries(block: number, entries: Uint8Array, gone: ReadonlySet<number>): Buffer {
  const kept: number[] = []
  eachEntry(block, entries, (seq, count, length) => {
    if (!gone.has(seq)) putEntry(kept, seq, count, length)
  })
  return Buffer.from(kept)
}

/** What a term is called in the database. Stems hold no white space, so that a hash cannot be mistaken for one. */
export function termKey(term: string): string {
  return term.length <= LONGEST ? term : `# ${createHash('sha256').update(term).digest('hex')}`
}
