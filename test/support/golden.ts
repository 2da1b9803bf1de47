import { readFileSync } from 'node:fs'

/** A text with the ids and the vector that the encoder must give for it. */
export interface Golden {
  readonly text: string
  readonly ids: readonly number[]
  /** With activations rounded to 12 bits, as the encoder does. */
  readonly i16: readonly number[]
}

export function readGolden(): Golden[] {
  return JSON.parse(readFileSync(new URL('../fixtures/golden.json', import.meta.url), 'utf8')) as Golden[]
}

/** The largest difference of a component. */
export function apart(vector: ArrayLike<number>, expected: readonly number[]): number {
  return Math.max(...expected.map((component, i) => Math.abs(component - (vector[i] ?? Number.NaN))))
}

/** A question and a text with the ids, the sides and the logit that the reader must give for them. */
export interface GoldenPair {
  readonly first: string
  readonly second: string
  readonly ids: readonly number[]
  /** 0 for what is of the question, 1 for what is of the text. */
  readonly sides: readonly number[]
  /** In full precision. */
  readonly answers: number
}

export function readGoldenPairs(): GoldenPair[] {
  const text = readFileSync(new URL('../fixtures/golden-reader.json', import.meta.url), 'utf8')
  return JSON.parse(text) as GoldenPair[]
}
