/** The best few of many, in order; those that come first by `compare` are the best. */
export function bestOf<T>(items: Iterable<T>, most: number, compare: (a: T, b: T) => number): T[] {
  const best = new Best(most, compare)
  for (const item of items) best.add(item)
  return best.inOrder()
}

/** The same of items that come one by one. */
export class Best<T> {
  readonly #most: number
  readonly #compare: (a: T, b: T) => number
  /** Cut when there are twice as many as wanted: on average, an item costs no more than in a heap. */
  #kept: T[] = []
  /** No item that is not better than this one is kept. */
  #limit: T | undefined

  constructor(most: number, compare: (a: T, b: T) => number) {
    this.#most = most
    this.#compare = compare
  }

  add(item: T): void {
    if (this.#limit !== undefined && this.#compare(item, this.#limit) >= 0) return
    this.#kept.push(item)
    if (this.#kept.length < 2 * this.#most) return
    this.#kept = this.inOrder()
    this.#limit = this.#kept.at(-1)
  }

  inOrder(): T[] {
    return this.#kept.toSorted(this.#compare).slice(0, this.#most)
  }
}
