import type { Bearing, Link, MemoryId, Source } from '../model.js'
import type { Page } from '../page.js'

/** How a memory was stated, oldest first, and what replaced what. */
export interface MemoryHistory extends Page<PastStatement> {
  /** The memories that it replaced, by the place at which they went, then by id; at most `MOST_SUPERSEDED`. */
  readonly supersedes: readonly PastSupersession[]
  /** By id; empty while it stands. */
  readonly supersededBy: readonly PastSupersession[]
}

/** One event that states a memory: its own, or that of a memory that reinforces it. */
export interface PastStatement {
  readonly place: number
  /** The memory whose event it is. */
  readonly memoryId: MemoryId
  readonly source: Source
  readonly occurredAt: string
  readonly recordedAt: string
  readonly links: readonly Link[]
  readonly bearsOn: readonly Bearing[]
}

export interface PastSupersession {
  /** The other memory. */
  readonly memoryId: MemoryId
  /** Of the event with which the superseded one no longer stood. */
  readonly place: number
  readonly recordedAt: string
  readonly source: Source
}

export const MOST_SUPERSEDED = 1000
