/** The compiled programs of `assembly/`, as they are handed in: what they export. */

/** The encoder and the reader, which share the words. */
export interface EncoderProgram {
  readonly memory: ProgramMemory
  /** Of a text, and of a question and a text together. */
  readonly MAX_TOKENS: ProgramConstant
  readonly MAX_PAIR_TOKENS: ProgramConstant
  /** Where the token ids and the vector lie. */
  readonly TOKENS: ProgramConstant
  readonly VECTOR: ProgramConstant
  /** Where the weights of the encoder begin and end, and those of the reader. */
  readonly WEIGHTS: ProgramConstant
  readonly END: ProgramConstant
  readonly READER_WEIGHTS: ProgramConstant
  readonly READER_END: ProgramConstant
  encode(tokens: number): void
  /** The logit of a pair, of which the first `asked` tokens are the question. */
  read(tokens: number, asked: number): number
}

export interface ScanProgram {
  readonly memory: ProgramMemory
  readonly MOST_CODES: ProgramConstant
  readonly ASKED: ProgramConstant
  readonly DISTANCES: ProgramConstant
  readonly CODES: ProgramConstant
  scan(codes: number): void
}

interface ProgramMemory {
  readonly buffer: ArrayBuffer
}

interface ProgramConstant {
  readonly value: number
}
