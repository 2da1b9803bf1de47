/** The compiled programs of `assembly/`, as they are handed in: what they export. */

export interface EncoderProgram {
  readonly memory: ProgramMemory
  readonly MOST_TOKENS: ProgramConstant
  /** Where the token ids, the vector and the weights lie, and where the weights end. */
  readonly TOKENS: ProgramConstant
  readonly VECTOR: ProgramConstant
  readonly WEIGHTS: ProgramConstant
  readonly END: ProgramConstant
  encode(tokens: number): void
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
