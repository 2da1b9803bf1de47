import type { ContextId, Memory, MemoryId } from '../model.js'

/** What the engine asks of one graph. A store answers; the engine never sees which. */
export interface Knowledge {
  /** The memories that share a stem with the query, best first by BM25 (ranking.ts), ties by order of recording. */
  retrieve(retrieval: Retrieval): Promise<Retrieved>
  /** For each term, its inverse document frequency in this graph (ranking.ts); unknown terms included. */
  weigh(terms: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The memories of a scope, the latest first. */
  latest(scope: ContextFilter, limit: number): Promise<readonly Memory[]>
  /** The memories that stand close to the given ones, in order of recording (`Store.neighbours` says which). */
  neighbours(memoryIds: readonly MemoryId[]): Promise<readonly Memory[]>
}

export interface Retrieval {
  /** Distinct stems of the query (analysis.ts). */
  readonly terms: readonly string[]
  /** Only memories of these contexts, if given: the union of whole types and single contexts. */
  readonly scope?: ContextFilter
  /** The most memories to return. */
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
