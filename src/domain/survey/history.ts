import type { Bearing, Link, Memory, MemoryId, Source } from '../model.js'
import type { Page } from '../page.js'

/** How a memory was stated, oldest first, what replaced what, and when its claims stand. */
export interface MemoryHistory extends Page<PastStatement> {
  /** The memories that it replaced, by the place at which they went, then by id; at most `MAX_SUPERSEDED`. */
  readonly supersedes: readonly PastSupersession[]
  /** By id; empty while it stands. */
  readonly supersededBy: readonly PastSupersession[]
  /** In world order. */
  readonly spells: readonly Spell[]
}

/** A time in the world in which a claim stands. */
export interface Spell {
  /** Absent for the sentences of the memory, or the memory as a whole. */
  readonly field?: string
  readonly validFrom: string
  /** Absent while no end is known. */
  readonly validTo?: string
  /** What takes its place then; absent where it just ends. */
  readonly by?: MemoryId
}

/** A spell of a claim in the timeline of a context. */
export interface TimelineItem extends Spell {
  readonly memory: Memory
  /** The value of the field as text, or the text of the memory. */
  readonly text: string
  /** Whether it is one of several readings of one field of one thing that nobody linked, which end nothing. */
  readonly isSeries: boolean
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

export const MAX_SUPERSEDED = 1000
