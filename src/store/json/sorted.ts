import { byCodeUnit } from '../../domain/names.js'

const FEW = 64

/** Strings in order, added one at a time without being sorted until somebody looks. */
export class SortedStrings {
  #sorted: string[] = []
  #added: string[] = []

  /** The caller adds each string once. */
  add(value: string): void {
    this.#added.push(value)
  }

  get length(): number {
    return this.#sorted.length + this.#added.length
  }

  values(): readonly string[] {
    if (this.#added.length > FEW) this.#sorted = this.#sorted.concat(this.#added).sort(byCodeUnit)
    else for (const value of this.#added) this.#sorted.splice(this.#place(value), 0, value)
    this.#added = []
    return this.#sorted
  }

  #place(value: string): number {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sorted[middle] ?? '') < value) low = middle + 1
      else high = middle
    }
    return low
  }
}
