const CHUNK_BITS = 16
const CHUNK = 2 ** CHUNK_BITS
const CHUNK_MASK = CHUNK - 1

/**
 * A growable list of 32-bit numbers. A list of at most one chunk is copied when it outgrows its array; full chunks are
 * never copied again, since copying millions of numbers would block the event loop.
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
    const at = this.length & CHUNK_MASK
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

  /** Sets the value at an index; a shorter list is extended with zeros. */
  set(index: number, value: number): void {
    while (this.length <= index) this.push(0)
    const chunk = this.#full[index >>> CHUNK_BITS] ?? this.#last
    chunk[index & CHUNK_MASK] = value
  }

  at(index: number): number {
    const chunk = this.#full[index >>> CHUNK_BITS] ?? this.#last
    return chunk[index & CHUNK_MASK] ?? 0
  }

  get last(): number | undefined {
    return this.length === 0 ? undefined : this.at(this.length - 1)
  }

  /** The underlying arrays, for a loop over many numbers. */
  chunks(): readonly Uint32Array[] {
    return [...this.#full, this.#last.subarray(0, this.length - CHUNK * this.#full.length)]
  }

  /** A copy of the first `count` numbers. */
  first(count: number): Uint32Array {
    const copy = new Uint32Array(count)
    let at = 0
    for (const chunk of this.chunks()) {
      const part = chunk.subarray(0, count - at)
      copy.set(part, at)
      at += part.length
    }
    return copy
  }

  /** A copy of a range. */
  slice(start: number, end: number): number[] {
    const copy: number[] = []
    for (let i = start; i < Math.min(end, this.length); i++) copy.push(this.at(i))
    return copy
  }
}
