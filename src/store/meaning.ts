import type { CodeScan } from '../domain/meaning/code-scan.js'

/** What a store reads memories for meaning with; without it, a store reads nothing. */
export interface Meaning {
  /** Vectors of one identity can be compared; kept ones of another are read again. */
  readonly identity: string
  readonly scan: CodeScan
  /**
   * Unit vectors, in the order of the texts. Rejects when texts cannot be read now. They wait for all that requests ask
   * for, unless a question waits for them: `isAwaited` is asked when it could be their turn.
   */
  encode(
    texts: readonly string[],
    options?: { readonly isAwaited?: () => boolean },
  ): Promise<readonly Float32Array[]>
}

/** Who may wait for memories that are not read yet. */
export type Waiter = 'question' | 'event'

/**
 * It waits for them only if they are fewer. Nobody expects a write to wait; but what was recorded just before an event is
 * compared with it as if time had passed.
 */
export const WAITS_FOR: Readonly<Record<Waiter, number>> = { question: 200, event: 8 }

/** And for no longer than this. */
export const PATIENCE_MS = 5_000
