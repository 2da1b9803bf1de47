import { wordsOf } from './words.js'

/** A longer question is cut, so that there is room for the text beside it. */
const MAX_QUESTION_PIECES = 64

/** A question and a text, as the reader is given them. */
export interface Pair {
  readonly ids: readonly number[]
  /** How many of the first ids are of the question, with the marks of its ends. */
  readonly asked: number
}

/** The word pieces of BERT uncased: text → ids of the vocabulary. */
export class WordPieces {
  readonly #starts = new Map<string, number>()
  readonly #continuations = new Map<string, number>()
  readonly #longest: number
  readonly #unknown: number
  readonly #first: number
  readonly #last: number

  /** `vocabulary` in the order of the ids; pieces within a word begin with `##`. */
  constructor(vocabulary: readonly string[]) {
    let longest = 0
    for (const [id, piece] of vocabulary.entries()) {
      const inner = piece.startsWith(INNER)
      const text = inner ? piece.slice(INNER.length) : piece
      if (inner) this.#continuations.set(text, id)
      else this.#starts.set(text, id)
      longest = Math.max(longest, text.length)
    }
    this.#longest = longest
    this.#unknown = this.#special('[UNK]')
    this.#first = this.#special('[CLS]')
    this.#last = this.#special('[SEP]')
  }

  /** The ids of a text between `[CLS]` and `[SEP]`, at most `most` in all. */
  idsOf(text: string, most: number): number[] {
    const ids = [this.#first]
    this.#add(text, ids, most)
    return ids
  }

  /** `[CLS] question [SEP] text [SEP]`, at most `most` in all; both texts are cut at their ends. */
  pairOf(question: string, text: string, most: number): Pair {
    const ids = this.idsOf(question, Math.min(MAX_QUESTION_PIECES + 2, most - 1))
    const asked = ids.length
    this.#add(text, ids, most)
    return { ids, asked }
  }

  /** Adds those of the text and `[SEP]`, until there are `most`. */
  #add(text: string, ids: number[], most: number): void {
    for (const word of wordsOf(text)) {
      if (ids.length >= most - 1) break
      const before = ids.length
      if (word.long || !this.#split(word.text, ids)) {
        ids.length = before
        ids.push(this.#unknown)
      }
    }
    if (ids.length > most - 1) ids.length = most - 1
    ids.push(this.#last)
  }

  /** Adds the longest pieces from the left; false when a part of the word is in no piece. */
  #split(word: string, ids: number[]): boolean {
    for (let start = 0; start < word.length; ) {
      const pieces = start === 0 ? this.#starts : this.#continuations
      let end = Math.min(word.length, start + this.#longest)
      let id = pieces.get(word.slice(start, end))
      while (id === undefined && end > start + 1) {
        end -= 1
        id = pieces.get(word.slice(start, end))
      }
      if (id === undefined) return false
      ids.push(id)
      start = end
    }
    return true
  }

  #special(piece: string): number {
    const id = this.#starts.get(piece)
    if (id === undefined) throw new Error(`The vocabulary has no ${piece}.`)
    return id
  }
}

const INNER = '##'
