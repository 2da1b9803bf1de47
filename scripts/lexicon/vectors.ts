import { readFile } from 'node:fs/promises'

export interface Vectors {
  readonly words: readonly string[]
  /** One byte a dimension, `dimensions` bytes a word: unit vectors, 127 standing for 1. */
  readonly bytes: Int8Array
  readonly dimensions: number
}

interface Embeddings {
  readonly dimensions: number
  /** The commonest first. */
  readonly words: readonly string[]
  readonly vectors: Readonly<Record<string, readonly number[]>>
}

const WORD = /^[a-z]{2,}$/

/** The vectors of the commonest words, cut down to a byte a dimension. */
export async function commonest(file: string, count: number): Promise<Vectors> {
  // The package's own file, whose shape its documentation states.
  const { dimensions, words, vectors } = JSON.parse(await readFile(file, 'utf8')) as Embeddings
  const chosen = words.filter((word) => WORD.test(word) && vectors[word] !== undefined).slice(0, count)
  const bytes = new Int8Array(chosen.length * dimensions)
  chosen.forEach((word, row) => {
    const vector = (vectors[word] ?? []).slice(0, dimensions)
    const length = Math.hypot(...vector)
    vector.forEach((value, i) => {
      bytes[row * dimensions + i] = Math.round((127 * value) / length)
    })
  })
  return { words: chosen, bytes, dimensions }
}
