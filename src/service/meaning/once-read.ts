import type { MemoKind, TextCache } from '../../domain/text-cache.js'

/** What a text is or was read as; undefined if it could not be read. */
export interface Read<Value> {
  readonly value: Promise<Value | undefined>
  readonly size: number
  failed: boolean
}

/**
 * What the models make of texts, by the texts: requests for the same text at the same time share one reading, and later
 * ones its result. An erasure forgets also what is being read meanwhile. What could not be read is tried again.
 */
export class OnceRead<Value> {
  readonly #texts: TextCache
  readonly #kind: MemoKind<Read<Value>>

  constructor(texts: TextCache, kind: MemoKind<Read<Value>>) {
    this.#texts = texts
    this.#kind = kind
  }

  get(key: string): Promise<Value | undefined> | undefined {
    const read = this.#texts.memo(this.#kind).get(key)
    return read?.failed === false ? read.value : undefined
  }

  /** Takes what is being read just now. */
  put(key: string, reading: Promise<Value>): Promise<Value | undefined> {
    const read: Read<Value> = {
      value: reading.catch(() => {
        read.failed = true
        return undefined
      }),
      size: key.length,
      failed: false,
    }
    this.#texts.memo(this.#kind).set(key, read)
    return read.value
  }
}
