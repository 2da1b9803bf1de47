import type { ContextId, MemoryId } from '../../model.js'
import type { Claim } from './types.js'

/** What the rules ask of a store: state that is already in memory. */
export interface Claims {
  /** Undefined only for a memory that the graph does not hold. */
  get(id: MemoryId): Claim | undefined
  /** The claims in open contradiction with this one; all of them stand. */
  opponents(id: MemoryId): Iterable<MemoryId>
  /** The latest `MOST_CONSIDERED` memories of the context that stand, by place, the latest last. */
  standing(contextId: ContextId): readonly MemoryId[]
}

/** The judgement of two texts, by the ids of their memories. Both are asked of the claim of the event, and of claims that `get` or `standing` named. */
export interface Judgement {
  /** The two surely speak of the same thing. */
  sameThing(a: MemoryId, b: MemoryId): boolean
  /** Speaking of the same thing, the two surely agree. */
  saysTheSame(a: MemoryId, b: MemoryId): boolean
}

/** How many standing memories of a context, the latest ones, a link to it is held against. */
export const MOST_CONSIDERED = 1000

export function stands(claim: Claim | undefined): claim is Claim & { readonly superseded: undefined } {
  return claim !== undefined && claim.superseded === undefined
}
