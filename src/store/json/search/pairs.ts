const COUNT_BITS = 8
const MOST_COUNTED = 2 ** COUNT_BITS - 1

/** The largest number that shares 32 bits with a count. */
export const MOST_NUMBERED = 2 ** (32 - COUNT_BITS) - 1

/** The number of a document and how often (255 at most), in 32 bits. */
export function pairOf(number: number, count: number): number {
  return number * 2 ** COUNT_BITS + Math.min(count, MOST_COUNTED)
}

export function numberIn(pair: number): number {
  return pair >>> COUNT_BITS
}

export function countIn(pair: number): number {
  return pair & MOST_COUNTED
}
