import type { MemoKind, TextCache } from '../../domain/text-cache.js'

/** A reading of a text, finished or not. The value is undefined if the reading failed. */
export interface Read<Value> {
  readonly value: Promise<Value | undefined>
  failed: boolean
}

/**
 * Caches results of the models by text. Concurrent requests for the same text share one reading. An erasure
 * also removes readings that have not finished. Failures are not cached.
 */
export class OnceRead<Value> {
  readonly #texts: TextCache
  readonly #kind: MemoKind<Read<Value>>

  constructor(texts: TextCache, kind: MemoKind<Read<Value>>) {
    this.#texts = texts
    this.#kind = kind
  }

  get(key: string): Promise<Value | undefined> | undefined {
    const entry = this.#texts.memo(this.#kind).get(key)
    return entry?.failed === false ? entry.value : undefined
  }

  /** Adds a reading that has started. */
  put(key: string, reading: Promise<Value>): Promise<Value | undefined> {
    const entry: Read<Value> = {
      value: reading.catch(() => {
        entry.failed = true
        return undefined
      }),
      failed: false,
    }
    this.#texts.memo(this.#kind).set(key, entry)
    return entry.value
  }
}
