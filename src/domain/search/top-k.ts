export interface Scored {
  readonly document: number
  readonly score: number
}

/** Keeps the best few of many: higher scores first, then lower numbers. */
export class Top {
  readonly #limit: number
  /** A heap with the worst on top. */
  readonly #heap: Scored[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(document: number, score: number): void {
    const heap = this.#heap
    const worst = heap[0]
    if (heap.length < this.#limit) {
      heap.push({ document, score })
      this.#rise(heap.length - 1)
    } else if (
      worst !== undefined &&
      (score > worst.score || (score === worst.score && document < worst.document))
    ) {
      heap[0] = { document, score }
      this.#sink()
    }
  }

  /** Best first. */
  ranked(): Scored[] {
    return [...this.#heap].sort((a, b) => b.score - a.score || a.document - b.document)
  }

  #rise(from: number): void {
    for (let child = from; child > 0; ) {
      const parent = (child - 1) >>> 1
      if (!this.#swapped(parent, child)) return
      child = parent
    }
  }

  #sink(): void {
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1
      const right = left + 1
      const worse = this.#isWorse(right, left) ? right : left
      if (!this.#swapped(parent, worse)) return
      parent = worse
    }
  }

  /** Puts the worse of the two above; false when it already is. */
  #swapped(parent: number, child: number): boolean {
    const above = this.#heap[parent]
    const below = this.#heap[child]
    if (above === undefined || below === undefined || !this.#isWorse(child, parent)) return false
    this.#heap[parent] = below
    this.#heap[child] = above
    return true
  }

  #isWorse(a: number, b: number): boolean {
    const left = this.#heap[a]
    const right = this.#heap[b]
    if (left === undefined || right === undefined) return false
    return left.score < right.score || (left.score === right.score && left.document > right.document)
  }
}
