/** What waits, by key: each key has its turn, and within a key who came first. */
export class FairQueue<T> {
  readonly #waiting = new Map<string, T[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  /** How many keys have something that waits. */
  get keys(): number {
    return this.#waiting.size
  }

  /** What waits of one key, who came first in front. */
  of(key: string): readonly T[] {
    return this.#waiting.get(key) ?? []
  }

  push(key: string, item: T): void {
    const own = this.#waiting.get(key)
    if (own === undefined) this.#waiting.set(key, [item])
    else own.push(item)
    this.#length++
  }

  shift(): T | undefined {
    for (const [key, own] of this.#waiting) {
      const item = own.shift()
      // The key goes behind the others.
      this.#waiting.delete(key)
      if (own.length > 0) this.#waiting.set(key, own)
      this.#length--
      return item
    }
    return undefined
  }
}
