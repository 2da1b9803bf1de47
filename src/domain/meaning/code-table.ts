import type { CodeScan } from './code-scan.js'
import { CODE_WORDS, cosineTo, toCode, writeCode } from './nearness.js'

/** How many memories, by their codes, are compared by their bytes, however few are asked for. */
const NEAREST_CODES = 200

const FIRST_ROWS = 64

/** The codes of the memories of one graph, by row, in order of recording; a row without a code is not found. */
export class CodeTable {
  #codes = new Uint32Array(FIRST_ROWS * CODE_WORDS)
  #isRead = new Uint8Array(FIRST_ROWS)
  /** One more than the last row that has a code. */
  #end = 0
  #size = 0

  /** How many rows have a code. */
  get size(): number {
    return this.#size
  }

  /** How many of the first rows have a code. */
  countAmong(rows: number): number {
    if (rows >= this.#end) return this.#size
    let count = 0
    for (let row = 0; row < rows; row++) if (this.has(row)) count++
    return count
  }

  has(row: number): boolean {
    return this.#isRead[row] === 1
  }

  put(row: number, vector: Int8Array): void {
    this.#makeRoom(row + 1)
    writeCode(vector, this.#codes, row)
    if (!this.has(row)) this.#size += 1
    this.#isRead[row] = 1
    this.#end = Math.max(this.#end, row + 1)
  }

  remove(row: number): void {
    if (!this.has(row)) return
    this.#isRead[row] = 0
    this.#size -= 1
  }

  /** The rows whose codes are nearest to that of a vector: those among which the nearest are looked for by their bytes. */
  candidates(
    scan: CodeScan,
    vector: Int8Array,
    limit: number,
    admits: (row: number) => boolean = () => true,
  ): number[] {
    const most = Math.max(NEAREST_CODES, limit)
    return scan.nearest(
      this.#codes,
      this.#end,
      toCode(vector),
      most,
      (row) => this.#isRead[row] === 1 && admits(row),
    )
  }

  #makeRoom(rows: number): void {
    if (rows <= this.#isRead.length) return
    const room = Math.max(rows, 2 * this.#isRead.length)
    const codes = new Uint32Array(room * CODE_WORDS)
    codes.set(this.#codes)
    const isRead = new Uint8Array(room)
    isRead.set(this.#isRead)
    this.#codes = codes
    this.#isRead = isRead
  }
}

/** Those of the candidates that are nearest to a vector by cosine, the nearest first, ties by row. */
export function nearestOf<Candidate extends { readonly row: number; readonly vector: Int8Array }>(
  candidates: readonly Candidate[],
  asked: Int8Array,
  limit: number,
): Candidate[] {
  const nearnessOf = cosineTo(asked)
  return candidates
    .map((candidate) => ({ candidate, nearness: nearnessOf(candidate.vector) }))
    .sort((a, b) => b.nearness - a.nearness || a.candidate.row - b.candidate.row)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}
