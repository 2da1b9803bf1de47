import type { CodeScan } from '../domain/meaning/code-scan.js'

/** What a store reads memories for meaning with; without it, a store reads nothing. */
export interface Meaning {
  /** Vectors of one identity can be compared; kept ones of another are read again. */
  readonly identity: string
  readonly scan: CodeScan
  /** Unit vectors, in the order of the texts. Rejects when texts cannot be read now. */
  encode(texts: readonly string[]): Promise<readonly Float32Array[]>
}

/** Who may wait for memories that are not read yet. */
export type Waiter = 'question' | 'event'

/**
 * It waits for them if they are fewer than `most`, and for no longer than `ms`. Nobody expects a write to wait; but what
 * was recorded just before an event is compared with it as if time had passed.
 */
export const PATIENCE: Readonly<Record<Waiter, { readonly most: number; readonly ms: number }>> = {
  question: { most: 200, ms: 5_000 },
  event: { most: 8, ms: 5_000 },
}
