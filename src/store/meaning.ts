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

/** Of this many memories, at most, a turn is made: more is never fetched for one. */
export const MAX_MEMORIES_OF_A_TURN = 16
/** About 500 tokens, a quarter of a second: no graph waits longer for another than for such a turn. */
const MAX_CHARACTERS_OF_A_TURN = 2_000
/** Of a longer text about as much is read. */
const MAX_CHARACTERS_READ = 1_500

/** The first of the texts, at least one: as many as are read in a turn. */
export function turnOf<Unread extends { readonly text: string }>(unread: readonly Unread[]): Unread[] {
  let characters = 0
  return unread.slice(0, MAX_MEMORIES_OF_A_TURN).filter(({ text }, i) => {
    characters += Math.min(text.length, MAX_CHARACTERS_READ)
    return i === 0 || characters <= MAX_CHARACTERS_OF_A_TURN
  })
}
