/** By ASCII code. */
const IS_WORD_CHARACTER = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
)
/** In such texts, the terms of a word do not depend on the words around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they part words like any other character
const ASCII_WITHOUT_APOSTROPHE = /^[\x00-\x26\x28-\x7f]*$/
const SLOT_SIZE = 4
/** Growing a part copies all of it at once; copying one table of a million words would block the event loop. */
const PARTS = 32
const PART_SHIFT = 27
const EMPTY_PART = new Int32Array(SLOT_SIZE)
const HASH_PRIME = 0x01000193

/**
 * Caches the terms of words by their letters. Most words of a text are in the cache and are found without creating a
 * string, which makes opening a large graph fast.
 */
export class WordTable {
  readonly #termsOf: (word: string) => readonly number[]
  readonly #seed: number
  /** The letters of all words, one after the other. */
  #letters = new Uint8Array(4096)
  #used = 0
  /** Each slot holds the hash, the start of the letters, their number (0: the slot is free), and the term. */
  readonly #parts = Array.from({ length: PARTS }, () => new Int32Array(32 * SLOT_SIZE))
  /** How many words each part holds. */
  readonly #counts = new Uint32Array(PARTS)
  /** The terms of words that have none or several; a slot refers to entry i as -1 - i. */
  readonly #termLists: (readonly number[])[] = []

  /**
   * `termsOf` is called once for each word, and must not depend on the words around it. `seed` must be unknown to callers,
   * who could otherwise choose words that collide.
   */
  constructor(termsOf: (word: string) => readonly number[], seed: number) {
    this.#termsOf = termsOf
    this.#seed = seed
  }

  /** Calls `visit` with each term of the text, in order. Returns false, without calling it, if the text is not plain ASCII. */
  read(text: string, visit: (term: number) => void): boolean {
    if (!ASCII_WITHOUT_APOSTROPHE.test(text)) return false
    let start = -1
    let hash = this.#seed
    for (let i = 0; i <= text.length; i++) {
      const code = i < text.length ? text.charCodeAt(i) : 0
      if (IS_WORD_CHARACTER[code] === 1) {
        if (start < 0) start = i
        hash = Math.imul(hash ^ code, HASH_PRIME)
      } else if (start >= 0) {
        const term = this.#find(text, start, i, hash)
        if (term >= 0) visit(term)
        else for (const listed of this.#termLists[-1 - term] ?? []) visit(listed)
        start = -1
        hash = this.#seed
      }
    }
    return true
  }

  #find(text: string, start: number, end: number, hash: number): number {
    const slots = this.#partOf(hash)
    const mask = slots.length - 1
    for (let slot = slotOf(hash) & mask; ; slot = (slot + SLOT_SIZE) & mask) {
      const length = slots[slot + 2] ?? 0
      if (length === 0) return this.#add(text.slice(start, end), hash)
      if (
        slots[slot] === hash &&
        length === end - start &&
        this.#equals(slots[slot + 1] ?? 0, text, start, end)
      )
        return slots[slot + 3] ?? 0
    }
  }

  #equals(from: number, text: string, start: number, end: number): boolean {
    for (let i = start; i < end; i++) if (this.#letters[from + i - start] !== text.charCodeAt(i)) return false
    return true
  }

  #add(word: string, hash: number): number {
    const terms = this.#termsOf(word)
    const term = terms.length === 1 ? (terms[0] ?? 0) : -this.#termLists.push(terms)
    if (this.#used + word.length > this.#letters.length) {
      const letters = new Uint8Array(2 * (this.#used + word.length))
      letters.set(this.#letters)
      this.#letters = letters
    }
    this.#letters.set(Buffer.from(word, 'latin1'), this.#used)
    const part = hash >>> PART_SHIFT
    const count = (this.#counts[part] ?? 0) + 1
    this.#counts[part] = count
    const slots = this.#partOf(hash)
    if (2 * count * SLOT_SIZE > slots.length) {
      const larger = new Int32Array(2 * slots.length)
      this.#parts[part] = larger
      for (let slot = 0; slot < slots.length; slot += SLOT_SIZE)
        if (slots[slot + 2] !== 0) insert(larger, slots.subarray(slot, slot + SLOT_SIZE))
    }
    insert(this.#partOf(hash), Int32Array.of(hash, this.#used, word.length, term))
    this.#used += word.length
    return term
  }

  #partOf(hash: number): Int32Array {
    return this.#parts[hash >>> PART_SHIFT] ?? EMPTY_PART
  }
}

function insert(slots: Int32Array, entry: Int32Array): void {
  const mask = slots.length - 1
  let slot = slotOf(entry[0] ?? 0) & mask
  while (slots[slot + 2] !== 0) slot = (slot + SLOT_SIZE) & mask
  slots.set(entry, slot)
}

/** The first slot to try for a hash. */
function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) << 2
}

const TERM_PARTS = 128
const TERM_PART_SHIFT = 25
const PRIME = 0x01000193

/**
 * Numbers the terms of a graph from 0. Uses several maps, since growing one copies all of it at once, and copying a million
 * terms would block the event loop. `seed` must be unknown to callers, who could otherwise put all terms into one map.
 */
export class TermNumbers {
  readonly #seed: number
  readonly #parts = Array.from({ length: TERM_PARTS }, () => new Map<string, number>())
  size = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  find(term: string): number | undefined {
    return this.#partOf(term)?.get(term)
  }

  /** The number of a term; assigns the next one to a new term. */
  of(term: string): number {
    const part = this.#partOf(term)
    const number = part?.get(term)
    if (number !== undefined) return number
    part?.set(term, this.size)
    return this.size++
  }

  /** The first `count` terms, by number, collected in small steps. */
  *first(count: number): Generator<void, readonly string[]> {
    const terms = new Array<string>(count)
    for (const part of this.#parts) {
      for (const [term, number] of part) if (number < count) terms[number] = term
      yield
    }
    return terms
  }

  #partOf(term: string): Map<string, number> | undefined {
    let hash = this.#seed
    for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), PRIME)
    return this.#parts[hash >>> TERM_PART_SHIFT]
  }
}
