import { sixBitAt, toSixBit } from './six-bit.js'

/** Contexts are gathered in blocks by their number; a gram has one row for each block. */
const BLOCK = 2048
export const GRAM_ENTRY = 2

export function gramBlockOf(contextNo: number): number {
  return Math.floor(contextNo / BLOCK)
}

export function gramEntryOf(contextNo: number): string {
  return toSixBit(contextNo % BLOCK, GRAM_ENTRY)
}

/** The contexts of a block that are in every one of the lists, each of which names a context once. */
export function inAll(block: number, lists: readonly string[]): number[] {
  const counts = new Uint16Array(BLOCK)
  for (const entries of lists)
    for (let i = 0; i + GRAM_ENTRY <= entries.length; i += GRAM_ENTRY) {
      const place = sixBitAt(entries, i, GRAM_ENTRY)
      counts[place] = (counts[place] ?? 0) + 1
    }
  const found: number[] = []
  for (let place = 0; place < BLOCK; place++)
    if (counts[place] === lists.length) found.push(block * BLOCK + place)
  return found
}
