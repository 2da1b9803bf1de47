import { type ContextId, LINK_KINDS, type LinkKind } from '../model.js'

/** How far to go, and how many contexts to give, the first one included. */
export interface Reach {
  readonly depth: number
  readonly limit: number
}

export interface Neighbourhood {
  /**
   * The context asked for, then the nearest first; within a distance, by how many memories state its links with those
   * that are nearer, the most first, then by its own memories, the most first, then by id.
   */
  readonly contexts: readonly NearContext[]
  /** Between these contexts: in their order by where they start, then by where they lead, then by kind. */
  readonly links: readonly ContextLink[]
  readonly leftOut: {
    readonly contexts: number
    readonly links: number
    /** How many of the contexts given have links that were not looked at. */
    readonly unexplored: number
  }
}

export interface NearContext {
  readonly contextId: ContextId
  readonly contextType: string
  readonly contextName: string
  readonly memoryCount: number
  readonly distance: number
}

export interface ContextLink {
  readonly from: ContextId
  readonly to: ContextId
  readonly kind: LinkKind
  /** How many memories state it. */
  readonly weight: number
  readonly firstSeen: string
  readonly lastSeen: string
}

export const MOST_LINKS_GIVEN = 10_000
/** Of one context in each direction, the latest ones. */
export const MOST_LINKS_OF_CONTEXT = 50_000
/** When so many have been looked at, those of further contexts are not. */
const MOST_LINKS_IN_ALL = 100_000

/** Says of one context after the other whether its links are looked at. */
export class LinkBudget {
  #lookedAt = 0
  unexplored = 0

  take(outgoing: number, incoming: number): boolean {
    const isSpent = this.#lookedAt >= MOST_LINKS_IN_ALL
    if (isSpent || Math.max(outgoing, incoming) > MOST_LINKS_OF_CONTEXT) this.unexplored++
    if (!isSpent)
      this.#lookedAt += Math.min(outgoing, MOST_LINKS_OF_CONTEXT) + Math.min(incoming, MOST_LINKS_OF_CONTEXT)
    return !isSpent
  }
}

/** A number that puts the links between given contexts in order; `from` and `to` are the places of the two. */
export function linkOrder(from: number, to: number, kind: LinkKind): number {
  return (from * 1000 + to) * LINK_KINDS.length + LINK_KINDS.indexOf(kind)
}
