import { type Context, type ContextId, LINK_KINDS, type LinkKind } from '../model.js'

/** How far to go, and how many contexts to give, the first one included. */
export interface NeighbourhoodLimits {
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

interface NearContext extends Pick<Context, 'contextId' | 'contextType' | 'contextName' | 'memoryCount'> {
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

export const MAX_LINKS_GIVEN = 10_000
/** Of one context in each direction, the latest ones. */
export const MAX_LINKS_OF_CONTEXT = 50_000
/** When so many have been looked at, those of further contexts are not. */
const MAX_LINKS_IN_ALL = 100_000

/** Limits how many links are visited. */
export class LinkBudget {
  #lookedAt = 0
  /** How many contexts have links that were not visited. */
  unexplored = 0

  tryVisit(outgoing: number, incoming: number): boolean {
    const isSpent = this.#lookedAt >= MAX_LINKS_IN_ALL
    if (isSpent || Math.max(outgoing, incoming) > MAX_LINKS_OF_CONTEXT) this.unexplored++
    if (!isSpent)
      this.#lookedAt += Math.min(outgoing, MAX_LINKS_OF_CONTEXT) + Math.min(incoming, MAX_LINKS_OF_CONTEXT)
    return !isSpent
  }
}

/** A number that puts the links between given contexts in order; `from` and `to` are the places of the two. */
export function linkOrder(from: number, to: number, kind: LinkKind): number {
  return (from * 1000 + to) * LINK_KINDS.length + LINK_KINDS.indexOf(kind)
}
