import type { ContextId, Memory, MemoryId } from '../model.js'

/** To be awaited between the steps of a long answer: others have their turn when it has taken some milliseconds. */
export type Pause = () => Promise<void> | undefined

/** Everything in one go. */
export const NO_PAUSE: Pause = () => undefined

/** What the engine asks of one graph in memory. */
export interface Knowledge {
  /** The memories that share a stem with the query, best first by BM25 (bm25.ts), ties by order of recording. */
  retrieve(retrieval: Retrieval): Retrieved

  /**
   * The memories nearest in meaning to a vector, the nearest first by cosine, ties by order of recording; of those that
   * have been read for meaning. Exact among the `NEAREST_CODES` whose codes are nearest (meaning/code-table.ts).
   */
  nearest(near: Near): readonly Memory[]

  /** The vectors of those of these memories that have been read for meaning. */
  vectors(memoryIds: readonly MemoryId[]): ReadonlyMap<MemoryId, Int8Array>

  /** How many memories of the graph have not been read for meaning yet; 0 where nothing reads. */
  unread(): number

  /** For each term, its inverse document frequency in this graph (bm25.ts); unknown terms included. */
  weigh(terms: readonly string[]): ReadonlyMap<string, number>

  /** The memories of a scope, the latest first, at most `limit`. */
  latest(scope: ContextFilter, limit: number): readonly Memory[]

  /**
   * The memories that stand close to the given ones, themselves left out, each once and in order of recording. For each
   * given one: the two before and the two after it in its context and that context's latest two; the latest that
   * contradict or reinforce it; the latest of those that link to its context; and the latest of the contexts that its
   * context links to. At most `NEARBY` of a sort, so that a hub costs no more than any other context. Rejects with
   * `memory_not_found` if one of the given ones is not there.
   */
  neighbours(memoryIds: readonly MemoryId[]): readonly Memory[]
  /**
   * For each claim of these memories, what held of it and when, in the order of the world: with all that took its place, and
   * all that it took the place of. Each line once.
   */
  lines(memoryIds: readonly MemoryId[]): readonly (readonly ClaimOnce[])[]
  /** These memories, in the order of the ids; one that the graph does not hold is left out. */
  memories(memoryIds: readonly MemoryId[]): readonly Memory[]
  /**
   * For each of these memories, the records that contradict its context as a whole, that came after its last statement
   * and that stand still, in order of recording; memories without any are left out.
   */
  recordsAgainst(memoryIds: readonly MemoryId[]): ReadonlyMap<MemoryId, readonly Memory[]>
}

/** A time during which a claim of a memory was, is or will be what stands. */
export interface ClaimOnce {
  readonly memory: Memory
  /** What the claim says: a field, or the memory as it was recorded. */
  readonly text: string
  readonly from: string
  /** Absent while nothing that is known ends it. */
  readonly to?: string
}

export interface Retrieval {
  /** Distinct stems of the query (text-analysis.ts). */
  readonly terms: readonly string[]
  /** Only memories of these contexts, if given: the union of whole types and single contexts. */
  readonly scope?: ContextFilter
  /** The most memories to return. */
  readonly limit: number
}

export interface Near {
  /** As `toBytes` makes it (meaning/nearness.ts). */
  readonly vector: Int8Array
  /** As in `Retrieval`. */
  readonly scope?: ContextFilter
  readonly limit: number
}

export interface ContextFilter {
  readonly types: readonly string[]
  readonly contextIds: readonly ContextId[]
}

export interface Retrieved {
  readonly found: readonly Candidate[]
  /** For each query term, its inverse document frequency in this graph; terms without a hit included. */
  readonly idf: ReadonlyMap<string, number>
  /** The mean number of stems in a memory, its context's type and name included. */
  readonly averageLength: number
  /** How many memories the whole graph holds. */
  readonly memoryCount: number
  /** The latest `occurredAt` of the graph: the engine's "now". */
  readonly newestAt: string
}

export interface Candidate {
  readonly memory: Memory
  readonly bm25: number
  /** Which of the query's terms occur in it. */
  readonly matched: readonly string[]
}
