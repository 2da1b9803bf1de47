const CHUNK_BITS = 16
const CHUNK = 2 ** CHUNK_BITS
const IN_CHUNK = CHUNK - 1

/**
 * A list of small numbers in typed arrays. A short one is copied when it outgrows its array; a long one is never
 * copied again, since copying millions of numbers would block the event loop.
 */
export class Uint32List {
  readonly #full: Uint32Array[] = []
  #last: Uint32Array
  length: number

  constructor(...first: number[]) {
    this.#last = Uint32Array.from(first)
    this.length = first.length
  }

  push(value: number): void {
    const at = this.length & IN_CHUNK
    if (at === 0 && this.length > 0) {
      this.#full.push(this.#last)
      this.#last = new Uint32Array(CHUNK)
    } else if (at === this.#last.length) {
      const larger = new Uint32Array(Math.min(CHUNK, at + Math.max(2, at >> 1)))
      larger.set(this.#last)
      this.#last = larger
    }
    this.#last[at] = value
    this.length++
  }

  /** Puts a value at an index, after zeros if the list is shorter. */
  set(index: number, value: number): void {
    while (this.length <= index) this.push(0)
    const chunk = this.#full[index >>> CHUNK_BITS] ?? this.#last
    chunk[index & IN_CHUNK] = value
  }

  at(index: number): number {
    const chunk = this.#full[index >>> CHUNK_BITS] ?? this.#last
    return chunk[index & IN_CHUNK] ?? 0
  }

  get last(): number | undefined {
    return this.length === 0 ? undefined : this.at(this.length - 1)
  }

  /** All of them as they lie in memory, for a loop over many. */
  runs(): readonly Uint32Array[] {
    return [...this.#full, this.#last.subarray(0, this.length - CHUNK * this.#full.length)]
  }

  /** A copy of the first ones. */
  first(count: number): Uint32Array {
    const copied = new Uint32Array(count)
    let at = 0
    for (const run of this.runs()) {
      const some = run.subarray(0, count - at)
      copied.set(some, at)
      at += some.length
    }
    return copied
  }

  /** A copy of those in a range. */
  slice(start: number, end: number): number[] {
    const copied: number[] = []
    for (let i = start; i < Math.min(end, this.length); i++) copied.push(this.at(i))
    return copied
  }
}
