/** A list of small numbers in a typed array that grows. */
export class Numbers {
  #values: Uint32Array
  length: number

  constructor(...first: number[]) {
    this.#values = Uint32Array.from(first)
    this.length = first.length
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const values = new Uint32Array(this.length + Math.max(2, this.length >> 1))
      values.set(this.#values)
      this.#values = values
    }
    this.#values[this.length++] = value
  }

  at(index: number): number {
    return this.#values[index] ?? 0
  }

  get last(): number | undefined {
    return this.length === 0 ? undefined : this.#values[this.length - 1]
  }

  /** A copy of those in a range. */
  slice(start: number, end: number): number[] {
    return Array.from(this.#values.subarray(Math.min(start, this.length), Math.min(end, this.length)))
  }
}
