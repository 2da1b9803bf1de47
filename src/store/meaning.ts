import type { CodeScan } from '../domain/meaning/code-scan.js'

/** Embeds memories for a store, so that they can be searched by meaning. */
export interface Meaning {
  /** Identifies the model: only vectors with the same identity can be compared; others are computed again. */
  readonly identity: string
  readonly scan: CodeScan
  /**
   * Unit vectors, in the order of the texts. Rejects when texts cannot be embedded now. The texts wait behind
   * those of requests, unless a question waits for them: `isAwaited` is called to find out.
   */
  encode(
    texts: readonly string[],
    options?: { readonly isAwaited?: () => boolean },
  ): Promise<readonly Float32Array[]>
}

/** The kinds of requests that may wait for memories to be embedded. */
export type Waiter = 'question' | 'event'

/**
 * A request waits only if at most this many memories are left to embed. A write should hardly wait, but its
 * event should be compared with those recorded just before it.
 */
export const WAITS_FOR: Readonly<Record<Waiter, number>> = { question: 200, event: 8 }

/** The longest such wait. */
export const PATIENCE_MS = 5_000

/** Maximum number of memories that a graph fetches and embeds in one turn. */
export const MAX_MEMORIES_OF_A_TURN = 16
/** About 500 tokens, or a quarter of a second: another graph waits no longer for its turn. */
const MAX_CHARACTERS_OF_A_TURN = 2_000
/** The model reads about this much of a longer text. */
const MAX_CHARACTERS_READ = 1_500

/** The first texts, at least one, that fit into one turn. */
export function turnOf<Unread extends { readonly text: string }>(unread: readonly Unread[]): Unread[] {
  let characters = 0
  return unread.slice(0, MAX_MEMORIES_OF_A_TURN).filter(({ text }, i) => {
    characters += Math.min(text.length, MAX_CHARACTERS_READ)
    return i === 0 || characters <= MAX_CHARACTERS_OF_A_TURN
  })
}
