import { getOrAdd } from './groups.js'
import { Memo } from './memo.js'

/** A memo of values by text, and its bound: `most` is how large all of them may be together. */
export interface MemoKind<Value> {
  readonly most: number
  /** 1 for each value if it is left out. */
  readonly sizeOf?: (value: Value, key: string) => number
}

/**
 * Everything that was worked out from texts and is kept to save time, so that an erasure can clear it all at once: no
 * other cache holds text. A `MemoKind` is a constant of the file that uses the memo.
 *
 * ```ts
 * const LENGTHS: MemoKind<number> = { most: 1000 }
 * texts.memo(LENGTHS).set('hello', 5)
 * texts.clear()
 * ```
 */
export class TextCache {
  readonly #memos = new Map<object, Pick<Memo<unknown, unknown>, 'age' | 'clear'>>()

  /** The memo of a kind, always the same one. */
  memo<Value>(kind: MemoKind<Value>): Memo<string, Value> {
    // A memo is kept under the very kind that it was made by, so that the types are those of the kind.
    return getOrAdd(this.#memos, kind, () => new Memo<string, Value>(kind.most, kind.sizeOf)) as Memo<
      string,
      Value
    >
  }

  clear(): void {
    for (const memo of this.#memos.values()) memo.clear()
  }

  /** To be called at intervals: drops what was not used since the last call. */
  age(): void {
    for (const memo of this.#memos.values()) memo.age()
  }
}
