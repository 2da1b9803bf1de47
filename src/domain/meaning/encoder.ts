import { DIMENSIONS } from './nearness.js'
import type { EncoderProgram } from './programs.js'
import type { WordPieces } from './word-pieces.js'

/** Texts → unit vectors of 384 numbers: the same text, the same bytes, on every machine. */
export class Encoder {
  readonly #program: EncoderProgram
  readonly #words: WordPieces
  readonly #tokens: Int32Array
  readonly #vector: Float32Array

  /** The weights are in the program's memory already, and `words` are of their vocabulary. */
  constructor(program: EncoderProgram, words: WordPieces) {
    const { memory, TOKENS, MAX_TOKENS, VECTOR } = program
    this.#program = program
    this.#words = words
    this.#tokens = new Int32Array(memory.buffer, TOKENS.value, MAX_TOKENS.value)
    this.#vector = new Float32Array(memory.buffer, VECTOR.value, DIMENSIONS)
  }

  /** A text of more tokens than the program reads at once is read in windows; its vector is their mean. */
  encode(text: string): Float32Array {
    const size = this.#tokens.length
    const windows = windowsOf(this.#words.idsOf(text, mostTokens(size)), size)
    return meanOf(windows.map((ids) => this.encodeIds(ids)))
  }

  /** `ids` are of the vocabulary, at least one and at most 96. */
  encodeIds(ids: readonly number[]): Float32Array {
    this.#tokens.set(ids)
    this.#program.encode(ids.length)
    return this.#vector.slice()
  }
}

/** The mean of unit vectors, at unit length. */
function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors
  if (first !== undefined && vectors.length === 1) return first
  const sums = new Float64Array(DIMENSIONS)
  for (const vector of vectors)
    for (let i = 0; i < DIMENSIONS; i++) sums[i] = (sums[i] ?? 0) + (vector[i] ?? 0)
  let squares = 0
  for (const sum of sums) squares += sum * sum
  const length = Math.sqrt(squares)
  return Float32Array.from(sums, (sum) => (length === 0 ? 0 : sum / length))
}

/** Tokens that a window shares with the one before, so that no sentence is cut in both. */
const COMMON = 16
/** A longer text is read no further: its first 328 word pieces say what it is about. */
const MAX_WINDOWS = 4

/** How many tokens of a text are read in all, with windows of `size`, the marks of its two ends included. */
export function mostTokens(size: number): number {
  return size + (MAX_WINDOWS - 1) * stepOf(size)
}

/** The ids of a text in windows of at most `size`, each between the marks of the two ends. */
export function windowsOf(ids: readonly number[], size: number): (readonly number[])[] {
  if (ids.length <= size) return [ids]
  const windows: (readonly number[])[] = []
  const [first, last] = [ids.slice(0, 1), ids.slice(-1)]
  const inner = ids.slice(1, -1)
  for (let start = 0; start + COMMON < inner.length; start += stepOf(size))
    windows.push([...first, ...inner.slice(start, start + size - 2), ...last])
  return windows
}

function stepOf(size: number): number {
  return size - 2 - COMMON
}
