import type { CodeScan } from '../domain/meaning/code-scan.js'

/** What a store reads memories for meaning with; without it, a store reads nothing. */
export interface Meaning {
  /** Vectors of one identity can be compared; kept ones of another are read again. */
  readonly identity: string
  readonly scan: CodeScan
  /** Unit vectors, in the order of the texts. Rejects when texts cannot be read now. */
  encode(texts: readonly string[]): Promise<readonly Float32Array[]>
}

/** A question waits for the memories that are not read yet if they are fewer than these, and for no longer than this. */
export const MOST_AWAITED = 200
export const LONGEST_WAIT_MS = 5_000
