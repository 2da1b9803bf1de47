import type { Memory } from '../model.js'
import type { Page } from '../page.js'
import type { Replaced } from './stale-search.js'

/** Two memories in open contradiction. */
export interface Dispute {
  readonly earlier: Memory
  readonly later: Memory
  /** The field that they disagree about, if it is one. */
  readonly field?: string
}

/** A stale memory and what it builds on that was superseded. */
export interface StaleMemory {
  readonly memory: Memory
  readonly because: readonly Replaced[]
}

/** Stale memories, the latest first. */
export interface StalePage extends Page<StaleMemory> {
  /** Whether there may be more than `total`, because the search was cut short. */
  readonly isCut: boolean
}
