import { CODE_WORDS, DIMENSIONS } from './nearness.js'
import type { ScanProgram } from './programs.js'

/** Finds the codes that are nearest to one, among the packed codes of a graph: nothing is approximate. */
export class CodeScan {
  readonly #program: ScanProgram
  readonly #asked: Uint32Array
  readonly #codes: Uint32Array
  readonly #some: Uint16Array
  #distances = new Uint16Array(0)

  constructor(program: ScanProgram) {
    const { buffer } = program.memory
    const most = program.MOST_CODES.value
    this.#program = program
    this.#asked = new Uint32Array(buffer, program.ASKED.value, CODE_WORDS)
    this.#codes = new Uint32Array(buffer, program.CODES.value, most * CODE_WORDS)
    this.#some = new Uint16Array(buffer, program.DISTANCES.value, most)
  }

  /**
   * The rows of the nearest codes among the first `count`, nearest first and the earlier first of two that are equally
   * near; at most `most` of those that `admits` lets through.
   */
  nearest(
    codes: Uint32Array,
    count: number,
    asked: Uint32Array,
    most: number,
    admits: (row: number) => boolean = () => true,
  ): number[] {
    const distances = this.#measure(codes, count, asked)
    const counts = countsOf(distances)
    for (let wanted = most; ; wanted *= 4) {
      const rows = within(distances, counts, wanted)
      const found: number[] = []
      for (const row of rows) {
        if (found.length === most) break
        if (admits(row)) found.push(row)
      }
      if (found.length === most || rows.length === count) return found
    }
  }

  /** Part by part through the program's memory, which stays small whatever the size of the graph. */
  #measure(codes: Uint32Array, count: number, asked: Uint32Array): Uint16Array {
    if (this.#distances.length < count) this.#distances = new Uint16Array(Math.ceil(count * 1.25))
    const distances = this.#distances.subarray(0, count)
    const most = this.#some.length
    this.#asked.set(asked)
    for (let row = 0; row < count; row += most) {
      const some = Math.min(most, count - row)
      this.#codes.set(codes.subarray(row * CODE_WORDS, (row + some) * CODE_WORDS))
      this.#program.scan(some)
      distances.set(some === most ? this.#some : this.#some.subarray(0, some), row)
    }
    return distances
  }
}

function countsOf(distances: Uint16Array): Uint32Array {
  const counts = new Uint32Array(DIMENSIONS + 1)
  for (let row = 0; row < distances.length; row++) {
    const distance = distances[row] ?? 0
    counts[distance] = (counts[distance] ?? 0) + 1
  }
  return counts
}

/** At least `wanted` rows, if there are as many: all of each distance, in order. */
function within(distances: Uint16Array, counts: Uint32Array, wanted: number): Uint32Array {
  const starts = new Uint32Array(DIMENSIONS + 1)
  let total = 0
  let last = -1
  while (last < DIMENSIONS && total < wanted) {
    last += 1
    starts[last] = total
    total += counts[last] ?? 0
  }
  const rows = new Uint32Array(total)
  for (let row = 0; row < distances.length; row++) {
    const distance = distances[row] ?? 0
    if (distance > last) continue
    const place = starts[distance] ?? 0
    rows[place] = row
    starts[distance] = place + 1
  }
  return rows
}
