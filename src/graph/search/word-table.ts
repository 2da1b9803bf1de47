/** For each ASCII code: can it be part of a word? */
const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
)
/** Only ASCII without apostrophes: there, words stand by themselves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they part words like any other character
const PLAIN = /^[\x00-\x26\x28-\x7f]*$/
const SLOT = 4
/** A part that grows is copied at once, and copying a million words would block the event loop. */
const PARTS = 32
const PART_SHIFT = 27
const NO_SLOTS = new Int32Array(SLOT)
const HASH_PRIME = 0x01000193

/**
 * What the words of a text were found to mean, remembered by their letters. Most words have been met before, and are
 * recognised here without a string being made of them, which is what makes opening a large graph quick.
 */
export class WordTable {
  readonly #termsOf: (word: string) => readonly number[]
  readonly #seed: number
  /** The letters of all words, one after the other. */
  #letters = new Uint8Array(4096)
  #used = 0
  /** By hash, for each slot: hash, where the letters start, how many they are (0: the slot is free), and the term. */
  readonly #parts = Array.from({ length: PARTS }, () => new Int32Array(32 * SLOT))
  /** How many words each part holds. */
  readonly #counts = new Uint32Array(PARTS)
  /** The terms of words that have none or several; a slot names its entry as -1, -2, … */
  readonly #several: (readonly number[])[] = []

  /**
   * `termsOf` is asked once for each word, and must not depend on the words around it. A caller that chooses words cannot
   * have them all in one part without the seed.
   */
  constructor(termsOf: (word: string) => readonly number[], seed: number) {
    this.#termsOf = termsOf
    this.#seed = seed
  }

  /** Gives the terms of the text to `visit`, in order; false, having given none, if it is not plain enough to tell. */
  read(text: string, visit: (term: number) => void): boolean {
    if (!PLAIN.test(text)) return false
    let start = -1
    let hash = this.#seed
    for (let i = 0; i <= text.length; i++) {
      const code = i < text.length ? text.charCodeAt(i) : 0
      if (IN_WORD[code] === 1) {
        if (start < 0) start = i
        hash = Math.imul(hash ^ code, HASH_PRIME)
      } else if (start >= 0) {
        const term = this.#find(text, start, i, hash)
        if (term >= 0) visit(term)
        else for (const each of this.#several[-1 - term] ?? []) visit(each)
        start = -1
        hash = this.#seed
      }
    }
    return true
  }

  #find(text: string, start: number, end: number, hash: number): number {
    const slots = this.#partOf(hash)
    const mask = slots.length - 1
    for (let slot = placeOf(hash) & mask; ; slot = (slot + SLOT) & mask) {
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
    const term = terms.length === 1 ? (terms[0] ?? 0) : -this.#several.push(terms)
    if (this.#used + word.length > this.#letters.length) {
      const letters = new Uint8Array(2 * (this.#used + word.length))
      letters.set(this.#letters)
      this.#letters = letters
    }
    this.#letters.set(Buffer.from(word, 'latin1'), this.#used)
    const part = hash >>> PART_SHIFT
    const count = (this.#counts[part] ?? 0) + 1
    this.#counts[part] = count
    const before = this.#partOf(hash)
    if (2 * count * SLOT > before.length) {
      const larger = new Int32Array(2 * before.length)
      this.#parts[part] = larger
      for (let slot = 0; slot < before.length; slot += SLOT)
        if (before[slot + 2] !== 0) place(larger, before.subarray(slot, slot + SLOT))
    }
    place(this.#partOf(hash), Int32Array.of(hash, this.#used, word.length, term))
    this.#used += word.length
    return term
  }

  #partOf(hash: number): Int32Array {
    return this.#parts[hash >>> PART_SHIFT] ?? NO_SLOTS
  }
}

function place(slots: Int32Array, entry: Int32Array): void {
  const mask = slots.length - 1
  let slot = placeOf(entry[0] ?? 0) & mask
  while (slots[slot + 2] !== 0) slot = (slot + SLOT) & mask
  slots.set(entry, slot)
}

/** Where to look first for a word with this hash. */
function placeOf(hash: number): number {
  return (hash ^ (hash >>> 15)) << 2
}

const HASH_PARTS = 128
const HASH_PART_SHIFT = 25
const PRIME = 0x01000193

/**
 * The terms of a graph, numbered from 0 as they are met. In several maps: one that grows is copied at once, and copying a
 * million terms would block the event loop. A caller that chooses words cannot have them all in one map without the seed.
 */
export class TermNumbers {
  readonly #seed: number
  readonly #parts = Array.from({ length: HASH_PARTS }, () => new Map<string, number>())
  size = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  find(term: string): number | undefined {
    return this.#partOf(term)?.get(term)
  }

  /** The number of a term, which has one from now on. */
  of(term: string): number {
    const part = this.#partOf(term)
    const known = part?.get(term)
    if (known !== undefined) return known
    part?.set(term, this.size)
    return this.size++
  }

  /** The first terms by number, a part of them at a time. */
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
    return this.#parts[hash >>> HASH_PART_SHIFT]
  }
}
