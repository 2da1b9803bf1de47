/** What the statements of a graph add up to is kept for so many numbers of them at a time; the tables rely on it, so that it never changes. */
export const TOTALS = 256

/** What some statements add up to: how many memories, how long these are in all, and the latest time told of. */
export interface Totals {
  memories: number
  length: number
  newestAt: string
}
