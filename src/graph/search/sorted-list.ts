import { countWhile } from '../../domain/in-order.js'

const FEW = 64

/** Items in order, added one at a time and sorted when they are read. */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number
  #sorted: T[] = []
  #added: T[] = []

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  /** The caller adds each item once. */
  add(item: T): void {
    this.#added.push(item)
  }

  get length(): number {
    return this.#sorted.length + this.#added.length
  }

  values(): readonly T[] {
    if (this.#added.length > FEW) this.#sorted = this.#sorted.concat(this.#added).sort(this.#compare)
    else for (const item of this.#added) this.#sorted.splice(this.#place(item), 0, item)
    this.#added = []
    return this.#sorted
  }

  #place(item: T): number {
    return countWhile(this.#sorted, (other) => this.#compare(other, item) < 0)
  }
}
