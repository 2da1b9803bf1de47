import type { EncoderProgram } from './programs.js'
import type { Pair, WordPieces } from './word-pieces.js'

/** A question and a text → whether the text answers it, as a logit: the same two, the same number, on every machine. */
export class Reader {
  readonly #program: EncoderProgram
  readonly #words: WordPieces
  readonly #tokens: Int32Array

  /** The weights are in the program's memory already, and `words` are of their vocabulary. */
  constructor(program: EncoderProgram, words: WordPieces) {
    const { memory, TOKENS, MAX_PAIR_TOKENS } = program
    this.#program = program
    this.#words = words
    this.#tokens = new Int32Array(memory.buffer, TOKENS.value, MAX_PAIR_TOKENS.value)
  }

  /** Above 0 it is likelier than not that the text answers. Of a long text the beginning is read. */
  logitOf(question: string, text: string): number {
    return this.logitOfPair(this.#words.pairOf(question, text, this.#tokens.length))
  }

  /** The ids are of the vocabulary, at least one and at most 128. */
  logitOfPair({ ids, asked }: Pair): number {
    this.#tokens.set(ids)
    return this.#program.read(ids.length, asked)
  }
}
