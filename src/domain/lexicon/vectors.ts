import { Memo } from '../memo.js'

/** Below this cosine two vectors say nothing about their words. */
const LEAST_COSINE = 0.4
const ONE = 127 * 127

/** How many words' products with all others are remembered, at two bytes each: what is asked about keeps coming back. */
const MOST_REMEMBERED = 600
/** In place of a product: not worked out yet, and too small to matter. */
const UNKNOWN = 0
const SMALL = 1

/** Words as unit vectors, a signed byte a dimension, 127 standing for 1. */
export class Vectors {
  readonly #rows: ReadonlyMap<string, number>
  readonly #vectors: Int8Array
  readonly #dimensions: number
  readonly #products = new Memo<number, Uint16Array>(MOST_REMEMBERED)

  /** `vectors` are in the order of the words. */
  constructor(words: readonly string[], vectors: Int8Array) {
    this.#rows = new Map(words.map((word, row) => [word, row]))
    this.#vectors = vectors
    this.#dimensions = vectors.length / words.length
  }

  rowOf(word: string): number | undefined {
    return this.#rows.get(word)
  }

  /** 0..1: the similarity of the word of a row to each of some words, 0 where one is not known; written into `embedding`. */
  compare(words: readonly string[]): (other: number, embedding: Float64Array) => void {
    const asked = words.flatMap((word, place) => {
      const row = this.rowOf(word)
      return row === undefined ? [] : [{ place, row, products: this.#productsOf(row) }]
    })
    return (other, embedding) => {
      for (const { place, row, products } of asked) {
        let product = products[other] ?? UNKNOWN
        if (product === UNKNOWN) {
          product = Math.max(SMALL, this.#product(row, other))
          products[other] = product
        }
        embedding[place] = Math.max(0, product / ONE - LEAST_COSINE) / (1 - LEAST_COSINE)
      }
    }
  }

  #productsOf(row: number): Uint16Array {
    const known = this.#products.get(row)
    if (known !== undefined) return known
    const products = new Uint16Array(this.#rows.size)
    this.#products.set(row, products)
    return products
  }

  #product(row: number, other: number): number {
    const vectors = this.#vectors
    const from = row * this.#dimensions
    const compare = other * this.#dimensions
    let product = 0
    for (let i = 0; i < this.#dimensions; i++)
      product += (vectors[from + i] ?? 0) * (vectors[compare + i] ?? 0)
    return product
  }
}
