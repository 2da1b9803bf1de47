import { type Abridged, MOST_WORDS, wordCount } from './sentences.js'

/** The lines of an answer: those that must be told, and as many others as have room. */
export class Lines {
  #text: string
  readonly #isCut: boolean

  constructor(needed: readonly Abridged[]) {
    this.#text = needed.map(({ text }) => text).join('\n')
    this.#isCut = needed.some(({ cut }) => cut)
  }

  /** All of these together or none; were they told? */
  add(...lines: readonly string[]): boolean {
    const text = [this.#text, ...lines].join('\n')
    const hasRoom = wordCount(text) <= MOST_WORDS
    if (hasRoom) this.#text = text
    return hasRoom
  }

  get told(): Abridged {
    return { text: this.#text, cut: this.#isCut }
  }
}
