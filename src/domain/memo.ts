/**
 * A cheaper approximation of an LRU cache, in two generations: a value that is asked for moves to the newer one, and when
 * that is full the older one is dropped. Values must be derivable from their keys.
 */
export class Memo<Key, Value> {
  readonly #maxSize: number
  readonly #sizeOf: (value: Value, key: Key) => number
  #newer = new Map<Key, Value>()
  #older = new Map<Key, Value>()
  #size = 0

  /** `maxSize` bounds the values of both generations together. */
  constructor(maxSize: number, sizeOf: (value: Value, key: Key) => number = () => 1) {
    this.#maxSize = maxSize
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    const newer = this.#newer.get(key)
    if (newer !== undefined) return newer
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: Key, value: Value): void {
    const size = this.#sizeOf(value, key)
    this.#forget(key)
    if (size > this.#maxSize / 2) return
    if (this.#size + size > this.#maxSize / 2) this.age()
    this.#newer.set(key, value)
    this.#size += size
  }

  #forget(key: Key): void {
    const before = this.#newer.get(key)
    if (before !== undefined) this.#size -= this.#sizeOf(before, key)
    this.#newer.delete(key)
    this.#older.delete(key)
  }

  /** Forgets what was neither set nor asked for since the last time. */
  age(): void {
    this.#older = this.#newer
    this.#newer = new Map()
    this.#size = 0
  }

  clear(): void {
    this.#newer.clear()
    this.#older.clear()
    this.#size = 0
  }
}
