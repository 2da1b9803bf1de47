import { countWhile } from '../../domain/in-order.js'

/** More new items than this are sorted together with the others; fewer are inserted one by one. */
const MAX_INSERTED = 64

/** A list that is sorted when it is read. */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number
  #sorted: T[] = []
  #added: T[] = []

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  /** Does not check for duplicates. */
  add(item: T): void {
    this.#added.push(item)
  }

  get length(): number {
    return this.#sorted.length + this.#added.length
  }

  values(): readonly T[] {
    if (this.#added.length > MAX_INSERTED) this.#sorted = this.#sorted.concat(this.#added).sort(this.#compare)
    else for (const item of this.#added) this.#sorted.splice(this.#indexFor(item), 0, item)
    this.#added = []
    return this.#sorted
  }

  #indexFor(item: T): number {
    return countWhile(this.#sorted, (other) => this.#compare(other, item) < 0)
  }
}
